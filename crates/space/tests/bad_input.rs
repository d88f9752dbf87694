//! Every user error in a space gives an error that names it. One test per error.
#![allow(clippy::unwrap_used)]
use arbora_space::{Param, Prior, Space, SpaceError, SpaceSpec, Value};

fn refuse(spec: impl Into<SpaceSpec>) -> SpaceError {
    match Space::new(spec) {
        Ok(_) => panic!("this space should have been refused"),
        Err(error) => error,
    }
}

/// The message must contain all of these words.
fn says(error: &SpaceError, words: &[&str]) {
    let text = error.to_string();
    for word in words {
        assert!(text.contains(word), "`{text}` does not mention `{word}`");
    }
}

#[test]
fn no_parameters() {
    assert_eq!(refuse([]), SpaceError::NoParameters);
}

#[test]
fn empty_name() {
    assert_eq!(refuse([Param::boolean("a"), Param::boolean("")]), SpaceError::EmptyName { position: 2 });
}

#[test]
fn duplicate_name() {
    says(&refuse([Param::boolean("a"), Param::real("a", 0.0, 1.0)]), &["`a`", "twice", "svm.a"]);
}

#[test]
fn nan_and_infinite_bounds() {
    says(&refuse([Param::real("x", f64::NAN, 1.0)]), &["`x`", "NaN", "finite"]);
    says(&refuse([Param::real("x", 0.0, f64::INFINITY)]), &["`x`", "inf"]);
}

#[test]
fn empty_ranges() {
    says(&refuse([Param::real("x", 2.0, 1.0)]), &["`x`", "empty", "2", "1"]);
    says(&refuse([Param::integer("k", 5, 3)]), &["`k`", "empty", "5", "3"]);
}

#[test]
fn range_too_wide_for_doubles() {
    says(&refuse([Param::real("x", -f64::MAX, f64::MAX)]), &["`x`", "too wide", "log"]);
}

#[test]
fn log_over_zero() {
    says(
        &refuse([Param::real("C", 0.0, 1.0).log()]),
        &["parameter `C`: log scale needs a positive lower bound, got 0"],
    );
    says(&refuse([Param::integer("k", 0, 9).log()]), &["`k`", "positive"]);
}

#[test]
fn steps_that_do_not_fit() {
    says(&refuse([Param::real("x", 0.0, 1.0).step(0.3)]), &["`x`", "0.9", "0.3"]);
    says(&refuse([Param::real("x", 0.0, 1.0).step(0.0)]), &["`x`", "step", "positive"]);
    says(&refuse([Param::real("x", 0.0, 1.0).step(f64::NAN)]), &["`x`", "step", "NaN"]);
    says(&refuse([Param::integer("k", 0, 10).step(3.0)]), &["`k`", "9"]);
    says(&refuse([Param::integer("k", 0, 10).step(0.5)]), &["`k`", "step"]);
    says(&refuse([Param::real("x", 0.0, 1e17).step(1e-9)]), &["`x`", "exactly", "digits"]);
}

#[test]
fn choices_missing_or_repeated() {
    says(&refuse([Param::choice("c", Vec::<String>::new())]), &["`c`", "empty"]);
    says(&refuse([Param::choice("c", ["a", "b", "a"])]), &["`c`", "`a`", "twice"]);
    says(&refuse([Param::choice("c", [Value::Int(1), Value::Real(1.0)])]), &["`c`", "twice"]);
    says(&refuse([Param::choice("c", [f64::NAN])]), &["`c`", "NaN"]);
}

#[test]
fn default_outside_the_domain() {
    says(&refuse([Param::real("x", 0.0, 1.0).default(2.0)]), &["`x`", "`2.0`", "from 0.0 to 1.0"]);
    says(&refuse([Param::integer("k", 0, 5).default(2.5)]), &["`k`", "`2.5`", "whole numbers"]);
    says(&refuse([Param::choice("c", ["a", "b"]).default("z")]), &["`c`", "`z`", "a, b"]);
    says(&refuse([Param::real("x", 0.0, 1.0).step(0.25).default(0.3)]), &["`x`", "steps of 0.25"]);
}

