//! The project's own TOML and JSON: round trips, errors with locations, no panic on any text.
use arbora_space::expression::{Comparison, Term};
use arbora_space::format::DocumentNode;
use arbora_space::{
    DomainSpec, Expression, ExpressionSource, Param, Prior, Space, SpaceError, SpaceSpec, Value,
};
use proptest::prelude::*;

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        (-5i32..5).prop_map(f64::from),
        any::<f64>().prop_filter("finite", |x| x.is_finite()).prop_map(|x| x + 0.0)
    ]
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::None),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        number().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[a-z]{1,6}".prop_map(Value::from),
    ]
}

fn values() -> impl Strategy<Value = Vec<Value>> {
    prop::collection::vec(value(), 0..5)
}

fn domain() -> impl Strategy<Value = DomainSpec> {
    prop_oneof![
        (number(), number(), any::<bool>(), prop::option::of(number()))
            .prop_map(|(low, high, log, step)| DomainSpec::Real { low, high, log, step }),
        (any::<i64>(), any::<i64>(), any::<bool>(), prop::option::of(any::<i64>()))
            .prop_map(|(low, high, log, step)| DomainSpec::Integer { low, high, log, step }),
        values().prop_map(DomainSpec::Choice),
        values().prop_map(DomainSpec::Ordinal),
        Just(DomainSpec::Boolean),
        value().prop_map(DomainSpec::Constant),
    ]
}

fn prior() -> impl Strategy<Value = Prior> {
    prop_oneof![
        3 => Just(Prior::Flat),
        1 => Just(Prior::Uniform),
        1 => Just(Prior::LogUniform),
        1 => (number(), number()).prop_map(|(mean, sd)| Prior::Normal { mean, sd }),
        1 => (number(), number()).prop_map(|(mu, sigma)| Prior::LogNormal { mu, sigma }),
        2 => prop::collection::vec(number(), 0..4).prop_map(Prior::Weights),
    ]
}

/// Conditions as text, since a document keeps nothing else.
fn written() -> impl Strategy<Value = ExpressionSource> {
    let name = prop_oneof!["[a-z.]{1,5}x", any::<String>()];
    let atom = prop_oneof![
        (name.clone(), number()).prop_map(|(name, x)| {
            Expression::Compare(Term::Parameter(name), Comparison::Less, Term::Value(x.into()))
        }),
        (name, prop::collection::vec("[a-z\"'\\\\]{0,4}", 1..3))
            .prop_map(|(name, labels)| Expression::In(name, labels.into_iter().map(Value::from).collect())),
    ];
    let expression = prop_oneof![
        atom.clone(),
        (atom.clone(), atom.clone()).prop_map(|(a, b)| a.and(!b)),
        (atom.clone(), atom).prop_map(|(a, b)| a.or(b)),
    ];
    expression.prop_map(|e| ExpressionSource::Text(e.to_string()))
}

fn param() -> impl Strategy<Value = Param> {
    let name = prop_oneof![4 => "[a-z]{1,8}(\\.[a-zA-Z]{1,5})?", 1 => any::<String>()];
    let none = prop::option::of(prop_oneof![Just(0.5), number()]);
    let when = prop::collection::vec(written(), 0..3);
    let retired = prop::collection::vec(value(), 0..2);
    (name, domain(), prop::option::of(value()), prior(), when, none, retired).prop_map(
        |(name, domain, default, prior, when, none, retired)| Param {
            name,
            domain,
            default,
            prior,
            when,
            none,
            retired,
        },
    )
}

fn spec() -> impl Strategy<Value = SpaceSpec> {
    let rules = || prop::collection::vec(written(), 0..3);
    (prop::collection::vec(param(), 0..6), rules(), rules()).prop_map(
        |(mut parameters, forbidden, required)| {
            let mut seen = std::collections::HashSet::new();
            parameters.retain(|p| seen.insert(p.name.clone()));
            SpaceSpec { parameters, forbidden, required }
        },
    )
}

const EXAMPLE: &str = r#"
forbidden = ["model == 'svm' and svm.C > 10"]
required = "depth < 20"

[parameters.model]
type = "choice"
choices = ["svm", "forest", { none = true }]
weights = [1, 3, 1]

[parameters."svm.C"]
type = "real"
low = 1e-5
high = 1e5
log = true
default = 1
prior = { kind = "log-normal", mu = 0.0, sigma = 2.0 }
when = 'model == "svm"'

[parameters.depth]
type = "integer"
low = 1
high = 30
none = true
when = { model = ["forest", "svm"] }
"#;

