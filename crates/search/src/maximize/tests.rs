use super::*;
use crate::acquisition::{BranchUtility, UtilitySlope};
use crate::history::History;
use crate::testing::{Bowl, assert_maximizer_laws, candidates as run, mixed};
use arbora_model::Interrupt;
use arbora_space::{Param, Point, SpaceSpec, Value};
use std::collections::HashSet;

fn maximizers() -> Vec<(&'static str, Box<dyn Maximizer>)> {
    let random = RandomCandidates { count: 5000 };
    let search = LocalSearch { random: 200, ..LocalSearch::default() };
    vec![
        ("random", Box::new(random)),
        ("local", Box::new(search)),
        ("descend", Box::new(Descend { random: 200, ..Descend::default() })),
        ("combined", Box::new(Combined { random: 200, ..Combined::default() })),
        ("by opinion", Box::new(ByOpinion { random: 200, ..ByOpinion::default() })),
        ("branch first", Box::new(branch_first(None, true))),
        ("cma", Box::new(Cma { per_dimension: 600 })),
        ("sobol_anchors", Box::new(SobolAnchors { points: 3000, ..SobolAnchors::default() })),
        ("listed", Box::new(Listed { at_most: 10_000, otherwise: Box::new(search) })),
    ]
}

fn branch_first(branches: Option<usize>, reopen: bool) -> BranchFirst {
    BranchFirst { branches, reopen, random: 400, ..BranchFirst::default() }
}

#[test]
fn every_maximizer_keeps_the_laws() {
    for (name, maximizer) in maximizers() {
        assert_maximizer_laws(name, maximizer.as_ref());
    }
}

#[test]
fn descent_reaches_the_last_digits_inside_a_branch() {
    let space = Space::new([
        Param::choice("model", ["a", "b"]),
        Param::real("x", -1.0, 1.0).when("model == 'a'"),
        Param::real("y", 1e-3, 1e3).log().when("model == 'a'"),
    ])
    .unwrap();
    let wish = Bowl { centre: vec![0.0, 0.31, 0.77] };
    let found = run(&Combined::default(), &wish, &space, &History::new());
    assert!(found[0].score > -1e-10, "{}", found[0].score);
    assert_eq!(space.value(&found[0].configuration, "model"), Some(Value::from("a")));
}

#[test]
fn a_number_that_decides_stays_in_its_interval() {
    let space = Space::new([Param::real("z", 0.0, 1.0), Param::real("w", 0.0, 1.0).when("z > 0.7")]).unwrap();
    // The best place for z is below the threshold, where w does not exist: w's term pulls nobody across.
    let found = run(&Combined::default(), &Bowl { centre: vec![0.9, 0.2] }, &space, &History::new());
    let value = |name| space.value(&found[0].configuration, name).and_then(|v| v.as_f64());
    assert!((value("z").unwrap() - 0.9).abs() < 1e-5 && (value("w").unwrap() - 0.2).abs() < 1e-5);
}

#[test]
fn a_forbidden_optimum_is_approached_from_the_allowed_side() {
    let spec = SpaceSpec::new([Param::real("x", 0.0, 1.0), Param::real("y", 0.0, 1.0)]).require("x + y <= 1");
    let space = Space::new(spec).unwrap();
    let found = run(&Combined::default(), &Bowl { centre: vec![0.9, 0.9] }, &space, &History::new());
    space.check(&found[0].configuration).unwrap();
    // The best allowed point is (½, ½) at −0.32.
    assert!(found[0].score > -0.36, "{}", found[0].score);
}

/// A bowl whose paths are wished for as far as `z`, which all branches share, is near 0.25; in `favourite` by one more.
struct Signposted {
    bowl: Bowl,
    favourite: f64,
    /// What paths depend on: `z`, or nothing.
    columns: Vec<usize>,
}

impl Utility for Signposted {
    fn score(&self, at: &Points) -> Vec<f64> {
        self.bowl.score(at)
    }

    fn branches(&self) -> Option<&dyn BranchUtility> {
        Some(self)
    }

    fn slope(&self) -> Option<&dyn UtilitySlope> {
        self.bowl.slope()
    }
}

impl BranchUtility for Signposted {
    fn columns(&self) -> &[usize] {
        &self.columns
    }

    fn score(&self, at: &Points) -> Vec<f64> {
        at.iter().map(|point| self.score_with_slope(point, &[], &mut [])).collect()
    }

    fn score_average(&self, over: &Points) -> f64 {
        let scores = BranchUtility::score(self, over);
        scores.iter().sum::<f64>() / scores.len() as f64
    }

    fn score_with_slope(&self, at: Point<'_>, columns: &[usize], slope: &mut [f64]) -> f64 {
        let (x, sees_z) = (at.x(), f64::from(u8::from(self.columns.contains(&1))));
        for (slope, column) in slope.iter_mut().zip(columns) {
            *slope = if *column == 1 { -2.0 * sees_z * (x[1] - 0.25) } else { 0.0 };
        }
        let bonus = f64::from(u8::from((x[0] - self.favourite).abs() < 1e-9));
        bonus - sees_z * (x[1] - 0.25).powi(2)
    }
}

