use super::complete::{Failure, Query};
use crate::configuration::Configuration;
use crate::error::SpaceError;
use crate::rng::Rng;
use crate::space::Space;
use crate::spec::{Param, SpaceSpec};

/// Checks that all samples of a tightly constrained space are valid.
fn samples(spec: SpaceSpec) -> Space {
    let space = Space::new(spec).unwrap();
    let mut rng = Rng::new(11);
    for _ in 0..20 {
        let found = super::sample(&space, &mut rng).unwrap();
        assert_eq!(space.check(&found), Ok(()));
    }
    space
}

fn real(name: &str, low: f64, high: f64) -> Param {
    Param::real(name, low, high)
}

#[test]
fn thin_relations_between_numbers() {
    samples(SpaceSpec::new([real("a", 0.0, 1e6), real("b", 0.0, 1.0)]).require("a < b"));
    samples(SpaceSpec::new([real("a", 0.0, 1e6), real("b", 0.0, 1e6)]).require("a * b <= 10"));
    samples(
        SpaceSpec::new([real("a", 0.0, 1.0), real("b", 0.0, 1.0), real("c", 0.0, 1.0)])
            .require("a + b + c <= 0.001"),
    );
    samples(SpaceSpec::new([real("x", 0.0, 1.0)]).require("abs(x - 0.5) < 1e-6"));
    samples(SpaceSpec::new([real("x", 0.0, 1.0), real("y", 0.0, 1.0)]).require("(x - y) * (x - y) < 1e-9"));
    samples(SpaceSpec::new([real("a", 0.0, 1.0), real("b", 0.0, 1.0)]).require("a / b < 0.0001"));
    samples(SpaceSpec::new([real("a", 0.0, 1.0), real("b", 0.0, 1.0)]).require("a + b == 1"));
    samples(SpaceSpec::new([real("a", 1.0, 9.0), real("b", 1.0, 9.0)]).require("log(a) + sqrt(b) > 5.19"));
    samples(
        SpaceSpec::new([real("a", -9.0, 9.0), real("b", -9.0, 9.0)])
            .require("max(a, exp(b)) < -8.99 or min(a, b) > 8.99"),
    );
}

#[test]
fn thin_curved_sets() {
    let plane = || SpaceSpec::new([real("x", -1.0, 1.0), real("y", -1.0, 1.0)]);
    samples(plane().require("x*x + y*y > 0.9999").require("x*x + y*y < 1.0001"));
    samples(plane().require("x * (y - x) > 0.24999"));
    samples(plane().require("abs(x*x*x - y) < 1e-7").require("x + y > 1.99"));
    samples(plane().require("exp(x) - exp(y) > 2.35").require("x != y"));
}

#[test]
fn a_set_that_is_empty_beyond_what_intervals_show_is_given_up() {
    let spec = SpaceSpec::new([real("x", 0.0, 1.0), real("y", 0.0, 1.0)]).require("x*y - y*x > 1e-12");
    let space = Space::new(spec).unwrap();
    assert!(
        matches!(space.sample(&mut Rng::new(1)), Err(SpaceError::NoConfigurationFound { tried, constraints })
            if tried > 1000 && constraints.contains("x*y - y*x"))
    );
}

#[test]
fn the_same_seed_finds_the_same() {
    let spec = SpaceSpec::new([real("a", 0.0, 1e6), real("b", 0.0, 1.0)]).require("a < b");
    let space = Space::new(spec).unwrap();
    let found = |seed| space.sample(&mut Rng::new(seed)).unwrap();
    assert_eq!(found(5), found(5));
    assert_ne!(found(5), found(6));
}

#[test]
fn chains_of_relations() {
    let names: Vec<String> = (1..=8).map(|i| format!("x{i}")).collect();
    let mut spec = SpaceSpec::new(names.iter().map(|n| real(n, 0.0, 1.0)));
    for pair in names.windows(2) {
        spec = spec.require(format!("{} < {}", pair[0], pair[1]));
    }
    samples(spec);
    let mut spec = SpaceSpec::new(names.iter().map(|n| Param::integer(n, 1, 8)));
    for pair in names.windows(2) {
        spec = spec.require(format!("{} < {}", pair[0], pair[1]));
    }
    let space = samples(spec);
    let only = super::sample(&space, &mut Rng::new(0)).unwrap();
    assert!(only.iter().enumerate().all(|(i, (_, value))| value.as_i64() == Some(i as i64 + 1)));
}

