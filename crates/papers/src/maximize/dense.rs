//! Points of the unit cube as candidates; shared by the box searches.
use arbora_search::Utility;
use arbora_search::maximize::{CandidatePool, Region};
use arbora_space::Configuration;

/// The columns that can vary, as a cube. Its points are encoded rows, as models see them, so that a
/// search can start at configurations that were tried: a coordinate becomes the category with the
/// nearest code.
pub(super) struct Cube {
    columns: Vec<usize>,
    width: usize,
}

impl Cube {
    pub(super) fn of(within: &Region<'_>) -> Self {
        let layout = within.space.layout();
        Self { columns: layout.varying().collect(), width: layout.width() }
    }

    /// Number of dimensions.
    pub(super) fn dimension(&self) -> usize {
        self.columns.len()
    }

    /// The point of a full row.
    pub(super) fn place(&self, row: &[f64]) -> Vec<f64> {
        self.columns.iter().map(|&column| row[column]).collect()
    }

    /// Scores the configurations of some points and adds them to the pool; −∞ if a constraint
    /// forbids one or there is no score. Configurations are not scored twice.
    pub(super) fn score(
        &self,
        places: &[Vec<f64>],
        wish: &dyn Utility,
        within: &Region<'_>,
        pool: &mut CandidatePool,
    ) -> Vec<f64> {
        let decoded: Vec<Option<Configuration>> =
            places.iter().map(|place| self.decode(place, within)).collect();
        let fresh: Vec<Configuration> =
            decoded.iter().flatten().filter(|c| pool.known(c).is_none()).cloned().collect();
        let scores = within.score(wish, &fresh);
        pool.add_all(fresh, &scores);
        let score = |c: &Option<Configuration>| c.as_ref().and_then(|c| pool.known(c));
        decoded.iter().map(|c| score(c).unwrap_or(f64::NEG_INFINITY)).collect()
    }

    /// The configuration at a point, if it may be proposed.
    fn decode(&self, place: &[f64], within: &Region<'_>) -> Option<Configuration> {
        let mut row = vec![0.5; self.width];
        for (&column, &x) in self.columns.iter().zip(place) {
            row[column] = x;
        }
        let decoded = within.space.decode_dense(&row);
        within.space.may_propose(&decoded).then_some(decoded)
    }
}
