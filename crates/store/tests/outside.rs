//! Studies with components of another crate: stored by name, opened where the component is
//! registered, and refused with its name where it is not.
#![cfg(feature = "sqlite")]
#![allow(clippy::unwrap_used)]
use arbora_model::hyper::{Hyper, Update};
use arbora_model::kernel::{ByEntry, Kernel, KernelBatch};
use arbora_model::{KernelContext, SpecError};
use arbora_search::component::{Component, Kind, StrategyContext, register};
use arbora_search::{
    Ask, Memo, SearchError, Strategy, StrategySpec, StudyOptions, Suggestion, register_strategy,
};
use arbora_space::{Param, Point, Points, Rng, Space};
use arbora_store::{AskRequest, DurableStudy, StoreError, check_file, open};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::process::Command;
use std::sync::Once;

/// k(a, b) = 1/(1 + |a − b|²/ℓ²), which is positive definite.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Cauchy {}

impl Component<dyn Kernel> for Cauchy {
    const KIND: &'static str = "cauchy";

    fn build(&self, context: KernelContext<'_>) -> Result<Box<dyn Kernel>, SpecError> {
        context.expect_alone()?;
        let columns = context.layout.varying().collect();
        let hypers = vec![context.scale.hyper("length".into(), Update::Single)];
        Ok(Box::new(CauchyKernel { columns, hypers }))
    }
}

#[derive(Clone)]
struct CauchyKernel {
    columns: Vec<usize>,
    hypers: Vec<Hyper>,
}

impl Kernel for CauchyKernel {
    fn hypers(&self) -> &[Hyper] {
        &self.hypers
    }

    fn cov(&self, theta: &[f64], a: Point<'_>, b: Point<'_>) -> f64 {
        let length = self.hypers[0].value(theta[0]);
        let square: f64 = self.columns.iter().map(|&column| (a.x()[column] - b.x()[column]).powi(2)).sum();
        1.0 / (1.0 + square / (length * length))
    }

    fn batch(&self, rows: &Points) -> Box<dyn KernelBatch> {
        Box::new(ByEntry::new(self.clone(), rows))
    }
}

/// The default, then draws.
struct Mine;

impl Strategy for Mine {
    fn suggest(&self, ask: &Ask<'_>, rng: &mut Rng) -> Result<Suggestion, SearchError> {
        let first = ask.history.is_empty();
        let made = if first { ask.space.default_configuration()? } else { ask.space.sample(rng)? };
        Ok(Suggestion::full(made, Memo::new().with("draws", &ask.history.len())))
    }
}

/// One kind per process: another closure would be another strategy.
static ONCE: Once = Once::new();

fn register_all() {
    register::<dyn Kernel, Cauchy>().unwrap();
    ONCE.call_once(|| {
        let kind = Kind::from_fn("mine", |_: StrategyContext<'_>| Ok(Box::new(Mine) as Box<dyn Strategy>));
        register_strategy(kind).unwrap();
    });
}

const KERNEL: &str = r#"{"kind":"model","surrogate":{"kind":"gp","kernel":{"kind":"cauchy"}}}"#;

/// Runs a few trials; what it suggests in all.
fn run(path: &Path, name: &str, strategy: &StrategySpec, trials: usize) -> Vec<String> {
    let space = Space::new([Param::real("x", 0.0, 1.0), Param::real("y", 0.0, 1.0)]).unwrap();
    let options = StudyOptions { strategy: strategy.clone(), seed: 5, ..StudyOptions::default() };
    let store = open(path.to_str().unwrap()).unwrap();
    let mut study = DurableStudy::load_or_create(store, name, space, options).unwrap();
    for _ in 0..trials {
        let trial = study.ask(&AskRequest::by("w")).unwrap();
        let x = study.space().value(trial.configuration(), "x").and_then(|x| x.as_f64()).unwrap();
        study.tell(trial.number(), x).unwrap();
    }
    study.trials().map(|trial| format!("{:?}", trial.configuration())).collect()
}

#[test]
fn a_study_with_outside_components_is_stored_and_goes_on() {
    register_all();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.db");
    for (name, strategy) in
        [("by kernel", StrategySpec::from_json(KERNEL).unwrap()), ("by strategy", "mine".parse().unwrap())]
    {
        let at_once = run(&path, &format!("{name}, at once"), &strategy, 8);
        run(&path, name, &strategy, 4);
        assert_eq!(run(&path, name, &strategy, 4), at_once, "{name}: it goes on as if it had not stopped");
        let loaded = DurableStudy::load(open(path.to_str().unwrap()).unwrap(), name).unwrap();
        assert_eq!(loaded.options().strategy, strategy);
        let draws: Option<usize> = loaded.study().history().trials()[3].memo.read("draws");
        assert_eq!(draws, (name == "by strategy").then_some(3));
    }
}

/// Set where the test below runs again in a process that has registered nothing.
const STORED: &str = "ARBORA_TEST_OUTSIDE";

#[test]
#[allow(clippy::disallowed_methods, reason = "it starts itself without the components")]
fn without_the_component_the_study_names_it_and_the_way_out() {
    let Some(path) = std::env::var_os(STORED) else {
        register_all();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.db");
        run(&path, "by kernel", &StrategySpec::from_json(KERNEL).unwrap(), 2);
        run(&path, "by strategy", &"mine".parse().unwrap(), 2);
        run(&path, "plain", &"random".parse().unwrap(), 2);
        let test = "without_the_component_the_study_names_it_and_the_way_out";
        let mut again = Command::new(std::env::current_exe().unwrap());
        let done = again.args([test, "--exact"]).env(STORED, &path).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
        return;
    };
    let path = Path::new(&path);
    let load = |name: &str| DurableStudy::load(open(path.to_str().unwrap()).unwrap(), name);
    let refused = |name: &str| load(name).err().unwrap();
    let missing = |study: &str, family: &str, kind: &str| StoreError::Unregistered {
        study: study.into(),
        family: family.into(),
        kind: kind.into(),
    };
    assert_eq!(refused("by kernel"), missing("by kernel", "kernel", "cauchy"));
    assert_eq!(refused("by strategy"), missing("by strategy", "strategy", "mine"));
    let words = refused("by strategy").to_string();
    assert!(
        words.starts_with("study `by strategy` uses the strategy `mine`, which this process does"),
        "{words}"
    );
    for way in ["arbora.register_strategy", "--plugin FILE", "`register` in Rust"] {
        assert!(words.contains(way), "{words}");
    }
    assert_eq!(load("plain").unwrap().trials().len(), 2, "the others are not concerned");
    check_file(path).unwrap();
    register_all();
    assert_eq!(load("by kernel").unwrap().trials().len(), 2, "nothing was lost");
    assert_eq!(load("by strategy").unwrap().trials().len(), 2);
}
