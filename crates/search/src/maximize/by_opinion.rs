//! Every draw of θ searches on its own, and all of them judge what was found.
//!
//! A score that averages S draws costs S times one draw's. Most of it is spent on places that no draw wishes for. So the
//! random draws and the walkers are dealt out: each draw of θ scores its share of the candidates, walks from the best of
//! them and climbs from where its best walk ended, all by its own score. The ends, a few from every draw, are then
//! scored by the average, and the best of those are climbed from by the average. The cost hardly depends on S, and what
//! is proposed is wished for by the whole model.
use super::combined::EVALUATIONS;
use super::descend::polish;
use super::pool::CandidatePool;
use super::{Component, Gather, LocalSearch, Maximizer, PartContext, Region};
use crate::acquisition::{Utility, UtilitySlope};
use crate::error::{SearchError, at_least_one};
use arbora_space::{Configuration, Point, Points, Rng};
use serde::{Deserialize, Serialize};

/// Evaluated configurations that compete to be starts, the best by loss, dealt out over the draws of θ.
const VISITED: usize = 100;

/// Draws of θ that search: more of them find the same places. All of them judge.
const SEARCHERS: usize = 6;

/// Evaluations of the last climb, from where the climb by one draw has ended.
const LAST: usize = 15;

/// Local search and climbs by single draws of θ, then by all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ByOpinion {
    /// Random draws that compete to be starts, over all draws of θ.
    pub random: usize,
    /// Walkers, over all draws of θ; each has two at least.
    pub starts: usize,
    /// How many of the best ends are improved by the average.
    pub polished: usize,
}

impl Default for ByOpinion {
    fn default() -> Self {
        Self { random: 1000, starts: 12, polished: 2 }
    }
}

impl Component<dyn Maximizer> for ByOpinion {
    const KIND: &'static str = "by_opinion";

    fn build(&self, _context: PartContext<'_>) -> Result<Box<dyn Maximizer>, SearchError> {
        at_least_one("maximizer.random", self.random)?;
        Ok(Box::new(*self))
    }
}

/// The utility by one draw of θ.
struct Opinion<'a> {
    wish: &'a dyn Utility,
    index: usize,
}

impl Utility for Opinion<'_> {
    fn score(&self, at: &Points) -> Vec<f64> {
        self.wish.score_by(self.index, at)
    }

    fn slope(&self) -> Option<&dyn UtilitySlope> {
        self.wish.slope().is_some().then_some(self)
    }
}

impl UtilitySlope for Opinion<'_> {
    fn score_with_slope(&self, at: Point<'_>, columns: &[usize], slope: &mut [f64]) -> f64 {
        let known = self.wish.slope().expect("a slope is offered only where the utility has one");
        known.score_with_slope_by(self.index, at, columns, slope)
    }
}

impl Gather for ByOpinion {
    fn gather(
        &self,
        wish: &dyn Utility,
        within: &Region<'_>,
        pool: &mut CandidatePool,
        rng: &mut Rng,
    ) -> Result<(), SearchError> {
        let opinions = wish.opinions().max(1);
        let searchers = opinions.min(SEARCHERS);
        let search = LocalSearch {
            random: self.random.div_ceil(searchers),
            starts: self.starts.div_ceil(searchers).max(2),
        };
        let mut ends: Vec<Configuration> = Vec::new();
        for searcher in 0..searchers {
            // Spread over the chain: neighbours in it are alike.
            let opinion = Opinion { wish, index: (2 * searcher + 1) * opinions / (2 * searchers) };
            let dealt: Vec<&Configuration> =
                within.visited.iter().take(VISITED).skip(searcher).step_by(searchers).copied().collect();
            let region = Region { visited: &dealt, ..*within };
            let mut own = CandidatePool::default();
            let mut found = search.walk(&opinion, &region, &mut own, rng)?;
            found.truncate(1);
            polish(&found, EVALUATIONS, &opinion, &region, &mut own, rng);
            for (place, _) in own.best(3) {
                if !ends.contains(&place) {
                    ends.push(place);
                }
            }
        }
        let scores = within.score(wish, &ends);
        pool.add_all(ends, &scores);
        polish(&pool.best_places(self.polished), LAST, wish, within, pool, rng);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::History;
    use crate::unseen::Taken;
    use arbora_model::Interrupt;
    use arbora_space::{Encoding, Param, Space};

    /// −‖x − centre‖² around several centres, and the average.
    struct Bowls(Vec<[f64; 2]>);

    impl Bowls {
        fn at(&self, opinion: usize, x: &[f64]) -> f64 {
            -self.0[opinion].iter().zip(x).map(|(centre, x)| (x - centre).powi(2)).sum::<f64>()
        }

        fn average(&self, by: impl Fn(usize) -> f64) -> f64 {
            (0..self.0.len()).map(by).sum::<f64>() / self.0.len() as f64
        }
    }

    impl Utility for Bowls {
        fn score(&self, at: &Points) -> Vec<f64> {
            at.iter().map(|point| self.average(|i| self.at(i, point.x()))).collect()
        }

        fn opinions(&self) -> usize {
            self.0.len()
        }

        fn score_by(&self, opinion: usize, at: &Points) -> Vec<f64> {
            at.iter().map(|point| self.at(opinion, point.x())).collect()
        }

        fn slope(&self) -> Option<&dyn UtilitySlope> {
            Some(self)
        }
    }

    impl UtilitySlope for Bowls {
        fn score_with_slope(&self, at: Point<'_>, columns: &[usize], slope: &mut [f64]) -> f64 {
            for (slope, &c) in slope.iter_mut().zip(columns) {
                *slope = self.average(|i| 2.0 * (self.0[i][c] - at.x()[c]));
            }
            self.average(|i| self.at(i, at.x()))
        }

        fn score_with_slope_by(
            &self,
            opinion: usize,
            at: Point<'_>,
            columns: &[usize],
            slope: &mut [f64],
        ) -> f64 {
            for (slope, &c) in slope.iter_mut().zip(columns) {
                *slope = 2.0 * (self.0[opinion][c] - at.x()[c]);
            }
            self.at(opinion, at.x())
        }
    }

    #[test]
    fn opinions_search_apart_and_the_average_decides() {
        let space = Space::new([Param::real("x", 0.0, 1.0), Param::real("y", 0.0, 1.0)]).unwrap();
        let (history, encoding) = (History::new(), Encoding::default());
        let taken = Taken::of(&history, false);
        let region = Region {
            space: &space,
            encoding: &encoding,
            taken: &taken,
            visited: &[],
            interrupt: Interrupt::never(),
        };
        for count in [1_u8, 2, 5, 9] {
            let centre = |i: usize| [(i as f64 + 1.0) / (f64::from(count) + 1.0), 0.3];
            let wish = Bowls((0..usize::from(count)).map(centre).collect());
            let search = ByOpinion { random: 100, ..ByOpinion::default() };
            let found = search.maximize(&wish, &region, &mut Rng::new(4)).unwrap();
            let best = space.encode([&found[0].configuration], &encoding);
            // The average of the bowls is highest in the middle of their centres; an even number of them has none there.
            let place = best.row(0);
            assert!((place.x()[0] - 0.5).abs() < 1e-3, "{count}: {:?}", place.x());
            assert!((found[0].score - wish.score(&best)[0]).abs() < 1e-12, "scored by the average");
        }
    }
}
