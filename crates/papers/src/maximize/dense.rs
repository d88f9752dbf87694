//! Places of the unit cube as candidates: what searchers of boxes share.
use arbora_search::Utility;
use arbora_search::maximize::{CandidatePool, Region};
use arbora_space::Configuration;

/// The columns that can vary, as a cube. Its places are encoded rows, as models see them, so that a search can begin at
/// configurations that were tried: a category is the code nearest to a coordinate.
pub(super) struct Cube {
    columns: Vec<usize>,
    width: usize,
}

impl Cube {
    pub(super) fn of(within: &Region<'_>) -> Self {
        let layout = within.space.layout();
        Self { columns: layout.varying().collect(), width: layout.width() }
    }

    /// Its dimension.
    pub(super) fn dimension(&self) -> usize {
        self.columns.len()
    }

    /// The place of a whole row.
    pub(super) fn place(&self, row: &[f64]) -> Vec<f64> {
        self.columns.iter().map(|&column| row[column]).collect()
    }

    /// Scores of the configurations that places stand for, which go to the pool; −∞ where a constraint forbids one or
    /// there is no score. What was scored before is not scored again.
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

    /// The configuration at a place, if it is on offer.
    fn decode(&self, place: &[f64], within: &Region<'_>) -> Option<Configuration> {
        let mut row = vec![0.5; self.width];
        for (&column, &x) in self.columns.iter().zip(place) {
            row[column] = x;
        }
        let decoded = within.space.decode_dense(&row);
        within.space.may_propose(&decoded).then_some(decoded)
    }
}
