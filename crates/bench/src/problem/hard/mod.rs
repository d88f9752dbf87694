//! Problems on which a search gets stuck, or is misled: what a default must survive.
//!
//! A model that shares what it learns between branches gives a branch up after one bad point. These
//! problems provoke that, and other ways to go wrong, one at a time. Every optimum is 0, and the best
//! value of a number is never the middle of its range, which would flatter whoever imputes the middle.
mod flat;
mod needle;
mod pipeline;
mod uncertain;

use super::Problem;

/// The names of all of them.
pub(super) fn names() -> Vec<String> {
    let needles = needle::Needle::all().into_iter().map(|needle| needle.name());
    let others = flat::NAMES.iter().chain(&uncertain::NAMES).chain(&pipeline::NAMES);
    needles.chain(others.map(|name| (*name).to_owned())).collect()
}

/// One of them.
pub(super) fn by_name(name: &str) -> Option<Problem> {
    let needle = needle::Needle::all().into_iter().find(|needle| needle.name() == name);
    needle
        .map(needle::needle)
        .or_else(|| flat::by_name(name))
        .or_else(|| uncertain::by_name(name))
        .or_else(|| pipeline::by_name(name))
}

/// Where the best value of the `i`-th number lies in [0, 1]: never in the middle, never at an end.
fn place(i: usize) -> f64 {
    0.5 + 0.35 * libm::sin(2.0 + 1.7 * i as f64)
}

/// The mean of (uᵢ − sᵢ)², at most 1.
fn bowl(values: &[f64], first: usize) -> f64 {
    let far = values.iter().enumerate().map(|(i, u)| (u - place(first + i)).powi(2));
    far.sum::<f64>() / values.len() as f64
}

/// 1 outside a box of half-width `radius` around the places, falling to 0 at its centre.
fn hole(values: &[f64], first: usize, radius: f64) -> f64 {
    let far = values.iter().enumerate().map(|(i, u)| ((u - place(first + i)) / radius).abs());
    far.fold(0.0, f64::max).min(1.0).powi(2)
}

#[cfg(test)]
mod tests;