proptest! {
    #[test]
    fn toml_reads_back(spec in spec()) {
        let text = spec.to_toml().unwrap();
        prop_assert_eq!(SpaceSpec::from_toml(&text).map_err(|e| format!("{e}\n{text}")), Ok(spec));
    }

    #[test]
    fn json_reads_back(spec in spec()) {
        let text = spec.to_json().unwrap();
        prop_assert_eq!(SpaceSpec::from_json(&text).map_err(|e| format!("{e}\n{text}")), Ok(spec));
    }

    #[test]
    fn serde_reads_back(spec in spec()) {
        let text = serde_json::to_string(&spec).unwrap();
        prop_assert_eq!(serde_json::from_str::<SpaceSpec>(&text).unwrap(), spec);
    }

    #[test]
    fn no_text_makes_a_panic(text in any::<String>()) {
        let _ = (Space::from_toml(&text), Space::from_json(&text));
    }

    #[test]
    fn no_damage_makes_a_panic(at in 0..EXAMPLE.len(), gone in 0usize..12, new in "[\\[\\]{}=\"'a-z0-9\\n.,e-]{0,6}") {
        let end = (at + gone).min(EXAMPLE.len());
        let damaged = format!("{}{new}{}", &EXAMPLE[..at], &EXAMPLE[end..]);
        let Ok(read) = SpaceSpec::from_toml(&damaged) else { return Ok(()) };
        prop_assert_eq!(SpaceSpec::from_toml(&read.to_toml().unwrap()).unwrap(), read.clone());
        let _ = Space::new(read);
    }
}

#[test]
fn the_example_means_what_it_says() {
    let declared = SpaceSpec::new([
        Param::choice("model", [Value::from("svm"), "forest".into(), Value::None]).weights([1.0, 3.0, 1.0]),
        Param::real("svm.C", 1e-5, 1e5)
            .log()
            .default(1)
            .prior(Prior::LogNormal { mu: 0.0, sigma: 2.0 })
            .when("model == \"svm\""),
        Param::integer("depth", 1, 30).or_none().when("model in [\"forest\", \"svm\"]"),
    ])
    .forbid("model == 'svm' and svm.C > 10")
    .require("depth < 20");
    assert_eq!(SpaceSpec::from_toml(EXAMPLE).unwrap(), declared);
    let space = Space::from_toml(EXAMPLE).unwrap();
    assert_eq!(Space::from_json(&space.to_json().unwrap()).unwrap().spec(), &declared);
}

#[test]
fn parsed_expressions_come_back_as_text() {
    let condition: Expression = "model == 'svm' and depth > 2".parse().unwrap();
    let spec = SpaceSpec::new([Param::real("C", 0.0, 1.0).when(condition.clone())]);
    let back = SpaceSpec::from_toml(&spec.to_toml().unwrap()).unwrap();
    assert_eq!(back.parameters[0].when, [ExpressionSource::Text(condition.to_string())]);
    assert_eq!(back.parameters[0].when[0].read().unwrap(), condition);
}

#[test]
fn toml_is_written_to_be_read() {
    let spec = SpaceSpec::new([
        Param::choice("model", ["svm", "forest"]),
        Param::real("svm.C", 1e-5, 1e5).log().when("model == \"svm\"").prior(Prior::Uniform),
        Param::integer("depth", 1, 30).or_none(),
    ])
    .forbid("depth > 20");
    let text = "forbidden = [\"depth > 20\"]\n\n[parameters.model]\ntype = \"choice\"\nchoices = [\"svm\", \"forest\"]\n\n[parameters.\"svm.C\"]\ntype = \"real\"\nlow = 1e-5\nhigh = 100000.0\nlog = true\nprior = \"uniform\"\nwhen = 'model == \"svm\"'\n\n[parameters.depth]\ntype = \"integer\"\nlow = 1\nhigh = 30\nnone = true\n";
    assert_eq!(spec.to_toml().unwrap(), text);
}

#[test]
fn toml_mistakes_name_line_and_column() {
    for (text, message) in [
        ("[parameters.x\n", "toml line 1, column 14: "),
        (
            "[parameters.x]\ntype = \"real\"\nlow = 0\nhgih = 1\n",
            "toml line 4, column 1 (`parameters.x`): unknown field `hgih`; did you mean `high`?",
        ),
        (
            "[parameters.x]\ntype = \"reel\"\n",
            "toml line 2, column 8 (`parameters.x.type`): unknown word `reel`; did you mean `real`?",
        ),
        (
            "[parameters.x]\ntype = \"real\"\nlow = 0\n",
            "toml line 1, column 1 (`parameters.x`): field `high` is missing",
        ),
        (
            "[parameters.x]\ntype = \"real\"\nlow = \"a\"\nhigh = 1\n",
            "toml line 3, column 7 (`parameters.x.low`): expected a number, found the text `a`",
        ),
        (
            "[parameters.x]\ntype = \"integer\"\nlow = 0.5\nhigh = 1\n",
            "toml line 3, column 7 (`parameters.x.low`): expected a whole number, found `0.5`",
        ),
        (
            "[parameters.x]\ntype = \"boolean\"\nwhen = 'a =='\n",
            "toml line 3, column 8 (`parameters.x.when`): cannot read `a ==`: expected a parameter",
        ),
        (
            "[parameters.svm.C]\ntype = \"real\"\nlow = 0\nhigh = 1\n",
            "if the name is `svm.C`, put it in quotes",
        ),
        (
            "[parameters.x]\ntype = \"real\"\nlow = 1e999\nhigh = 1\n",
            "toml line 3, column 7: the number 1e999 is too large",
        ),
        ("[parameters.x]\ntype = \"constant\"\nvalue = 1979-05-27\n", "is a date; put it in quotes"),
        (
            "[parameters.x]\ntype = \"choice\"\nchoices = [1]\nweights = [1]\nprior = \"flat\"\n",
            "give one of the two",
        ),
        (
            "[parameters.x]\ntype = \"real\"\nlow = 0\nhigh = 1\nprior = \"normal\"\n",
            "a normal prior needs numbers",
        ),
        ("[parametres.x]\ntype = \"boolean\"\n", "unknown field `parametres`; did you mean `parameters`?"),
    ] {
        let error = SpaceSpec::from_toml(text).unwrap_err();
        assert!(matches!(error, SpaceError::Format { format: "toml", .. }), "{error:?}");
        assert!(error.to_string().contains(message), "{text}\n{error}");
    }
}

