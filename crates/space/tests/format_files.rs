//! Example files: every block of the documentation, every ready-made space.
use arbora_space::{DomainSpec, Rng, Space, SpaceError, SpaceSpec, Value};

const DOCUMENTATION: &str = include_str!("../../../docs/SPACES.md");
const CASH: &str = include_str!("../../../examples/spaces/cash.toml");
const SVM: &str = include_str!("../../../examples/spaces/svm.toml");
const MLP_SHARED: &str = include_str!("../../../examples/spaces/mlp-shared.toml");
const HP_NNET: &str = include_str!("../../../examples/spaces/hp-nnet.toml");

/// The fenced blocks of one language.
fn blocks(language: &str) -> Vec<&'static str> {
    let opening = format!("```{language}\n");
    DOCUMENTATION.split(opening.as_str()).skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

#[test]
fn every_block_of_the_documentation_builds() {
    type Read = fn(&str) -> Result<Space, SpaceError>;
    for (language, count, read) in [
        ("toml", 5, Space::from_toml as Read),
        ("json", 1, Space::from_json as Read),
        ("pcs", 1, Space::from_pcs as Read),
    ] {
        let found = blocks(language);
        assert_eq!(found.len(), count, "{language}");
        for text in found {
            let space = read(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
            let drawn = space.sample(&mut Rng::new(1)).unwrap();
            assert_eq!(space.check(&drawn), Ok(()));
            assert_eq!(Space::from_toml(&space.to_toml().unwrap()).unwrap().to_toml(), space.to_toml());
        }
    }
}

#[test]
fn documented_complaints_are_the_real_ones() {
    let complaints = blocks("text").concat();
    let real = [
        SpaceSpec::from_toml("[parameters.C]\ntype = \"real\"\nlow = 1\nhgih = 2\n").unwrap_err().to_string(),
        SpaceSpec::from_json(r#"{"parameters": {"depth": {"type": "boolean", "when": ["a", 3]}}}"#)
            .unwrap_err()
            .to_string(),
        Space::from_toml("[parameters.C]\ntype = \"real\"\nlow = 0\nhigh = 2\nlog = true\n").unwrap_err().to_string(),
        Space::from_toml("[parameters.depth]\ntype = \"integer\"\nlow = 0\nhigh = 2\nnone = true\n")
            .and_then(|space| space.to_configspace())
            .unwrap_err()
            .to_string(),
        Space::from_toml("[parameters.kernel]\ntype = \"choice\"\nchoices = [\"linear\", \"rbf\", \"poly\"]\n[parameters.gamma]\ntype = \"boolean\"\nwhen = { kernel = \"rfb\" }\n")
            .unwrap_err()
            .to_string(),
    ];
    for complaint in real {
        assert!(complaints.contains(&complaint), "{complaint}");
    }
}

/// Number of active parameters, without the decider, for each of its choices.
fn sizes(space: &Space, decider: &str) -> Vec<(String, usize)> {
    let labels = space.id(decider).and_then(|id| space.parameter(id).domain().labels());
    let choices = labels.expect("the decider is a choice").values().iter();
    let size = |label: &Value| space.canonical([(decider, label.clone())]).map_or(0, |c| c.len() - 1);
    choices.map(|label| (label.to_string(), size(label))).collect()
}

#[test]
fn cash_is_the_space_of_the_paper() {
    let space = Space::from_toml(CASH).unwrap();
    assert_eq!(space.parameters().len(), 14);
    let expected = [
        ("knn", 1),
        ("svm", 2),
        ("linsvm", 1),
        ("dt", 3),
        ("rf", 4),
        ("adab", 1),
        ("gnb", 0),
        ("lda", 0),
        ("qda", 1),
    ];
    assert_eq!(sizes(&space, "classifier"), expected.map(|(name, size)| (name.to_owned(), size)));
}

#[test]
fn svm_shares_parameters_between_kernels() {
    let space = Space::from_toml(SVM).unwrap();
    let expected = [("linear", 1), ("rbf", 2), ("poly", 3), ("sigmoid", 3)];
    assert_eq!(sizes(&space, "kernel"), expected.map(|(name, size)| (name.to_owned(), size)));
}

#[test]
fn mlp_has_five_depths_equally_likely() {
    let space = Space::from_toml(MLP_SHARED).unwrap();
    let mut rng = Rng::new(5);
    let (draws, mut depths) = (5000, [0u32; 5]);
    for _ in 0..draws {
        let drawn = space.sample(&mut rng).unwrap();
        let named = space.named(&drawn);
        let names: Vec<&str> = named.iter().map(|(name, _)| name).collect();
        let depth = names.iter().filter(|name| name.starts_with("units.")).count();
        assert!(names.contains(&format!("lambda.{depth}").as_str()), "{names:?}");
        assert_eq!(names.iter().filter(|name| name.starts_with("lambda.")).count(), 1);
        assert_eq!(names.contains(&"activation"), depth > 0);
        depths[depth] += 1;
    }
    // Four standard errors of a proportion of one fifth.
    let error = 4.0 * (0.2f64 * 0.8 / f64::from(draws)).sqrt();
    for count in depths {
        assert!((f64::from(count) / f64::from(draws) - 0.2).abs() <= error, "{depths:?}");
    }
}

#[test]
fn hp_nnet_has_fourteen_parameters() {
    let spec = SpaceSpec::from_toml(HP_NNET).unwrap();
    let numeric = |d: &DomainSpec| matches!(d, DomainSpec::Real { .. } | DomainSpec::Integer { .. });
    assert_eq!(spec.parameters.len(), 14);
    assert_eq!(spec.parameters.iter().filter(|p| numeric(&p.domain)).count(), 7);
    assert_eq!(spec.parameters.iter().filter(|p| !p.when.is_empty()).count(), 4);
    Space::new(spec).unwrap();
}