#[test]
fn priors_that_do_not_fit() {
    says(&refuse([Param::choice("c", ["a", "b"]).weights([1.0])]), &["`c`", "1 weights for 2"]);
    says(&refuse([Param::choice("c", ["a", "b"]).weights([1.0, -1.0])]), &["`c`", "negative"]);
    says(&refuse([Param::choice("c", ["a", "b"]).weights([0.0, 0.0])]), &["`c`", "sum to zero"]);
    says(&refuse([Param::real("x", 0.0, 1.0).weights([1.0])]), &["`x`", "weights"]);
    says(&refuse([Param::real("x", 0.0, 1.0).prior(Prior::LogUniform)]), &["`x`", "positive"]);
    says(
        &refuse([Param::real("x", 0.0, 1.0).prior(Prior::Normal { mean: 0.0, sd: 0.0 })]),
        &["`x`", "positive"],
    );
    says(&refuse([Param::choice("c", ["a"]).prior(Prior::Uniform)]), &["`c`", "weights"]);
}

#[test]
fn none_where_it_cannot_be() {
    says(&refuse([Param::choice("c", ["a"]).or_none()]), &["`c`", "numbers", "choices"]);
    let mut always_none = Param::real("x", 0.0, 1.0);
    always_none.none = Some(1.0);
    says(&refuse([always_none]), &["`x`", "between 0 and 1"]);
}

#[test]
fn unknown_decider() {
    let error = refuse([Param::choice("model", ["svm"]), Param::real("C", 0.0, 1.0).when("modle == 'svm'")]);
    says(&error, &["condition of `C`", "`modle`", "did you mean `model`?"]);
}

#[test]
fn cycle() {
    let error = refuse([
        Param::boolean("a").when("c"),
        Param::boolean("b").when("a"),
        Param::boolean("c").when("b"),
        Param::boolean("d").when("c"),
    ]);
    let SpaceError::CyclicCondition { path } = &error else { panic!("{error}") };
    assert_eq!(path.len(), 4);
    assert_eq!(path.first(), path.last());
    says(&error, &["cycle", " -> "]);
    says(&refuse([Param::boolean("a").when("a")]), &["a -> a"]);
}

#[test]
fn condition_value_outside_the_deciders_domain() {
    let model = || Param::choice("model", ["svm", "forest"]);
    let error = refuse([model(), Param::real("C", 0.0, 1.0).when("model == 'smv'")]);
    says(&error, &["condition of `C`", "`model` can never be `smv`", "svm, forest"]);
    says(&refuse([model(), Param::real("C", 0.0, 1.0).when("model in ['svm', 'x']")]), &["`x`"]);
    let depth = || Param::integer("depth", 1, 10);
    says(&refuse([depth(), Param::boolean("b").when("depth > 10")]), &["`depth`", "10"]);
    says(&refuse([depth(), Param::boolean("b").when("depth == 2.5")]), &["`depth`", "2.5"]);
    says(&refuse([depth(), Param::boolean("b").when("depth == none")]), &["`depth`", "none"]);
    says(&refuse([depth(), Param::boolean("b").when("depth == 'deep'")]), &["`depth`", "deep"]);
}

#[test]
fn comparisons_that_make_no_sense() {
    let model = || Param::choice("model", ["svm", "forest"]);
    says(&refuse([model(), Param::boolean("b").when("model < 'svm'")]), &["`model", "no order", "`in`"]);
    says(&refuse([model(), Param::boolean("b").when("model + 1 > 2")]), &["not a number"]);
    let error =
        refuse([Param::real("x", 0.0, 1.0), Param::real("y", 0.0, 1.0), Param::boolean("b").when("x < y")]);
    says(&error, &["condition of `b`", "one parameter at a time", "required"]);
    says(&refuse([model(), Param::boolean("b").when("1 > 2")]), &["never holds"]);
}

#[test]
fn unreadable_expression() {
    let error = refuse([Param::boolean("a"), Param::boolean("b").when("a ==")]);
    says(&error, &["cannot read `a ==`", "column 5"]);
}

