//! A strategy of this library, by its name or part by part.
use super::{Optimizer, Search};
use crate::error::BenchError;
use arbora_search::{Report, StrategySpec, Study, StudyOptions};
use arbora_space::{Configuration, Space};

/// What comes after the name of a strategy that may propose a configuration again.
const REPEATS: &str = "+repeats";

/// Rows of the papers' tables that are no strategies of the library. `marginal` of J17: the solver of gp-baseline
/// with the kernel of eq. 4, which is the prior of the tree model. `-map`: θ is optimised, as the paper says of its
/// processes, and not sampled, as here by default.
const ROWS: [(&str, &str); 3] = [
    (
        "marginal",
        r#"{"kind":"model","maximizer":{"kind":"descent","random":1000,"starts":10},
            "surrogate":{"kind":"gp","kernel":{"kind":"marginal","offsets":true}}}"#,
    ),
    (
        "marginal-map",
        r#"{"kind":"model","maximizer":{"kind":"descent","random":1000,"starts":10},
            "surrogate":{"kind":"gp","kernel":{"kind":"marginal","offsets":true},"infer":{"kind":"map","starts":3}}}"#,
    ),
    (
        "tree-linear-map",
        r#"{"kind":"model","surrogate":{"kind":"tree_gp","nodes":"linear","infer":{"kind":"map","starts":3}},
            "maximizer":{"kind":"branch_first","branches":1,"random":1000,"starts":10,"polished":5}}"#,
    ),
];

/// A strategy.
pub struct Native {
    strategy: StrategySpec,
    repeats: bool,
}

impl Native {
    /// `gp-conditional`, `spearmint+repeats` or a specification in JSON.
    pub fn named(name: &str) -> Result<Self, BenchError> {
        let (name, repeats) = name.strip_suffix(REPEATS).map_or((name, false), |name| (name, true));
        let name = ROWS.iter().find(|(row, _)| *row == name).map_or(name, |(_, spec)| spec);
        let strategy = if name.starts_with('{') {
            StrategySpec::from_json(name)?
        } else {
            name.parse::<StrategySpec>()?
        };
        Ok(Self { strategy, repeats })
    }
}

impl Optimizer for Native {
    fn open(&self, space: &Space, seed: u64, _: usize) -> Result<Box<dyn Search>, BenchError> {
        let (strategy, repeats) = (self.strategy.clone(), self.repeats);
        let options = StudyOptions { strategy, seed, repeats, ..StudyOptions::default() };
        Ok(Box::new(Studying { study: Study::new(space.clone(), options)?, asked: None }))
    }
}

struct Studying {
    study: Study,
    asked: Option<u64>,
}

impl Search for Studying {
    fn ask(&mut self) -> Result<Configuration, BenchError> {
        let trial = self.study.ask()?;
        self.asked = Some(trial.number);
        Ok(trial.configuration)
    }

    fn tell(&mut self, configuration: &Configuration, loss: Option<f64>) -> Result<(), BenchError> {
        let report = loss.map_or_else(|| Report::Failure("no loss".to_owned()), Report::Value);
        match self.asked.take() {
            Some(number) => self.study.tell(number, report)?,
            None => {
                self.study.add(configuration.clone(), report)?;
            }
        }
        Ok(())
    }
}
