//! Grid: every combination of a few values per parameter, in every branch, in random order.
//!
//! A real takes `steps` evenly spaced places of its scale, both ends included; integers and steps all their values or
//! `steps` of them; alternatives all. A parameter counts only where it is active, so a branch brings the grid of its
//! own parameters. What constraints forbid is left out. Listed once when it is built: O(size·width).
//!
//! Most of a grid is spent on parameters that do not matter [Bergstra & Bengio 2012]: two or three dimensions at
//! most. The order is shuffled, because the first rows of an ordered grid know one corner only.
use super::Design;
use crate::cube::{configuration_at, proposable_at};
use crate::error::SearchError;
use arbora_space::{Configuration, Domain, Rng, Space};

/// Longer lists are refused: nobody evaluates them, and they would not fit into memory gracefully.
const LONGEST: usize = 100_000;

/// All points of a grid.
pub struct Grid {
    points: Vec<Configuration>,
}

impl Grid {
    /// Lists the grid of `steps` values per number.
    pub fn new(space: &Space, steps: usize) -> Result<Self, SearchError> {
        if steps == 0 {
            let problem = "at least one value per parameter is needed";
            return Err(SearchError::BadSetting { setting: "steps", value: "0".into(), problem });
        }
        let levels: Vec<Vec<f64>> = space.parameters().iter().map(|p| places(p.domain(), steps)).collect();
        let mut at = vec![0; levels.len()];
        let mut points = Vec::new();
        for _ in 0..LONGEST {
            let place: Vec<f64> = levels.iter().zip(&at).map(|(levels, &i)| levels[i]).collect();
            points.extend(proposable_at(space, &place));
            if !advance(&mut at, &levels, &configuration_at(space, &place)) {
                return Ok(Self { points });
            }
        }
        let problem = "the grid has more than 100000 points; take fewer steps, or sobol";
        Err(SearchError::BadSetting { setting: "steps", value: steps.to_string(), problem })
    }

    /// How many points.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// True if the constraints leave none.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }
}

/// The next combination: the last active parameter that has a value left takes it, all after it start again.
fn advance(at: &mut [usize], levels: &[Vec<f64>], active: &Configuration) -> bool {
    let last = active.iter().map(|(id, _)| id.index()).filter(|&i| at[i] + 1 < levels[i].len()).last();
    let Some(last) = last else { return false };
    at[last] += 1;
    at[last + 1..].fill(0);
    true
}

/// Places of the values of one parameter on its edge of the cube, ascending.
fn places(domain: &Domain, steps: usize) -> Vec<f64> {
    let even = |count: usize| (0..count).map(move |i| (i as f64 + 0.5) / count as f64).collect();
    match domain {
        Domain::Labels(labels) if labels.is_ordered() => labels.offered().map(|i| labels.encode(i)).collect(),
        Domain::Labels(labels) => even(labels.offered().count()),
        Domain::Lattice(lattice) if lattice.count() <= steps as u64 => {
            (0..lattice.count()).map(|i| lattice.encode(i)).collect()
        }
        Domain::Real(real) if real.is_single() => vec![0.5],
        Domain::Lattice(_) | Domain::Real(_) => {
            let ends = |i: usize| if steps == 1 { 0.5 } else { i as f64 / (steps - 1) as f64 };
            let mut snapped: Vec<f64> = (0..steps).map(|i| domain.snap(ends(i))).collect();
            snapped.dedup();
            snapped
        }
    }
}

impl Design for Grid {
    fn point(&self, _: &Space, index: usize, seed: u64) -> Result<Option<Configuration>, SearchError> {
        let mut order: Vec<usize> = (0..self.points.len()).collect();
        Rng::for_trial(seed, u64::MAX).shuffle(&mut order);
        Ok(order.get(index).map(|&i| self.points[i].clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbora_space::{Param, SpaceSpec};
    use std::collections::HashSet;

    #[test]
    fn a_flat_grid_has_every_combination_with_both_ends() {
        // The grid of Lévesque 2018, chapter 3: ten by ten in log space.
        let space =
            Space::new([Param::real("C", 1e-5, 1e5).log(), Param::real("gamma", 1e-5, 1e5).log()]).unwrap();
        let grid = Grid::new(&space, 10).unwrap();
        assert_eq!(grid.len(), 100);
        let values: HashSet<String> =
            grid.points.iter().map(|c| space.value(c, "C").unwrap().to_string()).collect();
        assert_eq!(values.len(), 10);
        let has = |c: f64, g: f64| {
            grid.points.iter().any(|p| {
                let value = |name| space.value(p, name).and_then(|v| v.as_f64()).unwrap();
                value("C") == c && value("gamma") == g
            })
        };
        assert!(has(1e-5, 1e-5) && has(1e-5, 1e5) && has(1e5, 1e5));
    }

    #[test]
    fn every_branch_brings_its_own_grid() {
        let space = Space::new([
            Param::choice("model", ["svm", "forest", "bayes"]),
            Param::real("C", 0.0, 1.0).when("model == 'svm'"),
            Param::real("gamma", 0.0, 1.0).when("C > 0.6"),
            Param::integer("trees", 1, 100).when("model == 'forest'"),
            Param::integer("depth", 1, 3).when("model == 'forest'"),
        ])
        .unwrap();
        let grid = Grid::new(&space, 4).unwrap();
        // svm: C in {0, ⅓} alone, {⅔, 1} with four gammas each; forest: 4 × 3; bayes: 1.
        assert_eq!(grid.len(), 2 + 8 + 12 + 1);
        assert_eq!(grid.points.iter().collect::<HashSet<_>>().len(), grid.len());
        let shown: HashSet<_> = (0..grid.len()).map(|i| grid.point(&space, i, 5).unwrap().unwrap()).collect();
        assert_eq!(shown.len(), grid.len());
        assert_eq!(grid.point(&space, grid.len(), 5).unwrap(), None);
    }

    #[test]
    fn a_finite_grid_is_the_whole_space() {
        let spec = SpaceSpec::new([
            Param::choice("a", [1, 2, 3]),
            Param::integer("k", 1, 4).when("a != 2"),
            Param::ordinal("o", [1, 2, 4]),
        ]);
        let space = Space::new(spec.forbid("a == 3 and k > 2")).unwrap();
        let listed: HashSet<_> = space.enumerate().unwrap().map(Result::unwrap).collect();
        let grid: HashSet<_> = Grid::new(&space, 9).unwrap().points.into_iter().collect();
        assert_eq!(grid, listed);
    }

    #[test]
    fn what_nobody_could_evaluate_is_refused() {
        let wide: Vec<Param> = (0..9).map(|i| Param::real(format!("x{i}"), 0.0, 1.0)).collect();
        let error = Grid::new(&Space::new(wide).unwrap(), 10).err().unwrap();
        assert!(error.to_string().contains("take fewer steps"), "{error}");
    }
}
