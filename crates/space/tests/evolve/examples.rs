//! Typical changes, and the errors for those that would break old trials.
use arbora_space::{Change, DomainSpec, Param, Prior, Space, SpaceError, SpaceSpec, Value};

fn old() -> Space {
    Space::new([
        Param::choice("model", ["svm", "forest"]),
        Param::choice("kernel", ["linear", "rbf"]).when("model == 'svm'"),
        Param::real("gamma", 0.1, 10.0).log().when("kernel == 'rbf'"),
        Param::integer("depth", 1, 9).or_none().when("model == 'forest'"),
        Param::real("rate", 0.1, 0.7).step(0.2),
    ])
    .unwrap()
}

fn refused(changes: &[Change], words: &str) {
    match old().evolve(changes) {
        Err(SpaceError::IncompatibleChange { problem }) => assert!(problem.contains(words), "{problem}"),
        other => panic!("{changes:?}: {:?}", other.map(|space| space.spec().clone())),
    }
}

fn refused_spec(edit: impl Fn(&mut SpaceSpec), words: &str) {
    let mut spec = old().spec().clone();
    edit(&mut spec);
    match old().evolve_to(spec) {
        Err(SpaceError::IncompatibleChange { problem }) => assert!(problem.contains(words), "{problem}"),
        other => panic!("{words}: {:?}", other.map(|space| space.spec().clone())),
    }
}

fn widen(parameter: &str, low: Option<f64>, high: Option<f64>) -> Change {
    Change::Widen { parameter: parameter.into(), low, high }
}

fn add_choice(parameter: &str, value: &str, weight: Option<f64>) -> Change {
    Change::AddChoice { parameter: parameter.into(), value: value.into(), weight }
}

#[test]
fn a_new_branch_takes_an_alternative_and_its_parameters() {
    let old = old();
    let new = old
        .evolve(&[
            add_choice("model", "mlp", None),
            Change::AddParameter(Param::integer("layers", 1, 8).when("model == 'mlp'")),
            Change::AddParameter(Param::real("dropout", 0.0, 0.5).default(0.0)),
        ])
        .unwrap();
    let values = [("model", Value::from("forest")), ("depth", Value::None), ("rate", 0.3.into())];
    let trial = old.configuration(values.clone()).unwrap();
    let adopted = new.adopt(&old, &trial).unwrap();
    let expected = new.configuration(values.into_iter().chain([("dropout", 0.0.into())])).unwrap();
    assert_eq!(adopted, expected);
}

#[test]
fn a_space_can_move_below_a_new_decision() {
    let old = old();
    let mut spec = old.spec().clone();
    spec.parameters.push(Param::choice("task", ["classify", "rank"]).default("classify"));
    for param in spec.parameters.iter_mut().filter(|param| ["model", "rate"].contains(&param.name.as_str())) {
        param.when.push("task == 'classify'".into());
    }
    assert!(old.evolve_to(spec.clone()).is_ok());
    spec.parameters.last_mut().unwrap().default = Some("rank".into());
    let Err(SpaceError::IncompatibleChange { problem }) = old.evolve_to(spec) else { panic!("accepted") };
    assert!(problem.contains("parameter `model` was active in every trial"), "{problem}");
}

#[test]
fn conditions_may_be_rewritten_but_not_changed() {
    let mut spec = old().spec().clone();
    spec.parameters[2].when = vec!["model == 'svm' and kernel != 'linear'".into()];
    spec.parameters[3].when = vec!["not (model == 'svm')".into()];
    assert!(old().evolve_to(spec).is_ok());
    let words = "parameter `gamma` was inactive with model = svm, kernel = linear and would become active";
    refused_spec(|spec| spec.parameters[2].when = vec!["model == 'svm'".into()], words);
    let words = "parameter `rate` was active with model = forest and would become inactive";
    refused_spec(|spec| spec.parameters[4].when = vec!["model == 'svm'".into()], words);
    let words = "`gamma` was active with model = svm, kernel = rbf";
    refused_spec(|spec| spec.parameters[2].when.push("rate > 0.5".into()), words);
}