#[test]
fn json_mistakes_name_the_path() {
    for (text, message) in [
        ("{", "json line 1, column 1: EOF while parsing"),
        ("[]", "json at the top: expected a table, found a list"),
        (
            "{\"parameters\": {\"x\": {\"type\": \"choice\", \"choices\": [1, {}]}}}",
            "json at `parameters.x.choices[1]`: expected a value",
        ),
        (
            "{\"parameters\": {\"x\": {\"type\": \"boolean\", \"when\": [\"a\", 3]}}}",
            "json at `parameters.x.when[1]`: expected text, found `3`",
        ),
        (
            "{\"parameters\": {\"x\": {\"type\": \"boolean\"}, \"x\": {\"type\": \"boolean\"}}}",
            "json at `parameters`: `x` is given twice",
        ),
        (
            "{\"parameters\": {\"x\": {\"type\": \"constant\", \"value\": 18446744073709551615}}}",
            "the whole number 18446744073709551615 is too large",
        ),
        (
            "{\"parameters\": {\"x\": {\"type\": \"boolean\", \"default\": 1, \"defualt\": 2}}}",
            "did you mean `default`?",
        ),
    ] {
        let error = SpaceSpec::from_json(text).unwrap_err();
        assert!(matches!(error, SpaceError::Format { format: "json", .. }), "{error:?}");
        assert!(error.to_string().contains(message), "{text}\n{error}");
    }
}

#[test]
fn what_a_document_cannot_hold_is_refused() {
    let twice = SpaceSpec::new([Param::boolean("a"), Param::boolean("a")]);
    assert_eq!(twice.to_toml(), Err(SpaceError::DuplicateName { name: "a".into() }));
    let infinite = SpaceSpec::new([Param::real("a", 0.0, f64::INFINITY)]);
    assert_eq!(
        infinite.to_json().unwrap_err().to_string(),
        "json at `parameters.a.high`: JSON has no number inf; use a finite one"
    );
    assert_eq!(SpaceSpec::from_toml(&infinite.to_toml().unwrap()), Ok(infinite));
}

#[test]
fn mistakes_of_the_space_itself_name_the_parameter() {
    let text = "[parameters.C]\ntype = \"real\"\nlow = 0\nhigh = 1\nlog = true\n";
    assert_eq!(
        Space::from_toml(text).unwrap_err(),
        SpaceError::LogNeedsPositive { name: "C".into(), low: 0.0 }
    );
}

#[test]
fn a_parameter_is_read_from_its_fields_alone() {
    let fields = |more: &[(&str, DocumentNode)]| {
        let own = [("type", DocumentNode::scalar("integer")), ("low", DocumentNode::scalar(1))];
        DocumentNode::table(own.into_iter().chain(more.iter().cloned()))
    };
    let read = |more: &[(&str, DocumentNode)]| Param::from_fields("n", &fields(more));
    assert_eq!(read(&[("high", DocumentNode::scalar(9))]), Ok(Param::integer("n", 1, 9)));
    let fraction = read(&[("high", DocumentNode::scalar(2.5))]).unwrap_err();
    assert_eq!(fraction.to_string(), "parameter `n` at `high`: expected a whole number, found `2.5`");
    let SpaceError::Format { mismatch: Some(mismatch), .. } = fraction else { panic!("{fraction:?}") };
    assert_eq!(
        (mismatch.path.as_str(), mismatch.expected, mismatch.found.as_str()),
        ("high", "a whole number", "`2.5`")
    );
    let missing = read(&[]).unwrap_err().to_string();
    assert_eq!(missing, "parameter `n`: field `high` is missing");
    let kind = DocumentNode::table([
        ("kind", DocumentNode::scalar("normal")),
        ("mean", DocumentNode::scalar("a")),
        ("sd", DocumentNode::scalar(1.0)),
    ]);
    let prior = read(&[("high", DocumentNode::scalar(9)), ("prior", kind)]).unwrap_err();
    assert_eq!(prior.to_string(), "parameter `n` at `prior.mean`: expected a number, found the text `a`");
}
