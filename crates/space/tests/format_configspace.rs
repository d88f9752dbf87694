//! `ConfigSpace` JSON: files of its own writer, its older format, and round trips.
use arbora_space::format::Format;
use arbora_space::{DomainSpec, Param, Prior, Rng, Space, SpaceError, SpaceSpec, Value};
use proptest::prelude::*;

/// Written by `ConfigurationSpace.to_json` of `ConfigSpace` 1.2.2.
const EVERYTHING: &str = include_str!("data/configspace-1.2.2.json");

/// A file of format 0.4, which still had steps, probabilities and one-word relations.
const OLD: &str = r#"{
  "hyperparameters": [
    {"name": "kernel", "type": "categorical", "choices": ["rbf", "poly"], "default": "poly", "probabilities": [0.25, 0.75]},
    {"name": "rate", "type": "uniform_float", "log": false, "lower": 0.0, "upper": 1.0, "default": 0.5, "q": 0.1},
    {"name": "units", "type": "uniform_int", "log": true, "lower": 1, "upper": 9, "default": 3, "q": null},
    {"name": "tag", "type": "unparametrized", "value": "v1"}
  ],
  "conditions": [{"child": "units", "parent": "kernel", "type": "EQ", "value": "poly"}],
  "forbiddens": [{"left": "units", "right": "rate", "type": "RELATION", "lambda": "LT"}],
  "python_module_version": "0.4.18",
  "json_format_version": 0.2
}"#;

fn param<'a>(spec: &'a SpaceSpec, name: &str) -> &'a Param {
    spec.parameters.iter().find(|p| p.name == name).expect("the file declares it")
}

fn conditions(spec: &SpaceSpec, name: &str) -> Vec<String> {
    param(spec, name).when.iter().map(ToString::to_string).collect()
}

#[test]
fn everything_is_read() {
    let spec = SpaceSpec::from_configspace(EVERYTHING).unwrap();
    assert_eq!(spec.parameters.len(), 10);
    assert_eq!(
        param(&spec, "model"),
        &Param::choice("model", ["svm", "forest", "net"]).weights([1.0, 2.0, 3.0]).default("forest")
    );
    assert_eq!(param(&spec, "warm"), &Param::choice("warm", [true, false]).default(true));
    assert_eq!(param(&spec, "version"), &Param::constant("version", 3));
    assert_eq!(
        param(&spec, "trees").domain,
        DomainSpec::Integer { low: 8, high: 512, log: true, step: None }
    );
    assert_eq!(param(&spec, "momentum").prior, Prior::Normal { mean: 0.9, sd: 0.05 });
    assert_eq!(
        param(&spec, "rate").prior,
        Prior::LogNormal { mu: libm::log(0.01), sigma: libm::log(1e-4 + 3.0) }
    );
    assert_eq!(conditions(&spec, "C"), ["model == \"svm\""]);
    assert_eq!(conditions(&spec, "depth"), ["model in [\"forest\", \"net\"]"]);
    assert_eq!(conditions(&spec, "size"), ["model != \"svm\""]);
    assert_eq!(conditions(&spec, "trees"), ["model == \"forest\" and depth > 2"]);
    assert_eq!(conditions(&spec, "momentum"), ["model == \"net\" or (size == \"large\" and depth < 5)"]);
    assert_eq!(conditions(&spec, "rate"), ["size > \"small\""]);
    let mut forbidden: Vec<String> = spec.forbidden.iter().map(ToString::to_string).collect();
    forbidden.sort();
    assert_eq!(
        forbidden,
        [
            "depth == layers",
            "depth > 20 and (warm == true or layers < 2)",
            "layers > trees",
            "model == \"net\" and size in [\"small\", \"large\"]",
        ]
    );
    Space::new(spec).unwrap();
}

#[test]
fn older_files_are_read() {
    let spec = SpaceSpec::from_configspace(OLD).unwrap();
    assert_eq!(
        param(&spec, "kernel"),
        &Param::choice("kernel", ["rbf", "poly"]).weights([0.25, 0.75]).default("poly")
    );
    assert_eq!(param(&spec, "rate"), &Param::real("rate", 0.0, 1.0).step(0.1).default(0.5));
    assert_eq!(param(&spec, "tag"), &Param::constant("tag", "v1"));
    assert_eq!(conditions(&spec, "units"), ["kernel == \"poly\""]);
    assert_eq!(spec.forbidden[0].to_string(), "units < rate");
    Space::new(spec).unwrap();
}