#[test]
fn conditions_on_a_continuum_are_compared_at_every_threshold() {
    let space = |condition: &str| [Param::real("x", 0.0, 1.0), Param::boolean("y").when(condition)];
    let old = Space::new(space("0.2 < x <= 0.5")).unwrap();
    for same in ["not (x <= 0.2) and not (x > 0.5)", "0.2 < x <= 0.3 or 0.3 < x <= 0.5"] {
        assert!(old.evolve_to(space(same)).is_ok(), "{same}");
    }
    for other in
        ["0.2 <= x <= 0.5", "0.2 < x < 0.5", "0.2 < x", "0.2 < x <= 0.3 or 0.31 < x <= 0.5", "x >= 0"]
    {
        assert!(matches!(old.evolve_to(space(other)), Err(SpaceError::IncompatibleChange { .. })), "{other}");
    }
}

#[test]
fn too_many_cases_are_refused_unless_nothing_changed() {
    let space = |between: &str| {
        let deciders = (0..17).map(|i| Param::boolean(format!("d{i}")));
        let condition = (0..17).map(|i| format!("d{i}")).collect::<Vec<_>>().join(between);
        deciders.chain([Param::boolean("child").when(condition)]).collect::<Vec<_>>()
    };
    let old = Space::new(space(" or ")).unwrap();
    assert!(old.evolve_to(space(" or ")).is_ok());
    let Err(SpaceError::IncompatibleChange { problem }) = old.evolve_to(space(" != false or ")) else {
        panic!("accepted")
    };
    assert!(problem.contains("more than 100000 cases"), "{problem}");
}

#[test]
fn a_scale_a_prior_and_a_default_may_change() {
    let mut spec = old().spec().clone();
    spec.parameters[2].domain = DomainSpec::Real { low: 0.1, high: 10.0, log: false, step: None };
    assert!(old().evolve_to(spec).is_ok());
    let new = old()
        .evolve(&[
            Change::SetPrior { parameter: "gamma".into(), prior: Prior::LogNormal { mu: 0.0, sigma: 1.0 } },
            Change::SetDefault { parameter: "model".into(), value: "forest".into() },
        ])
        .unwrap();
    assert_eq!(new.parameter(new.id("model").unwrap()).default(), &Value::from("forest"));
}

#[test]
fn grids_go_on_in_their_steps() {
    let new = old().evolve(&[widen("rate", Some(-0.1), Some(0.9))]).unwrap();
    assert_eq!(new.parameter(new.id("rate").unwrap()).domain().levels(), Some(6));
    let finer = |spec: &mut SpaceSpec, low: f64, step: f64| {
        spec.parameters[4].domain = DomainSpec::Real { low, high: 0.7, log: false, step: Some(step) };
    };
    let mut spec = old().spec().clone();
    finer(&mut spec, 0.0, 0.1);
    assert!(old().evolve_to(spec).is_ok());
    refused_spec(|spec| finer(spec, 0.1, 0.3), "parameter `rate`: old trials may have 0.3");
    assert!(matches!(
        old().evolve(&[widen("rate", Some(0.0), None)]),
        Err(SpaceError::StepMissesHigh { .. })
    ));
    refused(&[widen("rate", Some(0.0), Some(0.8))], "by whole steps");
    assert!(matches!(
        old().evolve(&[widen("rate", None, Some(0.8))]),
        Err(SpaceError::StepMissesHigh { .. })
    ));
}

#[test]
fn narrowing_and_removing_are_refused() {
    refused(&[widen("gamma", Some(0.2), None)], "parameter `gamma`: old trials may have 0.1");
    refused(&[widen("gamma", None, Some(9.999_999_999_999_999))], "old trials may have 10.0");
    refused(&[widen("depth", None, Some(8.0))], "old trials may have 9");
    refused_spec(|spec| drop(spec.parameters.pop()), "parameter `rate` is gone");
    refused_spec(|spec| spec.parameters[3].none = None, "`depth` can no longer be none");
    refused_spec(
        |spec| spec.parameters[0].domain = DomainSpec::Choice(vec!["svm".into(), "forests".into()]),
        "old trials may have forest",
    );
    let grid = DomainSpec::Real { low: 0.1, high: 10.1, log: false, step: Some(0.1) };
    refused_spec(|spec| spec.parameters[2].domain = grid.clone(), "parameter `gamma`: old trials may have");
}