#[test]
fn one_of_a_million_combinations() {
    let names: Vec<String> = (0..6).map(|i| format!("c{i}")).collect();
    let mut spec = SpaceSpec::new(names.iter().map(|n| Param::integer(n, 0, 9)));
    for (i, name) in names.iter().enumerate() {
        spec = spec.forbid(format!("{name} != {}", (7 * i + 3) % 10));
    }
    samples(spec);
    // The same with sums that interval arithmetic cannot resolve.
    let spec = SpaceSpec::new(names.iter().map(|n| Param::integer(n, 0, 9)))
        .require("100000*c0 + 10000*c1 + 1000*c2 + 100*c3 + 10*c4 + c5 == 314159");
    samples(spec);
}

#[test]
fn relations_bind_where_their_parameters_are_active() {
    let space = samples(
        SpaceSpec::new([
            Param::choice("model", ["a", "b", "c"]),
            real("x", 0.0, 1e6).when("model != 'c'"),
            real("y", 0.0, 1.0).when("model in ['a', 'c']"),
        ])
        .require("x < y")
        .forbid("model == 'b'"),
    );
    let model = space.id("model").unwrap();
    let mut rng = Rng::new(4);
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..40 {
        seen.insert(super::sample(&space, &mut rng).unwrap().get(model).cloned());
    }
    assert_eq!(seen.len(), 2, "both branches left are found: {seen:?}");
}

#[test]
fn a_contradictory_branch_is_backed_out_of() {
    let space = samples(
        SpaceSpec::new([
            Param::choice("model", ["dead", "alive"]).weights([1e9, 1.0]),
            Param::integer("a", 0, 1000).when("model == 'dead'"),
            Param::integer("b", 0, 1000).when("model == 'dead'"),
        ])
        .require("a < b")
        .require("b < a"),
    );
    let found = super::sample(&space, &mut Rng::new(1)).unwrap();
    assert_eq!(space.value(&found, "model"), Some("alive".into()));
}

#[test]
fn a_contradiction_behind_a_number_is_backed_out_of() {
    // Below 900 the labels are active and cannot agree; no value there helps, however many there
    // are.
    let spec = SpaceSpec::new([
        real("x", 1e-3, 1e3).log(),
        Param::choice("a", ["p", "q", "r"]).when("x < 900"),
        Param::choice("b", ["p", "q", "r"]).when("x < 900"),
    ]);
    let space = samples(spec.require("a == b").require("a != b"));
    assert!(space.sample(&mut Rng::new(3)).unwrap().len() == 1);
}

#[test]
fn equal_labels() {
    let space = samples(
        SpaceSpec::new(
            (0..5)
                .map(|i| Param::integer(format!("n{i}"), 0, 1))
                .chain((0..5).map(|i| Param::choice(format!("l{i}"), ["p", "q", "r", "s", "t"]))),
        )
        .require("l0 == l1")
        .require("l1 == l2")
        .require("l3 != l2")
        .require("l4 == l3"),
    );
    let found = space.sample(&mut Rng::new(2)).unwrap();
    assert_eq!(space.value(&found, "l0"), space.value(&found, "l2"));
}

#[test]
fn what_is_not_a_number_is_not_forbidden() {
    // log(x) is NaN below zero, and NaN ≥ −30 is false: the literal does not hold.
    samples(SpaceSpec::new([real("x", -1.0, 1.0)]).require("log(x) < -30"));
}

#[test]
fn completing_keeps_what_is_given() {
    let space = Space::new(
        SpaceSpec::new([
            Param::choice("model", ["a", "b", "gone"]).retire("gone"),
            real("x", 0.0, 1e6).when("model == 'a'"),
            real("y", 0.0, 1.0),
            Param::integer("k", 0, 9),
        ])
        .require("x < y")
        .forbid("model == 'a' and k > 3"),
    )
    .unwrap();
    let id = |name: &str| space.id(name).unwrap();
    let mut rng = Rng::new(9);
    let made = space.complete(&[(id("model"), "a".into()), (id("y"), 1e-5.into())], &mut rng).unwrap();
    assert_eq!(space.check(&made), Ok(()));
    assert_eq!(made.get(id("y")), Some(&1e-5.into()));
    assert_eq!(made.get(id("model")), Some(&"a".into()));
    let made = space.complete(&[(id("k"), 7.into()), (id("x"), 3.into())], &mut rng).unwrap();
    assert_eq!(made.get(id("model")), Some(&"b".into()), "x would be too large and k forbids a");
    let made = space.complete(&[(id("model"), "gone".into())], &mut rng).unwrap();
    assert_eq!(made.get(id("model")), Some(&"gone".into()));
    let none = space.complete(&[(id("k"), 7.into()), (id("model"), "a".into())], &mut rng);
    assert_eq!(none, Err(SpaceError::NoCompletion { given: "k = 7, model = a".into() }));
    assert!(matches!(
        space.complete(&[(id("k"), 70.into())], &mut rng),
        Err(SpaceError::ValueOutsideDomain { .. })
    ));
}