#[test]
fn constraints_about_nothing() {
    let spec = SpaceSpec::new([Param::real("x", 0.0, 1.0)]).require("x < y");
    says(&refuse(spec), &["constraint `required x < y`", "`y`"]);
    let spec = SpaceSpec::new([Param::real("x", 0.0, 1.0)]).forbid("x > 1 / 0");
    says(&refuse(spec), &["not a finite number"]);
}

#[test]
fn constraint_with_too_many_alternatives() {
    let many: Vec<String> = (0..14).map(|i| format!("(a{i} or b{i})")).collect();
    let parameters = (0..14).flat_map(|i| [Param::boolean(format!("a{i}")), Param::boolean(format!("b{i}"))]);
    says(&refuse(SpaceSpec::new(parameters).forbid(many.join(" and "))), &["4096", "smaller"]);
}

#[test]
fn unsatisfiable_constraints() {
    let spec = SpaceSpec::new([Param::boolean("a")]).forbid("a == true").forbid("a == false");
    assert!(matches!(refuse(spec), SpaceError::Unsatisfiable { .. }));
    let spec = SpaceSpec::new([Param::real("x", 0.0, 1.0), Param::real("y", 2.0, 3.0)]).require("y < x");
    says(&refuse(spec), &["forbid every configuration", "y < x"]);
}

#[test]
fn conditions_that_can_never_hold() {
    let error = refuse([Param::choice("m", ["a", "b"]), Param::boolean("x").when("m == 'a' and m == 'b'")]);
    says(&error, &["`x`", "never"]);
}

#[test]
fn retired_choices() {
    says(&refuse([Param::choice("c", ["a", "b"]).retire("z")]), &["`c`", "`z`"]);
    says(&refuse([Param::choice("c", ["a"]).retire("a")]), &["`c`", "empty"]);
    says(&refuse([Param::real("x", 0.0, 1.0).retire(0.5)]), &["`x`", "alternatives"]);
}

fn learner() -> Space {
    let spec = SpaceSpec::new([
        Param::choice("model", ["svm", "forest"]),
        Param::real("C", 1e-3, 1e3).log().when("model == 'svm'"),
        Param::integer("depth", 1, 9).or_none().when("model == 'forest'"),
    ]);
    Space::new(spec.forbid("model == 'svm' and C > 100")).unwrap()
}

#[test]
fn configurations_with_mistakes() {
    let space = learner();
    let try_it = |values: &[(&str, Value)]| space.configuration(values.iter().cloned()).unwrap_err();
    says(&try_it(&[("model", "svm".into())]), &["`C`", "no value"]);
    says(&try_it(&[("model", "forest".into())]), &["`depth`", "no value"]);
    says(
        &try_it(&[("model", "svm".into()), ("C", 1.0.into()), ("depth", 3.into())]),
        &["`depth`", "inactive", "model == 'forest'"],
    );
    says(&try_it(&[("model", "svm".into()), ("C", 1e9.into())]), &["`C`", "1000000000.0", "domain"]);
    says(&try_it(&[("model", "svm".into()), ("C", f64::NAN.into())]), &["`C`", "NaN"]);
    says(&try_it(&[("model", "svm".into()), ("C", 500.0.into())]), &["forbidden", "C > 100"]);
    says(&try_it(&[("model", "svm".into()), ("c", 1.0.into())]), &["`c`", "did you mean `C`?"]);
    says(&try_it(&[("model", "svm".into()), ("model", "svm".into())]), &["`model`", "twice"]);
    assert!(space.configuration([("model", Value::from("forest")), ("depth", Value::None)]).is_ok());
}

#[test]
fn a_test_that_never_holds_is_quoted() {
    let with = |constraint: &str| SpaceSpec::new([Param::integer("a", 0, 10)]).require(constraint);
    for (constraint, opposite) in [("a >= 0", "`a < 0`"), ("a <= 10", "`a > 10`"), ("a < 11", "`a >= 11`")] {
        let error = refuse(with(constraint));
        says(&error, &[&format!("`required {constraint}`"), opposite, "never holds", "from 0 to 10"]);
        assert!(!error.to_string().contains("can never be"), "{error}");
    }
    let flag = SpaceSpec::new([Param::choice("m", ["u", "v"])]).require("m in ['u', 'v']");
    says(&refuse(flag), &["`m not in [u, v]` never holds", "one of u, v"]);
}
