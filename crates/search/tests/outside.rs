//! Components of another crate: a kernel and a strategy that this workspace does not know, registered and then named
//! in specifications like any other.
#![allow(clippy::unwrap_used)]
use arbora_model::hyper::{Hyper, Update};
use arbora_model::kernel::{ByEntry, Kernel, KernelBatch};
use arbora_model::testing::assert_kernel_laws;
use arbora_model::{HyperSpec, KernelContext, KernelSpec, SpecError};
use arbora_search::component::{Component, Kind, StrategyContext, register};
use arbora_search::strategy::RandomSearch;
use arbora_search::{
    Ask, Memo, SearchError, Strategy, StrategySpec, Study, StudyOptions, Suggestion, register_strategy,
};
use arbora_space::{Named, Param, Point, Points, Rng, Space, Value};
use serde::{Deserialize, Serialize};

/// The rational quadratic kernel  [Rasmussen & Williams 2006, eq. 4.19]: as data,
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct RationalQuadraticSpec {
    alpha: f64,
}

impl Default for RationalQuadraticSpec {
    fn default() -> Self {
        Self { alpha: 2.0 }
    }
}

impl Component<dyn Kernel> for RationalQuadraticSpec {
    const KIND: &'static str = "rational_quadratic";

    fn build(&self, context: KernelContext<'_>) -> Result<Box<dyn Kernel>, SpecError> {
        // Across branches only: it does not know how to stay inside one.
        context.expect_alone()?;
        let columns: Vec<usize> = context.layout.varying().collect();
        let length = context.scale.hyper("length".into(), Update::Single);
        Ok(Box::new(RationalQuadratic { alpha: self.alpha, columns, hypers: vec![length] }))
    }
}

/// and at work: k(a, b) = (1 + |a − b|²/2αℓ²)^−α.
#[derive(Clone)]
struct RationalQuadratic {
    alpha: f64,
    columns: Vec<usize>,
    hypers: Vec<Hyper>,
}

impl Kernel for RationalQuadratic {
    fn hypers(&self) -> &[Hyper] {
        &self.hypers
    }

    fn cov(&self, theta: &[f64], a: Point<'_>, b: Point<'_>) -> f64 {
        let length = self.hypers[0].value(theta[0]);
        let square: f64 = self.columns.iter().map(|&column| (a.x()[column] - b.x()[column]).powi(2)).sum();
        (1.0 + square / (2.0 * self.alpha * length * length)).powf(-self.alpha)
    }

    fn batch(&self, rows: &Points) -> Box<dyn KernelBatch> {
        Box::new(ByEntry::new(self.clone(), rows))
    }
}

/// The best trial with one parameter drawn anew: as data and at work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HillClimb {
    /// Random trials first.
    #[serde(default)]
    startup: usize,
    /// Where they come from.
    first: StrategySpec,
}

impl Component<dyn Strategy> for HillClimb {
    const KIND: &'static str = "hill_climb";

    fn build(&self, context: StrategyContext<'_>) -> Result<Box<dyn Strategy>, SearchError> {
        Ok(Box::new(Climbing { startup: self.startup, first: self.first.build_in(context)? }))
    }
}

struct Climbing {
    startup: usize,
    first: Box<dyn Strategy>,
}

impl Strategy for Climbing {
    fn suggest(&self, ask: &Ask<'_>, rng: &mut Rng) -> Result<Suggestion, SearchError> {
        let drawn = self.first.suggest(ask, rng)?;
        let Some(best) = ask.history.incumbent().filter(|_| ask.history.len() >= self.startup) else {
            return Ok(drawn);
        };
        let around = ask.space.neighbours(&best.configuration, arbora_space::Reach::default(), rng);
        let is_new = |c: &&arbora_space::Configuration| {
            ask.history.trials().iter().all(|trial| trial.configuration != **c)
        };
        let fresh: Vec<_> = around.iter().filter(is_new).collect();
        if fresh.is_empty() {
            return Ok(drawn);
        }
        Ok(Suggestion { configuration: fresh[rng.below(fresh.len())].clone(), ..drawn })
    }
}

