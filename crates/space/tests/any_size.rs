//! Expressions of any length and depth: if accepted, they can be written and parsed back; otherwise
//! they are rejected at once.
use arbora_space::expression::{Arithmetic, Comparison, Function, MAX_DEPTH, Term};
use arbora_space::{Condition, Expression, Param, Rng, Space, SpaceError, SpaceSpec};
use proptest::prelude::*;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

/// Runs everything a user does with a space on a stack much smaller than that of any thread.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(work).expect("a thread starts");
    assert!(thread.join().is_ok());
}

/// The space survives a round trip through our own formats.
fn survives(space: &Space) {
    let json = space.to_json().and_then(|text| Space::from_json(&text)).expect("JSON reads back");
    let toml = space.to_toml().and_then(|text| Space::from_toml(&text)).expect("TOML reads back");
    assert!(json.spec() == space.spec() && toml.spec() == space.spec());
    assert!(json.clauses() == space.clauses() && toml.clauses() == space.clauses());
}

fn parameter(name: &str) -> Term {
    Term::Parameter(name.to_owned())
}

#[test]
fn a_sum_of_66_terms_survives() {
    let params = (0..70).map(|i| Param::real(format!("x{i}"), 0.0, 1.0));
    let sum = (1..70).fold(parameter("x0"), |sum, i| sum.then(Arithmetic::Add, parameter(&format!("x{i}"))));
    let written = Expression::Compare(sum, Comparison::AtMost, Term::Value(63.0.into()));
    let space = Space::new(SpaceSpec::new(params).require(written)).unwrap();
    survives(&space);
    assert!(space.sample(&mut Rng::new(1)).is_ok());
}

#[test]
fn fifty_thousand_terms_are_read_written_drawn_and_dropped() {
    on_a_small_stack(|| {
        let sum = vec!["a"; 50_000].join(" + ");
        let spec = SpaceSpec::new([Param::integer("a", 0, 10)]).require(format!("{sum} <= 270000"));
        let space = Space::new(spec).unwrap();
        survives(&space);
        assert_eq!(space.enumerate().unwrap().count(), 6);
        let product = vec!["b"; 50_000].join(" * ");
        let lowest = vec!["b"; 50_000].join(", ");
        let text = format!("b real [0, 1] [0.5]\n{{{product} > 2}}\n{{min({lowest}) > 2}}\n");
        let space = Space::from_pcs(&text).unwrap();
        survives(&space);
        assert!(space.sample(&mut Rng::new(1)).is_ok());
    });
}

#[test]
fn conditions_of_a_hundred_thousand_terms() {
    on_a_small_stack(|| {
        let all = vec!["a >= 0"; 100_000].join(" and ");
        let any = vec!["`a` == 1"; 100_000].join(" or ");
        let list = (0..100_000).map(|i| i.to_string()).collect::<Vec<_>>().join(", ");
        let space = Space::new([
            Param::integer("a", 0, 200_000),
            Param::boolean("b").when(all),
            Param::boolean("c").when(any),
            Param::boolean("d").when(format!("a in [{list}]")),
        ])
        .unwrap();
        survives(&space);
        assert!(space.sample(&mut Rng::new(1)).is_ok());
    });
}

#[test]
fn a_long_clause_is_one_clause() {
    let any = vec!["a > 0.5"; 100_000].join(" or ");
    let space = Space::new(SpaceSpec::new([Param::real("a", 0.0, 1.0)]).require(any)).unwrap();
    assert_eq!(space.clauses().len(), 1);
    let both = format!("({}) and b > 0.5", vec!["a > 0.5"; 4000].join(" or "));
    let params = || [Param::real("a", 0.0, 1.0), Param::real("b", 0.0, 1.0)];
    let grown = SpaceSpec::new(params()).require(both.clone()).forbid(format!("({both}) or ({both})"));
    assert!(matches!(Space::new(grown), Err(SpaceError::TooManyClauses { .. })));
}

