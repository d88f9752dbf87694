//! L-BFGS on the active continuous coordinates of a branch, then snapped.
//!
//! A candidate's decisions and alternatives stay; its reals move, integers and grids are relaxed and snapped at the
//! end, a number that decides something stays inside the interval that keeps its decisions. Where a constraint
//! forbids the optimum, the last allowed point on the way from the start is taken. Last, one exchange of every
//! discrete parameter is tried, because rounding may have stepped over the best lattice point.
use super::pool::CandidatePool;
use super::{Component, Gather, Maximizer, PartContext, RandomCandidates, Region};
use crate::acquisition::{Utility, UtilitySlope};
use crate::error::{SearchError, at_least_one};
use arbora_model::descent::Descent;
use arbora_space::{Branching, Configuration, Domain, ParamId, Points, Reach, Rng, Value};
use serde::{Deserialize, Serialize};

/// Halvings of the way back from a forbidden optimum.
const HALVINGS: usize = 20;

/// Evaluations per start, where nothing else has looked before.
pub(super) const EVALUATIONS: usize = 40;

/// Gradient ascent from the best of many random draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Descend {
    /// Random draws that compete to be starts and candidates.
    pub random: usize,
    /// How many of the best are improved.
    pub starts: usize,
}

impl Default for Descend {
    fn default() -> Self {
        Self { random: 1000, starts: 20 }
    }
}

impl Component<dyn Maximizer> for Descend {
    const KIND: &'static str = "descent";

    fn build(&self, _context: PartContext<'_>) -> Result<Box<dyn Maximizer>, SearchError> {
        at_least_one("maximizer.random", self.random)?;
        Ok(Box::new(*self))
    }
}

impl Gather for Descend {
    fn gather(
        &self,
        wish: &dyn Utility,
        within: &Region<'_>,
        pool: &mut CandidatePool,
        rng: &mut Rng,
    ) -> Result<(), SearchError> {
        RandomCandidates { count: self.random }.gather(wish, within, pool, rng)?;
        let visited: Vec<Configuration> =
            within.visited.iter().take(self.starts).map(|c| (*c).clone()).collect();
        let scores = within.score(wish, &visited);
        pool.add_all(visited, &scores);
        polish(&pool.best_places(self.starts), EVALUATIONS, wish, within, pool, rng);
        Ok(())
    }
}

/// Improves some places; a utility without slope leaves them as they are.
pub(super) fn polish(
    starts: &[Configuration],
    evaluations: usize,
    wish: &dyn Utility,
    within: &Region<'_>,
    pool: &mut CandidatePool,
    rng: &mut Rng,
) {
    let Some(slope) = wish.slope() else { return };
    let mut found = Vec::new();
    for start in starts {
        if within.interrupt.is_raised() {
            return;
        }
        if let Some(better) = climb(start, evaluations, slope, within) {
            found.push(better);
        }
    }
    let scores = within.score(wish, &found);
    let mut ends: Vec<(Configuration, f64)> = found.iter().cloned().zip(scores.iter().copied()).collect();
    pool.add_all(found, &scores);
    ends.sort_by(|a, b| b.1.total_cmp(&a.1));
    let swept: Vec<Configuration> = ends
        .iter()
        .take(3)
        .flat_map(|(end, _)| discrete_neighbours(end, within, rng))
        .filter(|c| pool.known(c).is_none())
        .collect();
    let scores = within.score(wish, &swept);
    pool.add_all(swept, &scores);
}

/// The coordinates that may move and where.
struct Room {
    ids: Vec<ParamId>,
    columns: Vec<usize>,
    bounds: Vec<(f64, f64)>,
}

fn room(at: &Configuration, within: &Region<'_>) -> Room {
    let mut room = Room { ids: Vec::new(), columns: Vec::new(), bounds: Vec::new() };
    for (id, _) in at.iter() {
        let domain = within.space.parameter(id).domain();
        if matches!(domain, Domain::Labels(_)) || domain.levels() == Some(1) {
            continue;
        }
        let (low, high) = within.space.branch_bounds(at, id);
        if low < high {
            room.ids.push(id);
            room.columns.push(id.index());
            room.bounds.push((low, high));
        }
    }
    room
}

fn climb(
    start: &Configuration,
    evaluations: usize,
    slope: &dyn UtilitySlope,
    within: &Region<'_>,
) -> Option<Configuration> {
    let room = room(start, within);
    if room.ids.is_empty() {
        return None;
    }
    let anchor = within.encode(std::slice::from_ref(start));
    let row = anchor.row(0);
    let from: Vec<f64> = room.columns.iter().map(|&c| row.x()[c]).collect();
    let mut moved = Points::new(anchor.width());
    let lowest =
        Descent { evaluations, ..Descent::default() }.minimize(&room.bounds, &from, |x, gradient| {
            if within.interrupt.is_raised() {
                gradient.fill(0.0);
                return f64::INFINITY;
            }
            moved.clear();
            moved.push_moved(row, &room.columns, x);
            let score = slope.score_with_slope(moved.row(0), &room.columns, gradient);
            for g in gradient.iter_mut() {
                *g = -*g;
            }
            -score
        });
    allowed(start, &room, &from, &lowest.point, within).filter(|end| end != start)
}

/// The end of the climb, or the last allowed point before it.
fn allowed(
    start: &Configuration,
    room: &Room,
    from: &[f64],
    to: &[f64],
    within: &Region<'_>,
) -> Option<Configuration> {
    let branch = within.space.branch(start, Branching::Literal);
    let mut share = 1.0;
    for _ in 0..HALVINGS {
        let values: Vec<(ParamId, Value)> = (0..room.ids.len())
            .map(|i| {
                let domain = within.space.parameter(room.ids[i]).domain();
                (room.ids[i], domain.decode(from[i] + share * (to[i] - from[i])))
            })
            .collect();
        let end = within.space.moved(start, &values);
        if within.space.branch(&end, Branching::Literal) == branch && within.space.violated(&end).is_none() {
            return Some(end);
        }
        share *= 0.5;
    }
    None
}

/// Neighbours that differ in a discrete parameter.
fn discrete_neighbours(of: &Configuration, within: &Region<'_>, rng: &mut Rng) -> Vec<Configuration> {
    let is_real = |id: ParamId| matches!(within.space.parameter(id).domain(), Domain::Real(_));
    let mut found = within.space.neighbours(of, Reach::Step(0.05), rng);
    found.retain(|c| of.iter().all(|(id, value)| !is_real(id) || c.get(id).is_none_or(|v| v == value)));
    found
}