fn space() -> Space {
    Space::new([Param::real("x", 0.0, 1.0), Param::real("y", 0.0, 1.0)]).unwrap()
}

fn best_after(strategy: &StrategySpec, trials: usize) -> f64 {
    let options = StudyOptions { strategy: strategy.clone(), seed: 3, ..StudyOptions::default() };
    let mut study = Study::new(space(), options).unwrap();
    for _ in 0..trials {
        let trial = study.ask().unwrap();
        let number = |name| study.value(&trial, name).and_then(|value| value.as_f64()).unwrap();
        let loss = (number("x") - 0.3).powi(2) + (number("y") - 0.6).powi(2);
        study.tell(trial.number, loss).unwrap();
    }
    study.best_value().unwrap()
}

#[test]
fn a_kernel_from_outside_is_named_in_a_specification() {
    let text = r#"{"kind":"model","surrogate":{"kind":"gp","kernel":"rational_quadratic"}}"#;
    register::<dyn Kernel, RationalQuadraticSpec>().unwrap();
    let strategy = StrategySpec::from_json(text).unwrap();
    assert!(best_after(&strategy, 15) < 0.01);
    let written = serde_json::to_string(&strategy).unwrap();
    assert!(written.contains(r#""kernel":{"kind":"rational_quadratic","alpha":2.0}"#), "{written}");
    assert_eq!(StrategySpec::from_json(&written).unwrap(), strategy);
    assert_eq!(strategy.describe(), "one of your own, of kind `model`");
}

#[test]
fn a_kernel_from_outside_keeps_the_laws() {
    let spec = KernelSpec::new(RationalQuadraticSpec { alpha: 0.7 });
    assert_kernel_laws(&|layout| spec.build(KernelContext::new(layout, &HyperSpec::length())).unwrap());
}

#[test]
fn a_kernel_from_outside_is_asked_whether_it_fits() {
    register::<dyn Kernel, RationalQuadraticSpec>().unwrap();
    let text = r#"{"kind":"model","surrogate":{"kind":"gp","kernel":{"kind":"conditional","inner":"rational_quadratic"}}}"#;
    let strategy = StrategySpec::from_json(text).unwrap();
    let error = Study::new(space(), StudyOptions { strategy, ..StudyOptions::default() }).err().unwrap();
    assert!(error.to_string().contains("kernel `conditional` already handles branches"), "{error}");
}

#[test]
fn a_strategy_from_outside_is_named_in_a_specification() {
    register::<dyn Strategy, HillClimb>().unwrap();
    let text = r#"{"kind":"hill_climb","startup":5,"first":{"kind":"random"}}"#;
    let strategy = StrategySpec::from_json(text).unwrap();
    assert_eq!(serde_json::to_string(&strategy).unwrap(), text);
    assert!(best_after(&strategy, 40) < 0.02);
    let inside = format!(r#"{{"kind":"interleaved","strategy":{text},"random":{{"every":4}}}}"#);
    assert!(best_after(&StrategySpec::from_json(&inside).unwrap(), 40) < 0.02);
    let wrong = StrategySpec::from_json(r#"{"kind":"hill_climb","start":5,"first":"random"}"#).unwrap_err();
    assert!(wrong.to_string().contains("strategy `hill_climb`: unknown field `start`"), "{wrong}");
}

/// Wants a name that belongs to another strategy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Impostor {}

impl Component<dyn Strategy> for Impostor {
    const KIND: &'static str = "tpe";

    fn build(&self, context: StrategyContext<'_>) -> Result<Box<dyn Strategy>, SearchError> {
        StrategySpec::new(RandomSearch {}).build_in(context)
    }
}

#[test]
fn a_name_that_is_taken_is_refused() {
    let taken = register::<dyn Strategy, Impostor>().unwrap_err();
    assert_eq!(taken.to_string(), "a strategy named `tpe` already exists: choose another name");
    assert_eq!(StrategySpec::from_json(r#"{"kind":"tpe"}"#).unwrap(), "tpe".parse().unwrap());
}

/// Suggests what a function says, by name, as a strategy written in another language does.
struct Spoken {
    name: &'static str,
    say: Say,
}

/// Values by name, for the trial of this number.
type Say = fn(usize) -> Vec<(&'static str, Value)>;

impl Strategy for Spoken {
    fn suggest(&self, ask: &Ask<'_>, _: &mut Rng) -> Result<Suggestion, SearchError> {
        let said = (self.say)(ask.history.len()).into_iter().map(|(name, value)| (name.to_owned(), value));
        let configuration = ask.checked(self.name, &said.collect::<Named>())?;
        Ok(Suggestion::full(configuration, Memo::new()))
    }
}

fn spoken(name: &'static str, say: Say) -> Kind<dyn Strategy> {
    Kind::from_fn(name, move |_: StrategyContext<'_>| Ok(Box::new(Spoken { name, say }) as Box<dyn Strategy>))
}

#[test]
fn a_strategy_made_at_run_time_is_chosen_by_name() {
    let missing = "diagonal".parse::<StrategySpec>().unwrap_err().to_string();
    assert!(missing.ends_with("; one of your own must be registered first"), "{missing}");
    let steps = |trial: usize| {
        let step = Value::from(0.01 * trial as f64);
        vec![("x", step.clone()), ("y", step)]
    };
    register_strategy(spoken("diagonal", steps)).unwrap();
    let strategy: StrategySpec = "diagonal".parse().unwrap();
    assert_eq!(strategy.name().as_deref(), Some("diagonal"));
    assert_eq!(strategy.describe(), "`diagonal`");
    assert!(best_after(&strategy, 50) < 0.06);
    let written = serde_json::to_string(&strategy).unwrap();
    assert_eq!(written, r#"{"kind":"diagonal"}"#);
    assert_eq!(StrategySpec::from_json(&written).unwrap(), strategy);
    let meant = "diagnal".parse::<StrategySpec>().unwrap_err().to_string();
    assert!(meant.contains("did you mean `diagonal`?"), "{meant}");
    for taken in ["diagonal", "auto", "smac", "by_width"] {
        let error = register_strategy(spoken(taken, steps)).unwrap_err().to_string();
        assert_eq!(error, format!("a strategy named `{taken}` already exists: choose another name"));
    }
}

#[test]
fn what_cannot_be_tried_is_refused_with_the_strategy_the_parameter_and_the_value() {
    let space = Space::new(
        arbora_space::SpaceSpec::new([
            Param::choice("model", ["svm", "forest"]),
            Param::real("C", 0.0, 1.0).when("model == 'svm'"),
        ])
        .forbid("C > 0.9"),
    )
    .unwrap();
    let says: [(&str, Say, &str); 7] = [
        ("silent", |_| vec![], "suggested nothing, which cannot be tried: configuration: "),
        ("unknown", |_| vec![("model", "forest".into()), ("D", 1.0.into())], "`D`"),
        ("missing", |_| vec![("model", "svm".into())], "`C`"),
        ("outside", |_| vec![("model", "svm".into()), ("C", 7.5.into())], "`C`"),
        ("inactive", |_| vec![("model", "forest".into()), ("C", 0.5.into())], "`C` is inactive"),
        ("forbidden", |_| vec![("model", "svm".into()), ("C", 0.95.into())], "C > 0.9"),
        ("again", |_| vec![("model", "forest".into())], "trial 0 has it already; suggest another one"),
    ];
    for (name, say, problem) in says {
        register_strategy(spoken(name, say)).unwrap();
        let options = StudyOptions { strategy: name.parse().unwrap(), ..StudyOptions::default() };
        let mut study = Study::new(space.clone(), options.clone()).unwrap();
        let is_repeat = name == "again";
        assert_eq!(study.ask().is_ok(), is_repeat, "{name}");
        let error = study.ask().unwrap_err().to_string();
        assert!(error.starts_with(&format!("strategy `{name}` suggested ")), "{error}");
        assert!(error.contains(problem), "{error}");
        if is_repeat {
            let mut noisy = Study::new(space.clone(), StudyOptions { repeats: true, ..options }).unwrap();
            assert!((0..3).all(|_| noisy.ask().is_ok()));
        }
    }
}