#[test]
fn messages_about_long_expressions_are_short() {
    let spec = |text: String| SpaceSpec::new([Param::real("a", 0.0, 1.0)]).require(text);
    let sum = vec!["a"; 50_000].join(" + ");
    for text in
        [format!("{sum} <= unknown"), format!("{sum} <= )"), format!("{sum} < -1"), format!("{sum} == 'x'")]
    {
        let message = Space::new(spec(text)).unwrap_err().to_string();
        assert!(message.len() < 1000, "{message}");
    }
}

#[test]
fn a_tree_that_cannot_be_written_is_refused_with_the_limit_and_a_way_out() {
    let nested = (0..100).fold(parameter("a"), |term, _| Term::Call(Function::Abs, Box::new(term)));
    let deep = Expression::Compare(nested, Comparison::AtMost, Term::Value(1.into()));
    let odd = Expression::Compare(parameter("a"), Comparison::AtMost, Term::Value(f64::INFINITY.into()));
    let a = || Param::real("a", 0.0, 1.0);
    for (spec, words) in [
        (SpaceSpec::new([a()]).require(deep.clone()), ["constraint", "64 deep", "smaller"]),
        (SpaceSpec::new([a(), Param::boolean("b").when(deep)]), ["condition of `b`", "64 deep", "smaller"]),
        (SpaceSpec::new([a()]).require(odd), ["constraint", "inf", "finite"]),
    ] {
        let message = Space::new(spec).unwrap_err().to_string();
        assert!(words.iter().all(|word| message.contains(word)), "{message}");
    }
}

/// Nesting depth of expressions built in code: recursion would overflow any stack.
const DEEP: usize = 200_000;

/// Copies, compares, prints and drops a deep tree.
fn lives_and_dies<T: Clone + PartialEq + std::fmt::Debug>(deep: T, other: &T) {
    assert!(deep.clone() == deep && deep != *other);
    assert!(format!("{deep:?}").len() > DEEP);
    drop(deep);
}

#[test]
fn expressions_nested_by_a_program_need_no_stack() {
    type Deepen = fn(Expression) -> Expression;
    let ways: [Deepen; 3] =
        [|inner| !inner, |inner| Expression::All(vec![inner]), |inner| Expression::always().or(inner)];
    for deepen in ways {
        on_a_small_stack(move || {
            let leaf = |name: &str| Expression::In(name.to_owned(), vec![1.into()]);
            let nested = |name: &str| (0..DEEP).fold(leaf(name), |inner, _| deepen(inner));
            let deep = nested("a");
            assert_eq!(deep.parameters(), ["a"]);
            assert!(deep.renamed(&|_| "b".to_owned()) == nested("b"));
            assert!(deep.to_string().len() > DEEP);
            let spec = SpaceSpec::new([Param::integer("a", 0, 9)]).require(deep.clone());
            assert!(spec.clone() == spec && format!("{spec:?}").len() > DEEP);
            assert!(matches!(Space::new(spec), Err(SpaceError::BadExpression { .. })));
            lives_and_dies(deep, &nested("c"));
        });
    }
}

#[test]
fn terms_nested_by_a_program_need_no_stack() {
    type Deepen = fn(Term) -> Term;
    let ways: [Deepen; 4] = [
        |inner| Term::Negative(Box::new(inner)),
        |inner| Term::Call(Function::Abs, Box::new(inner)),
        |inner| parameter("b").then(Arithmetic::Subtract, inner),
        |inner| inner.then(Arithmetic::Add, parameter("b")).then(Arithmetic::Minimum, parameter("c")),
    ];
    for deepen in ways {
        on_a_small_stack(move || {
            let nested = |name: &str| (0..DEEP).fold(parameter(name), |inner, _| deepen(inner));
            lives_and_dies(nested("a"), &nested("x"));
            let test = Expression::Compare(nested("a"), Comparison::Less, nested("a"));
            let other = Expression::Compare(nested("a"), Comparison::Less, nested("x"));
            let spec = SpaceSpec::new([Param::integer("a", 0, 9)]).require(test.clone());
            assert!(matches!(Space::new(spec), Err(SpaceError::BadExpression { .. })));
            lives_and_dies(test, &other);
        });
    }
}

