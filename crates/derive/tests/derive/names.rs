//! What the derived space looks like.
use crate::{Learner, Pipeline};
use arbora::space::{DomainSpec, Expression, ExpressionSource};
use arbora::{Param, Prior, Rng, Space, SpaceSpec, TypedSpace, Value};

fn when(text: &str) -> Expression {
    text.parse().unwrap()
}

fn names(spec: &SpaceSpec) -> Vec<&str> {
    spec.parameters.iter().map(|p| p.name.as_str()).collect()
}

fn param(spec: &SpaceSpec, name: &str) -> Param {
    let found = spec.parameters.iter().find(|p| p.name == name);
    found.unwrap_or_else(|| panic!("no `{name}` in {:?}", names(spec))).clone()
}

#[test]
fn an_enum_declares_a_choice_and_its_branches() {
    let expected = SpaceSpec::new([
        Param::choice("learner", ["svm", "forest", "neighbours", "naive"]).weights([2.0, 1.0, 1.0, 1.0]),
        Param::real("learner.svm.c", 1e-5, 1e5).log().when(when("learner == 'svm'")),
        Param::choice("learner.svm.kernel", ["linear", "rbf"]).when(when("learner == 'svm'")),
        Param::real("learner.svm.kernel.rbf.gamma", 1e-5, 1e5)
            .log()
            .when(when("learner.svm.kernel == 'rbf'")),
        Param::integer("learner.forest.trees", 1, 500).log().default(100).when(when("learner == 'forest'")),
        Param::integer("learner.forest.depth", 1, 30).or_none().when(when("learner == 'forest'")),
        Param::integer("learner.neighbours.k", 1, 50).when(when("learner == 'neighbours'")),
        Param::choice("learner.neighbours.metric", ["linear", "rbf"]).when(when("learner == 'neighbours'")),
        Param::real("learner.neighbours.metric.rbf.gamma", 1e-5, 1e5)
            .log()
            .when(when("learner.neighbours.metric == 'rbf'")),
    ]);
    assert_eq!(Learner::spec(), expected);
}

#[test]
fn a_struct_puts_its_fields_side_by_side() {
    let spec = Pipeline::spec();
    let own: Vec<&str> = names(&spec).into_iter().filter(|name| !name.starts_with("learner.")).collect();
    let expected = [
        "scale",
        "learner",
        "batch",
        "size",
        "inner",
        "outer",
        "schedule.momentum",
        "schedule.warm-up",
        "schedule.clip",
        "schedule.temperature",
        "version",
        "extra",
        "extra.some.inner",
        "extra.some.outer",
        "type",
    ];
    assert_eq!(own, expected);
}

#[test]
fn fields_become_the_parameters_they_describe() {
    let spec = Pipeline::spec();
    let clip = DomainSpec::Choice(vec![Value::None, 0.5.into(), 1.0.into()]);
    for expected in [
        Param::boolean("scale"),
        Param::choice("batch", [16, 32, 64]).weights([1.0, 2.0, 1.0]).default(32),
        Param::ordinal("size", ["small", "large"]),
        Param::real("inner", 0.0, 1.0).step(0.1),
        Param::real("outer", 0.0, 1.0),
        Param::real("schedule.momentum", 0.0, 0.999).prior(Prior::Normal { mean: 0.9, sd: 0.05 }),
        Param::integer("schedule.warm-up", -5, 5).or_none_with(0.2).default(2).prior(Prior::Uniform),
        Param::new("schedule.clip", clip),
        Param::real("schedule.temperature", 0.1, 10.0).log().prior(Prior::LogNormal { mu: 0.0, sigma: 1.0 }),
        Param::constant("version", "v2"),
        Param::real("extra.some.inner", 0.0, 1.0).step(0.1).when(when("extra == 'some'")),
        Param::ordinal("type", ["low", "middle", "high"]).default("middle"),
    ] {
        assert_eq!(param(&spec, &expected.name), expected);
    }
    assert_eq!(spec.required, [ExpressionSource::from(when("inner < outer"))]);
    assert_eq!(spec.forbidden, [ExpressionSource::from(when("scale and schedule.momentum > 0.9"))]);
}

#[derive(Space)]
#[space(crate = "arbora::space")]
struct Elsewhere {
    #[space(flatten)]
    learner: Learner,
    #[space(low = 1, high = 3)]
    k: u8,
}

#[test]
fn a_flattened_enum_takes_its_own_name() {
    let spec = Elsewhere::spec();
    assert_eq!(names(&spec)[..2], ["learner", "learner.svm.c"]);
    let space = Elsewhere::space().unwrap();
    let sample = space.sample(&mut Rng::new(1)).unwrap();
    let value = Elsewhere::from_configuration(&space, &sample).unwrap();
    assert_eq!(space.value(&sample, "k"), Some(value.k.into()));
    assert_eq!(value.learner, Learner::from_configuration(&space, &sample).unwrap());
}

#[derive(Space)]
struct Outer {
    first: Pipeline,
    second: Model,
}

#[derive(Space)]
#[space(forbid = "model == 'svm' and model.svm.c > 10")]
enum Model {
    Svm {
        #[space(low = 1, high = 100)]
        c: u8,
    },
    #[space(retired)]
    Old,
    New,
}

#[test]
fn constraints_move_with_their_type() {
    let spec = Outer::spec();
    assert_eq!(spec.required, [ExpressionSource::from(when("first.inner < first.outer"))]);
    assert_eq!(spec.forbidden[1], ExpressionSource::from(when("second == 'svm' and second.svm.c > 10")));
    assert_eq!(param(&spec, "second").retired, [Value::from("old")]);
    let space = Outer::space().unwrap();
    for seed in 0..200 {
        let sample = space.sample(&mut Rng::new(seed)).unwrap();
        match Outer::from_configuration(&space, &sample).unwrap().second {
            Model::Svm { c } => assert!(c <= 10),
            Model::Old => panic!("a retired variant was proposed"),
            Model::New => {}
        }
    }
}