#[test]
fn the_wished_for_branch_is_searched_and_its_shared_values_held() {
    let space = Space::new([
        Param::choice("model", ["a", "b", "c"]),
        Param::real("z", 0.0, 1.0),
        Param::real("x", 0.0, 1.0).when("model == 'a'"),
        Param::real("y", 0.0, 1.0).when("model == 'b'"),
        Param::real("w", 0.0, 1.0).when("model == 'c'"),
    ])
    .unwrap();
    let b = space.encode([&space.canonical([("model", "b".into())]).unwrap()], &Encoding::default());
    let favourite = b.row(0).x()[0];
    // The bowl itself prefers z at 0.9, and branch b for nothing.
    let signposted = |columns: Vec<usize>| Signposted {
        bowl: Bowl { centre: vec![favourite, 0.9, 0.5, 0.5, 0.5] },
        favourite,
        columns,
    };
    let value = |found: &Candidate, name| space.value(&found.configuration, name).unwrap();
    // What the path does not depend on is searched with the rest; what it does is found beyond the draws, and held.
    for (reopen, columns, wanted) in
        [(false, vec![1], 0.25), (true, vec![1], 0.9), (false, vec![], 0.9), (true, vec![], 0.9)]
    {
        let wish = signposted(columns);
        let found = run(&branch_first(Some(1), reopen), &wish, &space, &History::new());
        assert!(found.iter().all(|one| value(one, "model") == Value::from("b")), "one branch was asked for");
        let z = value(&found[0], "z").as_f64().unwrap();
        assert!((z - wanted).abs() < 1e-4, "{reopen}: {z}");
        assert!((value(&found[0], "y").as_f64().unwrap() - 0.5).abs() < 1e-4, "the rest is searched");
    }
    // Judged by averages, nothing is held.
    let by_average = BranchFirst { rule: BranchRule::Average, ..branch_first(Some(1), false) };
    let found = run(&by_average, &signposted(vec![1]), &space, &History::new());
    assert!(found.iter().all(|one| value(one, "model") == Value::from("b")));
    assert!((value(&found[0], "z").as_f64().unwrap() - 0.9).abs() < 1e-4);
    let everywhere = run(&branch_first(None, false), &signposted(vec![1]), &space, &History::new());
    let models: HashSet<String> = everywhere.iter().map(|one| value(one, "model").to_string()).collect();
    assert_eq!(models.len(), 3);
}

/// A bowl whose rough score is right about the order only, and which remembers how much it was asked.
struct Sketched {
    bowl: Bowl,
    scored: std::sync::atomic::AtomicUsize,
}

impl Utility for Sketched {
    fn score(&self, at: &Points) -> Vec<f64> {
        self.scored.fetch_add(at.len(), std::sync::atomic::Ordering::Relaxed);
        self.bowl.score(at)
    }

    fn rough_score(&self, at: &Points) -> Option<Vec<f64>> {
        Some(self.bowl.score(at).iter().map(|score| 100.0 + 3.0 * score).collect())
    }
}

#[test]
fn a_rough_score_chooses_whom_to_score_and_never_stands_in_for_it() {
    let space = mixed();
    let plain = Bowl { centre: vec![0.5; 6] };
    let sketched = Sketched { bowl: Bowl { centre: vec![0.5; 6] }, scored: 0.into() };
    let encoding = Encoding::default();
    let history = History::new();
    let taken = Taken::of(&history, false);
    let region = Region {
        space: &space,
        encoding: &encoding,
        taken: &taken,
        visited: &[],
        interrupt: Interrupt::never(),
    };
    let gathered = |wish: &dyn Utility| {
        let mut pool = CandidatePool::default();
        RandomCandidates { count: 1000 }
            .gather_promising(wish, &region, &mut pool, &mut Rng::new(8))
            .unwrap();
        pool.best(100)
    };
    assert_eq!(gathered(&sketched), gathered(&plain), "the order was right, so are the hundred best");
    assert_eq!(sketched.scored.into_inner(), 100);
}

#[test]
fn walks_end_each_once_the_best_first() {
    let space = mixed();
    let wish = Bowl { centre: vec![0.5; 6] };
    let encoding = Encoding::default();
    let history = History::new();
    let taken = Taken::of(&history, false);
    let region = Region {
        space: &space,
        encoding: &encoding,
        taken: &taken,
        visited: &[],
        interrupt: Interrupt::never(),
    };
    let mut pool = CandidatePool::default();
    let ends = LocalSearch::default().walk(&wish, &region, &mut pool, &mut Rng::new(9)).unwrap();
    let scores = region.score(&wish, &ends);
    assert!((2..=10).contains(&ends.len()), "{}", ends.len());
    assert!(scores.windows(2).all(|pair| pair[0] >= pair[1]), "{scores:?}");
    assert_eq!(ends.iter().collect::<HashSet<_>>().len(), ends.len());
    assert_eq!(pool.best(1)[0].1, scores[0], "the best place met is where a walk ended");
}
