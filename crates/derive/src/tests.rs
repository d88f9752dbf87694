//! Errors in the input: their messages and spans.
use crate::expanded;
use syn::DeriveInput;

/// The message, and the source text that it underlines.
fn mistake(source: &str) -> (String, String) {
    let input: DeriveInput = syn::parse_str(source).unwrap_or_else(|e| panic!("{source}: {e}"));
    let problem = expanded(input).expect_err(source);
    let place = problem.span().source_text().unwrap_or_default();
    (problem.to_string(), place)
}

#[track_caller]
fn says(source: &str, place: &str, words: &str) {
    let (message, found) = mistake(source);
    assert!(message.contains(words), "{source}: {message}");
    assert_eq!(found, place, "{source}: {message}");
}

#[test]
fn numbers_need_their_bounds() {
    says("struct S { x: f64 }", "f64", "needs `low`");
    says("struct S { #[space(low = 1)] x: u32 }", "u32", "needs `high`");
    says("struct S { #[space(high = 1)] x: Option<u8> }", "Option<u8>", "needs `low`");
    says("struct S { #[space(log)] x: std::primitive::f32 }", "std::primitive::f32", "needs `low`");
    says("struct S { x: Option<i64> }", "Option<i64>", "needs `low`");
}

#[test]
fn unknown_and_repeated_keys_are_named() {
    says("struct S { #[space(lo = 1, high = 2)] x: f64 }", "lo", "unknown key `lo`; a field takes rename");
    says("enum E { #[space(weigth = 1)] A }", "weigth", "a variant takes rename");
    says("#[space(forbidden = \"a\")] struct S { a: bool }", "forbidden", "a type takes rename");
    says("struct S { #[space(low = 1, low = 2, high = 3)] x: f64 }", "low = 2", "given twice");
}

#[test]
fn keys_must_fit_their_field() {
    says(
        "struct S { #[space(choices = [1, 2], log)] x: u32 }",
        "log",
        "`log` does not fit a list of alternatives",
    );
    says("struct S { #[space(low = 1, high = 2)] #[space(choices = [1])] x: u32 }", "low", "does not fit");
    says("struct S { #[space(choices = [1], ordinal = [1])] x: u32 }", "choices", "does not fit");
    says(
        "struct S { #[space(step = 1)] x: Inner }",
        "step",
        "does not fit a field with parameters of its own",
    );
    says("struct S { #[space(log)] x: bool }", "log", "does not fit a truth value");
    says("struct S { #[space(constant = 1, default = 1)] x: u32 }", "default", "does not fit a constant");
    says("struct S { #[space(flatten, rename = \"a\")] x: Inner }", "rename", "does not fit a flattened");
    says("struct S { #[space(low = 1, high = 2, none = 0.5)] x: u32 }", "0.5", "make the field an `Option`");
}

#[test]
fn lists_are_counted() {
    says("struct S { #[space(choices = [])] x: u32 }", "[]", "empty");
    says(
        "struct S { #[space(choices = [1, 2], weights = [1])] x: u32 }",
        "[1]",
        "1 weights for 2 alternatives",
    );
}

#[test]
fn priors_are_spelled_out() {
    says(
        "struct S { #[space(low = 1, high = 2, prior = beta(1, 2))] x: f64 }",
        "beta",
        "unknown prior `beta`",
    );
    says(
        "struct S { #[space(low = 1, high = 2, prior = normal)] x: f64 }",
        "normal",
        "normal(mean = …, sd = …)",
    );
    says(
        "struct S { #[space(low = 1, high = 2, prior = normal(mu = 1, sd = 2))] x: f64 }",
        "mu",
        "expected `normal(mean = …, sd = …)`",
    );
    says(
        "struct S { #[space(low = 1, high = 2, prior = log_normal(mu = 1))] x: f64 }",
        "log_normal",
        "expected `log_normal(mu = …, sigma = …)`",
    );
}

#[test]
fn types_that_cannot_be_searched_get_advice() {
    says("struct S { x: String }", "String", "choices");
    says("struct S { x: Vec<f64> }", "Vec<f64>", "fixed set of parameters");
    says("struct S { x: (f64, f64) }", "(f64, f64)", "named fields");
    says("struct S { x: &'static str }", "&'static str", "owns its values");
    says("struct S { x: [f64; 3] }", "[f64; 3]", "can be searched");
    says("struct S { x: Option<bool> }", "Option<bool>", "choices = [None, Some(…)]");
    says("struct S { x: u128 }", "u128", "use i64");
    says("union U { x: f64, y: u32 }", "union", "enum");
    says("enum E {}", "E", "nothing to choose");
    says("enum E { A(f64, f64) }", "f64", "2 fields without names");
}

#[test]
fn generics_need_bounds() {
    says("struct S<T> { x: T }", "T", "write `T: TypedSpace`");
    says("struct S<'a> { x: &'a str }", "'a", "cannot borrow");
}

#[test]
fn names_are_distinct_and_not_empty() {
    says("enum E { A, #[space(rename = \"a\")] B }", "B", "two variants are called `a`");
    says(
        "struct S { a: bool, #[space(rename = \"a\")] b: bool }",
        "#[space(rename = \"a\")] b: bool",
        "two fields",
    );
    says("struct S { #[space(rename = \"\")] b: bool }", "\"\"", "empty");
    says("#[space(rename_all = \"Snake\")] enum E { A }", "\"Snake\"", "unknown case");
    says("struct S(#[space(rename = \"a\")] bool);", "\"a\"", "name of the tuple");
}

#[test]
fn variants_agree() {
    says("enum E { #[space(default)] A, #[space(default)] B }", "B", "two variants are the default");
    says("enum E { #[space(default, retired)] A, B }", "default", "cannot be the default");
    says("enum E { #[space(retired)] A }", "E", "leave one on offer");
    says("#[space(ordinal)] struct S { a: bool }", "ordinal", "belongs to enums");
    says("#[space(require = \"a\")] struct S(bool);", "\"a\"", "named fields");
}