#[test]
fn constraints_that_leave_nothing_are_refused() {
    let refused = |spec: SpaceSpec| match Space::new(spec) {
        Err(SpaceError::Unsatisfiable { culprit }) => culprit,
        other => panic!("{other:?}"),
    };
    let numbers =
        || SpaceSpec::new([Param::integer("a", 0, 9), Param::integer("b", 0, 9), real("x", 0.0, 1.0)]);
    assert_eq!(refused(numbers().require("a + b > 18")), "`required a + b > 18` alone does");
    assert_eq!(refused(numbers().require("x > 0.5").forbid("a >= 0")), "`forbidden a >= 0` alone does");
    assert_eq!(refused(numbers().require("1 == 2")), "`required 1 == 2` alone does");
    assert_eq!(
        refused(numbers().require("a < b").require("b < a")),
        "no single one does, their combination does: `required a < b`, `required b < a`"
    );
    assert_eq!(
        refused(numbers().require("x > 0.5").forbid("x > 0.4")),
        "no single one does, their combination does: `forbidden x > 0.4`, `required x > 0.5`"
    );
    let labels = SpaceSpec::new([Param::choice("c", ["p", "q", "r"]).retire("r"), Param::boolean("d")]);
    assert!(Space::new(labels.clone().forbid("c == 'p' and d == true")).is_ok());
    // Only a retired alternative is left.
    assert_eq!(refused(labels.forbid("c in ['p', 'q']")), "`forbidden c in ['p', 'q']` alone does");
}

#[test]
fn parameters_that_never_exist_are_refused() {
    let never = |params: Vec<Param>| match Space::new(params) {
        Err(SpaceError::NeverActive { name, condition }) => (name, condition),
        other => panic!("{other:?}"),
    };
    let a = || Param::integer("a", 0, 9);
    let c = || Param::choice("c", ["p", "q", "r"]);
    let found = never(vec![a(), real("x", 0.0, 1.0).when("a == 1 and a == 2")]);
    assert_eq!(found, ("x".into(), "a == 1 and a == 2".into()));
    never(vec![a(), real("x", 0.0, 1.0).when("a < 3").when("a > 7")]);
    let parents = || vec![c(), a().when("c == 'p'"), Param::integer("b", 0, 9).when("c == 'q'")];
    let with = |extra: Param| parents().into_iter().chain([extra]).collect::<Vec<_>>();
    never(with(real("x", 0.0, 1.0).when("a > 3 and b > 3")));
    never(with(real("x", 0.0, 1.0).when("c == 'r' and (a > 3 or b > 3)")));
    never(with(real("x", 0.0, 1.0).or_none().when("a > 3 and c != 'p'")));
    for fine in ["a > 3 or b > 3", "a > 3 and c == 'p'", "(a > 3 or b > 3) and (a > 8 or c == 'r' or b > 8)"]
    {
        assert!(Space::new(with(real("x", 0.0, 1.0).when(fine))).is_ok(), "{fine}");
    }
    // Old trials have retired alternatives, so their parameters must stay.
    assert!(Space::new([c().retire("r"), a().when("c == 'r' and c != 'p'")]).is_ok());
}

#[test]
fn defaults_stay_where_they_can() {
    let base = || {
        SpaceSpec::new([
            Param::choice("model", ["a", "b"]).default("a"),
            Param::integer("k", 0, 9).default(9),
            Param::integer("m", 0, 9),
            real("x", 0.0, 1.0).when("model == 'a'"),
        ])
    };
    let of = |spec: SpaceSpec| {
        let space = Space::new(spec).unwrap();
        let made = space.default_configuration().unwrap();
        assert_eq!(space.check(&made), Ok(()));
        ["model", "k", "m", "x"].map(|name| space.value(&made, name).map_or("-".into(), |v| v.to_string()))
    };
    assert_eq!(of(base()), ["a", "9", "5", "0.5"]);
    assert_eq!(of(base().require("k < m")), ["a", "4", "5", "0.5"]);
    assert_eq!(of(base().require("m >= 7")), ["a", "9", "7", "0.5"]);
    assert_eq!(of(base().forbid("m == 5")), ["a", "9", "4", "0.5"]);
    assert_eq!(of(base().forbid("model == 'a' and m > 2")), ["a", "9", "2", "0.5"]);
    // The branch is kept, though leaving it would change one parameter instead of two.
    assert_eq!(of(base().forbid("model == 'a' and (m > 2 or x < 0.75)")), ["a", "9", "2", "0.75"]);
    assert_eq!(of(base().forbid("model == 'a' and x >= 0")), ["b", "9", "5", "-"]);
    let three = SpaceSpec::new(["p", "q", "r"].map(|name| Param::integer(name, 0, 9)));
    let space = Space::new(three.require("p != 5 or q != 5").require("q != 5 or r != 5")).unwrap();
    let made = space.default_configuration().unwrap();
    let moved = made.iter().filter(|(_, value)| value.as_i64() != Some(5)).count();
    assert_eq!(moved, 1, "moving q alone is enough: {made:?}");
}

