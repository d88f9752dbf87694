//! Boxes without decisions: a cliff beside the optimum, a deceptive basin, parameters that do nothing,
//! a category of fifty levels.
use super::super::{Problem, Reading};
use super::{bowl, hole, place};
use arbora_space::{Param, Space};

pub(super) const NAMES: [&str; 4] = ["cliff", "deceptive-basin", "irrelevant", "levels-50"];

pub(super) fn by_name(name: &str) -> Option<Problem> {
    match name {
        "cliff" => Some(cliff()),
        "deceptive-basin" => Some(basin()),
        "irrelevant" => Some(irrelevant()),
        "levels-50" => Some(levels()),
        _ => None,
    }
}

fn numbers(count: usize) -> Vec<Param> {
    (0..count).map(|i| Param::real(format!("x{i}"), 0.0, 1.0)).collect()
}

fn read(at: &Reading<'_>, count: usize) -> Vec<f64> {
    (0..count).map(|i| at.number(&format!("x{i}"))).collect()
}

fn box_of(params: Vec<Param>) -> Space {
    Space::new(params).expect("a box is a space")
}

/// Two numbers fall gently towards the optimum and jump to 1 right behind it; two more are a bowl.
fn cliff() -> Problem {
    Problem::new("cliff", box_of(numbers(4)), 0.0, |at: &Reading<'_>| {
        let x = read(at, 4);
        if x[0] > place(0) || x[1] > place(1) {
            return 1.0;
        }
        0.3 * (place(0) - x[0]) + 0.3 * (place(1) - x[1]) + 0.3 * bowl(&x[2..], 2)
    })
}

/// A wide bowl down to 0.2 and, opposite its bottom, a narrow one down to 0.
fn basin() -> Problem {
    Problem::new("deceptive-basin", box_of(numbers(3)), 0.0, |at: &Reading<'_>| {
        let x = read(at, 3);
        let far = x.iter().enumerate().map(|(i, u)| (u - 1.0 + place(3 + i)).powi(2));
        let wide = 0.2 + far.sum::<f64>() / 3.0;
        wide.min(hole(&x, 3, 0.2))
    })
}

/// What matters of forty numbers.
pub(super) const RELEVANT: [usize; 5] = [3, 13, 17, 29, 38];

/// Five numbers of forty matter.
fn irrelevant() -> Problem {
    Problem::new("irrelevant", box_of(numbers(40)), 0.0, |at: &Reading<'_>| {
        let x = read(at, 40);
        bowl(&RELEVANT.map(|i| x[i]), 0)
    })
}

/// Fifty labels in no order, each worth something else, and two numbers.
fn levels() -> Problem {
    let mut params = numbers(2);
    params.push(Param::choice("level", (0..50).map(|level| format!("v{level}"))));
    let worth: Vec<f64> = (0..50).map(|level| f64::from(level * 29 % 50) / 50.0).collect();
    Problem::new("levels-50", box_of(params), 0.0, move |at: &Reading<'_>| {
        let level = at.choice("level").map(|value| value.to_string()).unwrap_or_default();
        let level: usize = level.trim_start_matches('v').parse().unwrap_or_default();
        0.5 * worth[level] + 0.5 * bowl(&read(at, 2), 0)
    })
}
