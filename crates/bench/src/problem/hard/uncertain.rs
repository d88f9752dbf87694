//! Losses that cannot be taken at their word: heavy noise, branches of unequal noise, failures.
use super::super::{Problem, Reading};
use super::bowl;
use arbora_space::{Param, Space};

pub(super) const NAMES: [&str; 3] = ["noisy", "noisy-branches", "failing-branch"];

pub(super) fn by_name(name: &str) -> Option<Problem> {
    match name {
        "noisy" => Some(noisy()),
        "noisy-branches" => Some(noisy_branches()),
        "failing-branch" => Some(failing()),
        _ => None,
    }
}

/// Six numbers, noise as large as what they make of the loss.
fn noisy() -> Problem {
    let params = (0..6).map(|i| Param::real(format!("x{i}"), 0.0, 1.0));
    let space = Space::new(params).expect("a box is a space");
    let loss = |at: &Reading<'_>| {
        let x: [f64; 6] = std::array::from_fn(|i| at.number(&format!("x{i}")));
        bowl(&x, 0)
    };
    Problem::new("noisy", space, 0.0, loss).with_noise(|_| 0.1)
}

fn branches(numbers: usize) -> Space {
    let mut params = vec![Param::choice("branch", (0..4).map(|b| format!("b{b}")))];
    for branch in 0..4 {
        let all = (0..numbers).map(|i| Param::real(format!("b{branch}.x{i}"), 0.0, 1.0));
        params.extend(all.map(|param| param.when(format!("branch == 'b{branch}'"))));
    }
    Space::new(params).expect("a choice of branches is a space")
}

/// The active branch and its numbers.
fn active(at: &Reading<'_>) -> (usize, [f64; 3]) {
    let name = |branch: usize| format!("b{branch}.x0");
    let branch = (0..4).find(|branch| at.number_if_active(&name(*branch)).is_some());
    let branch = branch.expect("one branch is active");
    (branch, std::array::from_fn(|i| at.number(&format!("b{branch}.x{i}"))))
}

/// The branch with the optimum hardly varies; the next best one is ten times as noisy.
fn noisy_branches() -> Problem {
    let loss = |at: &Reading<'_>| {
        let (branch, x) = active(at);
        0.1 * ((branch + 2) % 4) as f64 + 0.5 * bowl(&x, branch)
    };
    let noise = |at: &Reading<'_>| if active(at).0 == 3 { 0.2 } else { 0.02 };
    Problem::new("noisy-branches", branches(3), 0.0, loss).with_noise(noise)
}

/// Half of the best branch fails.
fn failing() -> Problem {
    Problem::new("failing-branch", branches(3), 0.0, |at: &Reading<'_>| {
        let (branch, x) = active(at);
        if branch == 2 && (x[0] - 0.5) * (super::place(branch) - 0.5) < 0.0 {
            return f64::NAN;
        }
        0.2 * ((branch + 2) % 4) as f64 + 0.5 * bowl(&x, branch)
    })
}