#[test]
fn given_defaults_that_are_forbidden_are_a_mistake() {
    let spec = |given: bool| {
        let b = Param::boolean("b");
        SpaceSpec::new([Param::boolean("a").default(false), if given { b.default(false) } else { b }])
            .forbid("a == false and b == false")
    };
    let source = "forbidden a == false and b == false".to_owned();
    assert_eq!(
        Space::new(spec(true)).map(|_| ()),
        Err(SpaceError::ForbiddenConfiguration { constraint: source })
    );
    let space = Space::new(spec(false)).unwrap();
    let made = space.default_configuration().unwrap();
    assert_eq!(space.value(&made, "a"), Some(false.into()));
}

#[test]
fn hundreds_of_conditional_parameters_are_no_burden() {
    let learners: Vec<String> = (0..98).map(|i| format!("l{i}")).collect();
    let mut params = vec![Param::choice("learner", learners.clone())];
    for learner in &learners {
        params.push(
            Param::choice(format!("{learner}.mode"), ["x", "y"]).when(format!("learner == '{learner}'")),
        );
        for j in 0..7 {
            let when = format!("{learner}.mode == 'x'");
            params.push(real(&format!("{learner}.p{j}"), 0.0, 1.0).when(when));
        }
    }
    assert_eq!(params.len(), 785);
    let mut spec = SpaceSpec::new(params);
    for learner in &learners {
        spec = spec.require(format!("{learner}.p0 + {learner}.p1 < 1e-6"));
        spec = spec.require(format!("{learner}.p2 < 1e-3 * {learner}.p3"));
    }
    samples(spec);
}

/// Work that a debug build does in an instant.
const LITTLE: u64 = 1 << 16;

fn with_little_work(space: &Space) -> Result<Configuration, Failure> {
    Query { work: LITTLE, ..Query::any(space) }.find(&mut Rng::new(1))
}

/// Random 3-SAT: three distinct booleans per clause, seeded; hardest at 4.26 clauses per variable.
fn satisfiability(variables: usize) -> SpaceSpec {
    let mut rng = Rng::new(3);
    let mut spec = SpaceSpec::new((0..variables).map(|i| Param::boolean(format!("b{i}"))));
    for _ in 0..variables * 426 / 100 {
        let mut of = [0; 3];
        while of[0] == of[1] || of[1] == of[2] || of[0] == of[2] {
            of = [(); 3].map(|()| rng.below(variables));
        }
        let literal = of.map(|i| format!("b{i} == {}", rng.below(2) == 1)).join(" and ");
        spec = spec.forbid(literal);
    }
    spec
}

/// This many parameters, all different, with too few values.
fn pigeons(pigeons: usize, holes: usize) -> SpaceSpec {
    let mut spec = SpaceSpec::new((0..pigeons).map(|i| Param::integer(format!("p{i}"), 1, holes as i64)));
    for i in 0..pigeons {
        for j in 0..i {
            spec = spec.require(format!("p{i} != p{j}"));
        }
    }
    spec
}

fn subset_sum() -> SpaceSpec {
    let mut rng = Rng::new(9);
    let params = (0..40).map(|i| Param::integer(format!("s{i}"), 0, 1));
    let weights: Vec<usize> = (0..40).map(|_| 1 + rng.below(1 << 40)).collect();
    let sum: Vec<String> = weights.iter().enumerate().map(|(i, w)| format!("{w} * s{i}")).collect();
    SpaceSpec::new(params).require(format!("{} == {}", sum.join(" + "), weights.iter().sum::<usize>() / 3))
}

fn pell() -> SpaceSpec {
    let params = [Param::integer("x", 2, 1 << 40), Param::integer("y", 1, 1 << 40)];
    SpaceSpec::new(params).require("x * x - 61 * y * y == 1")
}

#[test]
fn every_hard_space_is_given_up_with_its_constraints_named() {
    for spec in [satisfiability(150), pigeons(21, 20), subset_sum(), pell()] {
        let space = Space::new(spec).unwrap();
        let failure = with_little_work(&space).unwrap_err();
        assert!(matches!(failure, Failure::GaveUp(_)), "{failure:?}");
        let message = failure.about(space.clauses()).to_string();
        assert!(message.contains(&*space.clauses()[0].source) && message.contains("lift"), "{message}");
    }
}

#[test]
fn pigeonholes_are_known_to_be_too_few_and_named() {
    let refused = Space::new(pigeons(7, 6)).unwrap_err();
    assert!(refused.to_string().contains("`required p1 != p0`"), "{refused}");
}