#[test]
fn mistakes_name_the_path() {
    for (text, message) in [
        ("{}", "configspace at the top: field `hyperparameters` is missing"),
        (
            r#"{"hyperparameters": [{"type": "beta_float", "name": "b", "alpha": 2, "beta": 2, "lower": 0, "upper": 1}]}"#,
            "configspace at `hyperparameters[0].type`: `beta_float`: there is no beta prior here",
        ),
        (r#"{"hyperparameters": [{"type": "uniform_flaot", "name": "b"}]}"#, "did you mean `uniform_float`?"),
        (
            r#"{"hyperparameters": [{"type": "constant", "name": "b", "value": 1, "valeu": 2}]}"#,
            "did you mean `value`?",
        ),
        (
            r#"{"hyperparameters": [{"type": "normal_int", "name": "b", "mu": 1, "sigma": 1, "lower": null, "upper": 3}]}"#,
            "configspace at `hyperparameters[0].lower`: expected a whole number, found `none`",
        ),
        (
            r#"{"hyperparameters": [], "conditions": [{"type": "EQ", "child": "c", "parent": "p", "value": 1}]}"#,
            "configspace at `conditions[0]`: condition on `c`, which is not among the hyperparameters",
        ),
        (
            r#"{"hyperparameters": [], "forbiddens": [{"type": "CLAUSE_EQ", "name": "c", "value": 1}]}"#,
            "unknown word `CLAUSE_EQ`",
        ),
        (
            r#"{"hyperparameters": [], "forbiddens": [{"type": "RELATION", "lambda": "NE", "left": "a", "right": "b"}]}"#,
            "configspace at `forbiddens[0].lambda`: unknown word `NE`",
        ),
    ] {
        let error = SpaceSpec::from_configspace(text).unwrap_err();
        assert!(matches!(error, SpaceError::Format { format: "configspace", .. }), "{error:?}");
        assert!(error.to_string().contains(message), "{text}\n{error}");
    }
}

#[test]
fn what_they_cannot_say_is_named() {
    let export = |spec: SpaceSpec| Space::new(spec).unwrap().to_configspace().unwrap_err().to_string();
    let plain = || Param::real("x", 1.0, 2.0);
    for (spec, message) in [
        (SpaceSpec::new([plain().step(0.5)]), "configspace parameter `x`: steps have no counterpart"),
        (SpaceSpec::new([plain().or_none()]), "configspace parameter `x`: it may be none"),
        (
            SpaceSpec::new([plain().prior(Prior::LogUniform)]),
            "configspace parameter `x`: a prior on another scale",
        ),
        (
            SpaceSpec::new([Param::choice("x", ["a", "b"]).retire("a")]),
            "configspace parameter `x`: retired alternatives",
        ),
        (
            SpaceSpec::new([plain(), Param::real("y", 0.0, 1.0)]).require("x + y < 2.5"),
            "configspace constraint `required x + y < 2.5`: arithmetic",
        ),
        (
            SpaceSpec::new([plain()]).forbid("x > 1.1"),
            "configspace default configuration: it must be valid there",
        ),
    ] {
        let error = export(spec);
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn a_log_normal_prior_survives_both_ways() {
    let spec = SpaceSpec::from_configspace(EVERYTHING).unwrap();
    let back =
        SpaceSpec::from_configspace(&Space::new(spec.clone()).unwrap().to_configspace().unwrap()).unwrap();
    let numbers = |spec: &SpaceSpec| match param(spec, "rate").prior {
        Prior::LogNormal { mu, sigma } => (mu, sigma),
        _ => panic!("expected a log-normal prior"),
    };
    let ((mu, sigma), (mu_back, sigma_back)) = (numbers(&spec), numbers(&back));
    assert!((mu - mu_back).abs() <= 1e-9 * mu.abs() && (sigma - sigma_back).abs() <= 1e-9 * sigma);
}

/// Conditions of every kind on one of six deciders, to exercise the writer.
fn condition() -> impl Strategy<Value = String> {
    let atom = prop_oneof![
        Just("kind == 'a'".to_owned()),
        Just("kind != 'b'".to_owned()),
        Just("not (kind in ['a', 'c'])".to_owned()),
        Just("flag".to_owned()),
        Just("rank >= 'mid'".to_owned()),
        Just("rank < 'high'".to_owned()),
        (1..10).prop_map(|v| format!("count >= {v}")),
        (0..9).prop_map(|v| format!("count < {v}.5")),
        (0..10).prop_map(|v| format!("count != {v}")),
        (0..10).prop_map(|v| format!("ratio <= 0.{v}")),
        (0..10).prop_map(|v| format!("not (0.2 < ratio < 0.{v}5)")),
        (0..9).prop_map(|v| format!("ratio > 0.{v}")),
        Just("ratio >= 0".to_owned()),
        Just("true".to_owned()),
        Just("nested != 2".to_owned()),
        Just("nested <= 3".to_owned()),
    ];
    let pair = (atom.clone(), prop_oneof![Just("and"), Just("or")], atom.clone())
        .prop_map(|(a, word, b)| format!("({a}) {word} ({b})"));
    prop_oneof![atom.clone(), pair.clone(), (pair, atom).prop_map(|(a, b)| format!("({a}) or ({b})"))]
}

fn deciders() -> Vec<Param> {
    vec![
        Param::choice("kind", ["a", "b", "c"]).weights([3.0, 1.0, 1.0]),
        Param::boolean("flag"),
        Param::ordinal("rank", ["low", "mid", "high"]),
        Param::integer("count", 0, 10),
        Param::real("ratio", 0.0, 1.0),
        Param::integer("nested", 1, 5).when("kind != 'c'"),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn writing_keeps_activity_and_verdicts(
        conditions in prop::collection::vec(condition(), 1..4),
        forbidden in prop::collection::vec(condition(), 0..2),
        seed in any::<u64>(),
    ) {
        let children = conditions.iter().enumerate()
            .map(|(i, when)| Param::real(format!("child{i}"), 1.0, 10.0).log().when(when.as_str()));
        let mut spec = SpaceSpec::new(deciders().into_iter().chain(children));
        spec.forbidden = forbidden.iter().map(|f| f.as_str().into()).collect();
        let Ok(space) = Space::new(spec) else { return Ok(()) };
        let Ok(written) = space.to_configspace() else { return Ok(()) };
        let back = Space::from_configspace(&written).map_err(|e| TestCaseError::fail(format!("{e}\n{written}")))?;
        let mut rng = Rng::new(seed);
        let names: Vec<&str> = space.parameters().iter().map(arbora_space::Parameter::name).collect();
        for _ in 0..32 {
            let dense: Vec<(&str, Value)> = names.iter()
                .map(|name| (*name, space.parameter(space.id(name).unwrap()).domain().decode(rng.unit())))
                .collect();
            let ours = space.canonical(dense.clone()).ok().map(|c| space.named(&c).into_iter()
                .collect::<std::collections::BTreeMap<_, _>>());
            let theirs = back.canonical(dense).ok().map(|c| back.named(&c).into_iter()
                .collect::<std::collections::BTreeMap<_, _>>());
            prop_assert_eq!(ours, theirs, "{}", written);
        }
    }

    #[test]
    fn no_text_makes_a_panic(text in any::<String>()) {
        let _ = Space::from_configspace(&text);
    }

    #[test]
    fn no_damage_makes_a_panic(at in 0..EVERYTHING.len(), gone in 0usize..12, new in "[\\[\\]{}:\"a-z0-9.,-]{0,6}") {
        let end = (at + gone).min(EVERYTHING.len());
        let damaged = format!("{}{new}{}", &EVERYTHING[..at], &EVERYTHING[end..]);
        if let Ok(spec) = SpaceSpec::from_configspace(&damaged) {
            prop_assert_eq!(SpaceSpec::from_toml(&spec.to_toml().unwrap()).unwrap().parameters.len(), spec.parameters.len());
            let _ = Space::new(spec).map(|space| space.to_configspace());
        }
    }
}

#[test]
fn the_ending_and_the_content_tell_the_format() {
    assert_eq!(Format::of("a/space.json", EVERYTHING), Ok(Format::ConfigSpace));
    assert_eq!(Format::of("space.JSON", "{\"parameters\": {}}"), Ok(Format::Json));
    assert_eq!(Format::of("space.toml", ""), Ok(Format::Toml));
    assert_eq!(Format::of("space.pcs", ""), Ok(Format::Pcs));
    let error = Format::of("space.yaml", "").unwrap_err();
    assert_eq!(error.to_string(), "space file `space.yaml`: the file extension must be .toml, .json or .pcs");
}
