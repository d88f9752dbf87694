//! Differential evolution  [Storn & Price 1997], as Zaefferer & Horn 2018 use it to maximise
//! expected improvement.
//!
//! 10·d members; the challenger of each is v = x + F·(best − x) + F·(a − b), where a and b are two
//! other members. Each coordinate of v is taken with probability CR, and at least one always
//! ("local to best/1/bin", F = 0.8, CR = 0.5: the defaults of `DEoptim`); the better of the two
//! stays. A coordinate that leaves the cube is redrawn. Works on points of the unit cube, so that
//! decisions evolve like numbers; the first members are draws from the priors. Stops when the
//! budget is used up, or when all members score the same.
//!
//! Takes thousands of evaluations: for cheap models of few points. If the utility has gradients,
//! `combined` needs a tenth.
use super::dense::Cube;
use arbora_search::component::{Component, PartContext};
use arbora_search::maximize::{CandidatePool, Gather, RandomCandidates, Region};
use arbora_search::{Maximizer, SearchError, Utility};
use arbora_space::{Branching, Points, Rng};
use serde::{Deserialize, Serialize};

/// Members per dimension.
const MEMBERS: usize = 10;
/// F: how strongly differences move a member.
const FACTOR: f64 = 0.8;
/// CR: the probability of taking a new coordinate.
const CROSSOVER: f64 = 0.5;
/// If scores differ by less than this fraction, the population has collapsed.
const COLLAPSED: f64 = 1e-12;

/// Differential evolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DifferentialEvolution {
    /// Maximum evaluations of the utility.
    pub evaluations: usize,
}

impl Default for DifferentialEvolution {
    fn default() -> Self {
        Self { evaluations: 10_000 }
    }
}

impl Component<dyn Maximizer> for DifferentialEvolution {
    const KIND: &'static str = "differential_evolution";

    fn build(&self, _context: PartContext<'_>) -> Result<Box<dyn Maximizer>, SearchError> {
        super::at_least_one("maximizer.evaluations", self.evaluations)?;
        Ok(Box::new(*self))
    }
}

impl Gather for DifferentialEvolution {
    fn gather(
        &self,
        wish: &dyn Utility,
        within: &Region<'_>,
        pool: &mut CandidatePool,
        rng: &mut Rng,
    ) -> Result<(), SearchError> {
        let cube = Cube::of(within);
        if cube.dimension() == 0 {
            return RandomCandidates { count: 1 }.gather(wish, within, pool, rng);
        }
        let size = (MEMBERS * cube.dimension()).min(self.evaluations).max(4);
        let mut places = first_members(size, &cube, within, rng)?;
        let mut scores = cube.score(&places, wish, within, pool);
        let mut spent = size;
        while spent + size <= self.evaluations && !is_collapsed(&scores) && !within.interrupt.is_raised() {
            let challengers = challengers(&places, &scores, rng);
            let challenged = cube.score(&challengers, wish, within, pool);
            spent += size;
            for (i, (place, score)) in challengers.into_iter().zip(challenged).enumerate() {
                if score >= scores[i] {
                    (places[i], scores[i]) = (place, score);
                }
            }
        }
        Ok(())
    }
}

/// Draws from the priors; coordinates of inactive parameters are uniform.
fn first_members(
    size: usize,
    cube: &Cube,
    within: &Region<'_>,
    rng: &mut Rng,
) -> Result<Vec<Vec<f64>>, SearchError> {
    let width = within.space.layout().width();
    let mut rows = Points::new(width);
    for _ in 0..size {
        let dense: Vec<f64> = (0..width).map(|_| rng.unit()).collect();
        let drawn = within.space.sample(rng)?;
        within.space.encode_row(&drawn, &dense, Branching::Literal, &mut rows);
    }
    Ok(rows.iter().map(|row| cube.place(row.x())).collect())
}

fn is_collapsed(scores: &[f64]) -> bool {
    let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let worst = scores.iter().copied().fold(f64::INFINITY, f64::min);
    best == worst || best - worst <= COLLAPSED * best.abs()
}

/// One challenger per member.
fn challengers(places: &[Vec<f64>], scores: &[f64], rng: &mut Rng) -> Vec<Vec<f64>> {
    let better = |best: usize, i: usize| if scores[i] > scores[best] { i } else { best };
    let best = (0..places.len()).fold(0, better);
    let mut challengers = Vec::with_capacity(places.len());
    for (i, place) in places.iter().enumerate() {
        let a = other(&[i], places.len(), rng);
        let b = other(&[i, a], places.len(), rng);
        let always = rng.below(place.len());
        let coordinate = |(c, &x): (usize, &f64)| {
            if c != always && rng.unit() >= CROSSOVER {
                return x;
            }
            let moved = x + FACTOR * (places[best][c] - x) + FACTOR * (places[a][c] - places[b][c]);
            if (0.0..=1.0).contains(&moved) { moved } else { rng.unit() }
        };
        challengers.push(place.iter().enumerate().map(coordinate).collect());
    }
    challengers
}

/// A random member other than these.
fn other(not: &[usize], size: usize, rng: &mut Rng) -> usize {
    loop {
        let drawn = rng.below(size);
        if !not.contains(&drawn) {
            return drawn;
        }
    }
}