#[test]
fn changes_that_make_no_sense_are_refused() {
    refused(&[add_choice("gamma", "auto", None)], "`gamma` is a number and has no alternatives");
    refused(&[widen("model", Some(0.0), None)], "`model` is not a number");
    refused(&[widen("depth", None, Some(9.5))], "`depth` is a whole number, but its new bound is 9.5");
    let retire = |value: &str| Change::Retire { parameter: "model".into(), value: value.into() };
    refused(&[retire("mlp")], "no alternative `mlp`");
    refused(&[retire("svm"), retire("forest")], "nothing to offer");
    refused(&[Change::Restore { parameter: "model".into(), value: "svm".into() }], "is not retired");
    refused(&[Change::Lift("rate < 0.5".into())], "no constraint `rate < 0.5`");
    assert!(matches!(
        old().evolve(&[widen("gama", None, Some(20.0))]),
        Err(SpaceError::UnknownParameter { ref hint, .. }) if hint.contains("gamma")
    ));
    assert!(matches!(
        old().evolve(&[add_choice("model", "svm", None)]),
        Err(SpaceError::DuplicateChoice { .. })
    ));
    let again = Change::AddParameter(Param::boolean("rate"));
    assert!(matches!(old().evolve(&[again]), Err(SpaceError::DuplicateName { .. })));
}

#[test]
fn weights_are_carried_along() {
    let new =
        old().evolve(&[add_choice("model", "mlp", Some(3.0)), add_choice("model", "knn", None)]).unwrap();
    let expected = Prior::Weights(vec![1.0, 1.0, 3.0, 5.0 / 3.0]);
    assert_eq!(new.parameter(new.id("model").unwrap()).prior(), &expected);
    let flat = old().evolve(&[add_choice("model", "mlp", None)]).unwrap();
    assert_eq!(flat.parameter(flat.id("model").unwrap()).prior(), &Prior::Flat);
}

#[test]
fn retiring_the_default_begins_with_what_is_left() {
    let set = Change::SetDefault { parameter: "model".into(), value: "svm".into() };
    let retire = Change::Retire { parameter: "model".into(), value: "svm".into() };
    let new = old().evolve(&[set, retire.clone(), retire]).unwrap();
    assert_eq!(new.parameter(new.id("model").unwrap()).default(), &Value::from("forest"));
    let restored = new.evolve(&[Change::Restore { parameter: "model".into(), value: "svm".into() }]).unwrap();
    assert_eq!(restored.spec().parameters[0].retired, []);
}

#[test]
fn constraints_come_and_go() {
    let forbidden = old().evolve(&[Change::AddForbidden("rate == 0.7".into())]).unwrap();
    let required = forbidden.evolve(&[Change::AddRequired("rate > 0.2".into())]).unwrap();
    assert_eq!(required.clauses().len(), 2);
    let lifted = required.evolve(&[Change::Lift("rate == 0.7".into()), Change::Lift("rate > 0.2".into())]);
    assert_eq!(lifted.unwrap().clauses().len(), 0);
}

#[test]
fn a_constant_may_become_a_range_and_a_number_optional() {
    let old = Space::new([Param::constant("k", 3), Param::integer("depth", 1, 9)]).unwrap();
    let new = old.evolve_to([Param::integer("k", 1, 9), Param::integer("depth", 1, 9).or_none()]).unwrap();
    let values = [("k", Value::from(3)), ("depth", Value::from(4))];
    let adopted = new.adopt(&old, &old.configuration(values.clone()).unwrap()).unwrap();
    assert_eq!(adopted, new.configuration(values).unwrap());
}

#[test]
fn strangers_are_not_adopted() {
    let old = old();
    let trial =
        old.configuration([("model", "forest".into()), ("depth", 3.into()), ("rate", 0.3.into())]).unwrap();
    let narrow = Space::new([Param::choice("model", ["svm"])]).unwrap();
    assert!(matches!(narrow.adopt(&old, &trial), Err(SpaceError::ValueOutsideDomain { .. })));
    let lacking = Space::new([Param::choice("model", ["svm", "forest"])]).unwrap();
    assert!(matches!(lacking.adopt(&old, &trial), Err(SpaceError::IncompatibleChange { .. })));
}