#[test]
fn conditions_nested_by_a_program_need_no_stack() {
    on_a_small_stack(|| {
        let space = Space::new([Param::boolean("a"), Param::boolean("b").when("a")]).unwrap();
        let leaf = space.parameter(space.id("b").unwrap()).when();
        let nested = |inner: &Condition| {
            (0..DEEP).fold(inner.clone(), |inner, i| match i % 2 {
                0 => Condition::All(vec![inner, Condition::Always]),
                _ => Condition::Any(vec![Condition::Always, inner]),
            })
        };
        let deep = nested(leaf);
        assert_eq!(deep.tests().len(), 1);
        let hash = |of: &Condition| BuildHasherDefault::<DefaultHasher>::default().hash_one(of);
        assert!(hash(&deep) == hash(&deep.clone()) && hash(&deep) != hash(&nested(&Condition::Always)));
        lives_and_dies(deep, &nested(&Condition::Always));
    });
}

#[test]
fn conditions_print_as_they_are_built() {
    let inner = || Condition::Any(vec![Condition::Always, Condition::All(vec![])]);
    let condition = Condition::All(vec![inner(), Condition::Always, inner()]);
    let any = "Any([Always, All([])])";
    assert_eq!(format!("{condition:?}"), format!("All([{any}, Always, {any}])"));
}

fn term() -> impl Strategy<Value = Term> {
    let leaf = prop_oneof![
        Just(parameter("a")),
        Just(parameter("log")),
        (-9i64..9).prop_map(|i| Term::Value(i.into())),
        Just(Term::Value(i64::MIN.into())),
        Just(Term::Value(0.5.into())),
    ];
    leaf.prop_recursive(80, 400, 3, |inner| {
        let op = prop::sample::select(vec![
            Arithmetic::Add,
            Arithmetic::Subtract,
            Arithmetic::Multiply,
            Arithmetic::Divide,
            Arithmetic::Minimum,
            Arithmetic::Maximum,
        ]);
        prop_oneof![
            3 => (inner.clone(), op, inner.clone()).prop_map(|(a, op, b)| a.then(op, b)),
            1 => inner.clone().prop_map(|a| Term::Call(Function::Abs, Box::new(a))),
            1 => inner.prop_map(negative),
        ]
    })
}

/// A sign in front of a constant is part of the constant.
fn negative(term: Term) -> Term {
    if matches!(term, Term::Value(_)) { term } else { Term::Negative(Box::new(term)) }
}

fn expression() -> impl Strategy<Value = Expression> {
    let atom = (term(), term()).prop_map(|(a, b)| Expression::Compare(a, Comparison::Less, b));
    let truth = prop_oneof![
        atom,
        Just(Expression::In("a".to_owned(), vec![1.into(), 2.into()])),
        Just(Expression::always())
    ];
    truth.prop_recursive(60, 200, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|e| !e),
            prop::collection::vec(inner.clone(), 2..4).prop_map(Expression::All),
            prop::collection::vec(inner, 2..4).prop_map(Expression::Any),
        ]
    })
}

/// Like [`expression`], inside `depth` more parentheses.
fn buried(inner: Expression, depth: usize) -> Expression {
    let a = || Expression::Compare(parameter("a"), Comparison::Less, Term::Value(1.into()));
    (0..depth).fold(inner, |e, i| {
        if i % 2 == 0 { Expression::All(vec![e, a()]) } else { Expression::Any(vec![a(), e]) }
    })
}

proptest! {
    #[test]
    fn what_is_accepted_reads_back(inner in expression(), depth in 0..MAX_DEPTH + 8) {
        let constraint = buried(inner, depth);
        let params = [Param::integer("a", 0, 9), Param::integer("log", 1, 9)];
        match Space::new(SpaceSpec::new(params).forbid(constraint)) {
            Ok(space) => survives(&space),
            Err(error) => prop_assert!(!matches!(error, SpaceError::Syntax { .. }), "{error}"),
        }
    }
}
