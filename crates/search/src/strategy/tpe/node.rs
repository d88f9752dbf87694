//! One parameter: what its good values and its other values look like.
use crate::believed;
use arbora_model::parzen::{CategoryDensity, NumberDensity};
use arbora_space::domain::Lattice;
use arbora_space::{Configuration, Domain, ParamId, Parameter, Rng};

/// The densities l and g of one parameter, over codes of its column.
pub(super) struct Node<'s> {
    domain: &'s Domain,
    belief: Belief,
}

enum Belief {
    Numbers { good: NumberDensity, bad: NumberDensity },
    Categories { good: CategoryDensity, bad: CategoryDensity },
}

impl<'s> Node<'s> {
    /// From the configurations in which the parameter is active.
    pub(super) fn new(
        parameter: &'s Parameter,
        id: ParamId,
        good: &[&Configuration],
        bad: &[&Configuration],
    ) -> Self {
        let domain = parameter.domain();
        let belief = match domain {
            Domain::Labels(labels) if !labels.is_ordered() => {
                let masses = believed::masses(parameter);
                let of = |configurations: &[&Configuration]| {
                    let positions = configurations.iter().filter_map(|c| labels.index_of(c.get(id)?));
                    let offered: Vec<usize> = positions.filter(|&i| !labels.is_retired(i)).collect();
                    CategoryDensity::new(&offered, &masses)
                };
                Belief::Categories { good: of(good), bad: of(bad) }
            }
            _ => {
                let prior = believed::unit_normal(parameter);
                let of = |configurations: &[&Configuration]| {
                    let places: Vec<f64> =
                        configurations.iter().filter_map(|c| c.get(id)).map(|v| domain.encode(v)).collect();
                    NumberDensity::new(&places, prior)
                };
                Belief::Numbers { good: of(good), bad: of(bad) }
            }
        };
        Self { domain, belief }
    }

    /// A code drawn from l.
    pub(super) fn draw(&self, rng: &mut Rng) -> f64 {
        match (&self.belief, self.domain) {
            (Belief::Categories { good, .. }, Domain::Labels(labels)) => labels.encode(good.draw(rng)),
            (Belief::Numbers { good, .. }, _) => self.domain.snap(good.draw(rng)),
            (Belief::Categories { .. }, _) => unreachable!("categories belong to labels"),
        }
    }

    /// ln l − ln g of a code; masses of cells where values are quantised.
    pub(super) fn score(&self, code: f64) -> f64 {
        match (&self.belief, self.domain) {
            (Belief::Categories { good, bad }, Domain::Labels(labels)) => {
                let i = labels.decode(code);
                good.ln_mass(i) - bad.ln_mass(i)
            }
            (Belief::Numbers { good, bad }, domain) => match cell(domain, code) {
                Some(cell) => good.ln_mass(cell) - bad.ln_mass(cell),
                None => good.ln_density(code) - bad.ln_density(code),
            },
            (Belief::Categories { .. }, _) => unreachable!("categories belong to labels"),
        }
    }
}

/// The places that snap to the same value; `None` for reals.
fn cell(domain: &Domain, code: f64) -> Option<(f64, f64)> {
    let even = |i: f64, n: f64| (i / n, (i + 1.0) / n);
    match domain {
        Domain::Real(real) => real.is_single().then_some((0.0, 1.0)),
        Domain::Labels(labels) => Some(even(labels.decode(code) as f64, labels.len() as f64)),
        Domain::Lattice(lattice) if !lattice.is_log() => {
            Some(even(lattice.decode(code) as f64, lattice.count() as f64))
        }
        Domain::Lattice(lattice) => Some(log_cell(lattice, lattice.decode(code))),
    }
}

/// Neighbours meet half a step from each on the scale of values; the ends of the interval belong to the ends.
fn log_cell(lattice: &Lattice, i: u64) -> (f64, f64) {
    let last = lattice.count() - 1;
    if last == 0 {
        return (0.0, 1.0);
    }
    let ln = |i: u64| libm::log(lattice.number(i));
    let per = (lattice.encode(last) - lattice.encode(0)) / (ln(last) - ln(0));
    let edge = |x: f64| (lattice.encode(0) + per * (libm::log(x) - ln(0))).clamp(0.0, 1.0);
    let half = lattice.step() / 2.0;
    let low = if i == 0 { 0.0 } else { edge(lattice.number(i) - half) };
    let high = if i == last { 1.0 } else { edge(lattice.number(i) + half) };
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbora_space::{Param, Space};

    fn space() -> Space {
        Space::new([
            Param::integer("k", 1, 200).log(),
            Param::integer("i", 0, 6),
            Param::ordinal("o", [1, 2, 4]),
            Param::choice("c", ["a", "b"]),
            Param::real("x", 0.0, 1.0).when("c == 'a'"),
        ])
        .unwrap()
    }

    #[test]
    fn cells_fill_the_interval_and_hold_what_snaps_to_them() {
        let space = space();
        for parameter in &space.parameters()[..3] {
            let domain = parameter.domain();
            let levels = domain.levels().unwrap();
            let cells: Vec<(f64, f64)> =
                (0..levels).map(|i| cell(domain, domain.encode(&domain.level(i))).unwrap()).collect();
            assert_eq!((cells[0].0, cells[cells.len() - 1].1), (0.0, 1.0), "{}", parameter.name());
            for (i, pair) in cells.windows(2).enumerate() {
                assert!((pair[0].1 - pair[1].0).abs() < 1e-12);
                let inside = |share: f64| pair[0].0 + share * (pair[0].1 - pair[0].0);
                for share in [0.01, 0.5, 0.99] {
                    assert_eq!(domain.decode(inside(share)), domain.level(i as u64), "{}", parameter.name());
                }
            }
        }
    }

    #[test]
    fn only_trials_in_which_it_was_active_count() {
        let space = space();
        let mut rng = Rng::new(3);
        let drawn: Vec<Configuration> = (0..60).map(|_| space.sample(&mut rng).unwrap()).collect();
        let x = space.id("x").unwrap();
        let all: Vec<&Configuration> = drawn.iter().collect();
        let active: Vec<&Configuration> = all.iter().copied().filter(|c| c.is_active(x)).collect();
        assert!(active.len() < all.len());
        let score = |good: &[&Configuration], bad: &[&Configuration]| {
            Node::new(space.parameter(x), x, good, bad).score(0.3)
        };
        assert_eq!(score(&all[..10], &all[10..]).to_bits(), {
            let good: Vec<&Configuration> = all[..10].iter().copied().filter(|c| c.is_active(x)).collect();
            let bad: Vec<&Configuration> = all[10..].iter().copied().filter(|c| c.is_active(x)).collect();
            score(&good, &bad).to_bits()
        });
    }
}
