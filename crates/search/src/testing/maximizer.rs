//! What every maximizer must keep.
use crate::acquisition::{Utility, UtilitySlope};
use crate::history::History;
use crate::maximize::{Candidate, Maximizer, Region};
use crate::memo::Memo;
use crate::trial::{Effort, Trial};
use crate::unseen::Taken;
use arbora_model::Interrupt;
use arbora_space::{Configuration, Encoding, Param, Point, Points, Rng, Space, SpaceSpec};
use std::collections::HashSet;

/// A known utility: −Σ(uᵢ − cᵢ)² over active numeric columns, plus a bonus per branch coordinate.
pub struct Bowl {
    /// c.
    pub centre: Vec<f64>,
}

impl Utility for Bowl {
    fn score(&self, at: &Points) -> Vec<f64> {
        let term =
            |p: Point<'_>| p.active().columns().map(|c| -(p.x()[c] - self.centre[c]).powi(2)).sum::<f64>();
        at.iter().map(term).collect()
    }

    fn slope(&self) -> Option<&dyn UtilitySlope> {
        Some(self)
    }
}

impl UtilitySlope for Bowl {
    fn score_with_slope(&self, at: Point<'_>, columns: &[usize], slope: &mut [f64]) -> f64 {
        for (s, &c) in slope.iter_mut().zip(columns) {
            *s = -2.0 * (at.x()[c] - self.centre[c]);
        }
        let mut alone = Points::new(at.x().len());
        alone.push(at);
        self.score(&alone)[0]
    }
}

/// What a maximizer finds in a space with this history, by a fixed seed.
///
/// # Panics
/// If it fails.
pub fn candidates(
    maximizer: &dyn Maximizer,
    wish: &dyn Utility,
    space: &Space,
    history: &History,
) -> Vec<Candidate> {
    let encoding = Encoding::default();
    let taken = Taken::of(history, false);
    let visited: Vec<&Configuration> = history.trials().iter().map(|t| &t.configuration).collect();
    let region = Region {
        space,
        encoding: &encoding,
        taken: &taken,
        visited: &visited,
        interrupt: Interrupt::never(),
    };
    maximizer.maximize(wish, &region, &mut Rng::new(4)).expect("the space is in order")
}

/// Nested conditions, a number that decides, constraints.
///
/// # Panics
/// Never: the space is in order.
pub fn mixed() -> Space {
    let spec = SpaceSpec::new([
        Param::choice("model", ["a", "b", "c"]),
        Param::real("x", 0.0, 1.0).when("model == 'a'"),
        Param::real("y", 1e-3, 1e3).log().when("model == 'a'"),
        Param::integer("k", 1, 50).when("model in ['b', 'c']"),
        Param::real("z", 0.0, 1.0),
        Param::real("w", 0.0, 1.0).when("z > 0.7"),
    ]);
    Space::new(spec.forbid("model == 'b' and k > 40").require("x < z")).expect("the space is in order")
}

/// Candidates are valid, snapped, each listed once, best first and not taken; the best of few configurations is found.
///
/// # Panics
/// If a law does not hold; the message begins with the name.
pub fn assert_maximizer_laws(name: &str, maximizer: &dyn Maximizer) {
    candidates_are_valid_fresh_ranked_and_listed_once(name, maximizer);
    an_enumerable_optimum_is_found(name, maximizer);
}

fn candidates_are_valid_fresh_ranked_and_listed_once(name: &str, maximizer: &dyn Maximizer) {
    let space = mixed();
    let mut history = History::new();
    let mut rng = Rng::new(1);
    for number in 0..30 {
        let configuration = space.sample(&mut rng).expect("the space has points");
        let trial = Trial::asked(number, configuration, Effort::Full, Memo::new());
        history.push(trial);
    }
    let wish = Bowl { centre: vec![0.5; 6] };
    let found = candidates(maximizer, &wish, &space, &history);
    assert!(!found.is_empty(), "{name}");
    let taken = Taken::of(&history, false);
    let mut seen = HashSet::new();
    for pair in found.windows(2) {
        assert!(pair[0].score >= pair[1].score, "{name}");
    }
    for candidate in &found {
        space.check(&candidate.configuration).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(!taken.contains(&candidate.configuration), "{name}");
        assert!(seen.insert(candidate.configuration.clone()), "{name}");
        let encoded = space.encode([&candidate.configuration], &Encoding::default());
        assert_eq!(wish.score(&encoded)[0], candidate.score, "{name}: scored unsnapped");
    }
}

fn an_enumerable_optimum_is_found(name: &str, maximizer: &dyn Maximizer) {
    let space = Space::new([
        Param::choice("model", ["a", "b", "c"]),
        Param::integer("i", 0, 9).when("model == 'a'"),
        Param::integer("j", 0, 9).when("model in ['a', 'b']"),
        Param::ordinal("o", [1, 2, 4, 8]),
    ])
    .expect("the space is in order");
    let wish = Bowl { centre: vec![0.0, 0.4, 0.8, 0.3] };
    let all: Vec<Configuration> = space
        .enumerate()
        .expect("the space is finite")
        .collect::<Result<_, _>>()
        .expect("it has no constraints");
    let best =
        wish.score(&space.encode(&all, &Encoding::default())).into_iter().fold(f64::NEG_INFINITY, f64::max);
    let found = candidates(maximizer, &wish, &space, &History::new());
    assert!((found[0].score - best).abs() < 1e-12, "{name}: {} instead of {best}", found[0].score);
}
