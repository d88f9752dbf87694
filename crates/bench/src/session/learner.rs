//! Learners in another process: they fit rows and predict others; which rows is decided here.
//!
//! Splits come from [`arbora_evaluation::Plan`] and so are a function of (seed, trial): the same for every method.
use super::{Session, written};
use crate::error::BenchError;
use crate::wire::Wire;
use arbora_evaluation::{Plan, PlanSpec, ResampleSpec, Reshuffle, Rows, Split};
use arbora_space::{Configuration, Space};
use serde_json::{Value as Json, json};

/// How a configuration is judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Protocol {
    /// How the rows that are searched on are divided.
    pub resample: ResampleSpec,
    /// When they are divided anew.
    pub reshuffle: Reshuffle,
    /// Share of the rows kept for the very end, where the data bring no test part of their own.
    pub test: f64,
    /// Share of the rest that only chooses among finished trials.
    pub selection: Option<f64>,
    /// No more training rows than this.
    pub cap: Option<usize>,
}

impl Protocol {
    /// Five folds, a fifth of the rows for testing  [Lévesque et al. 2017, §V].
    pub fn cross_validation() -> Self {
        let resample = ResampleSpec::Folds { count: 5, times: 1 };
        Self { resample, reshuffle: Reshuffle::Never, test: 0.2, selection: None, cap: None }
    }

    /// How the paper that brought a kind of learner judges it: networks on a fifth of at most 1000 rows  [J17, §4.2],
    /// everything else by five folds.
    pub fn of(kind: &str) -> Self {
        if !kind.starts_with("mlp-") {
            return Self::cross_validation();
        }
        let resample = ResampleSpec::HoldOut { share: 0.2 };
        Self { resample, cap: Some(1000), ..Self::cross_validation() }
    }
}

/// A data set and the learners that can be tried on it.
pub struct Learner {
    wire: Wire,
    space: Space,
    labels: Vec<u32>,
    plan: Plan,
}

impl Learner {
    /// Opens a data set for a run.
    pub fn open(mut wire: Wire, name: &str, seed: u64, protocol: &Protocol) -> Result<Self, BenchError> {
        let answer = wire.call(&json!({ "open": name, "seed": seed }))?;
        let space = answer.get("space").ok_or_else(|| wire.trouble("opened a data set without a `space`"))?;
        let space = Space::from_json(&space.to_string())?;
        let labels = whole_numbers(answer.get("labels"))
            .ok_or_else(|| wire.trouble("opened a data set without `labels`"))?;
        let rows = Rows::new(labels.len()).with_classes(labels.clone())?;
        let Protocol { resample, reshuffle, test, selection, cap } = *protocol;
        let spec = PlanSpec { seed, test: Some(test), selection, resample, reshuffle, cap };
        let own_test = answer.get("train").and_then(Json::as_u64).map(|n| n as usize);
        let plan = match own_test.filter(|train| *train < labels.len()) {
            Some(train) => Plan::with_test_rows(spec, rows, (train..labels.len()).collect())?,
            None => Plan::new(spec, rows)?,
        };
        Ok(Self { wire, space, labels, plan })
    }

    /// The pipe, for the next run.
    pub fn into_wire(self) -> Wire {
        self.wire
    }

    /// True classes of all rows.
    pub fn labels(&self) -> &[u32] {
        &self.labels
    }

    /// Which rows do what.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Classes predicted for the validation rows of every split; `None` if learning failed.
    pub fn predict(
        &mut self,
        configuration: &Configuration,
        splits: &[Split],
    ) -> Result<Option<Vec<Vec<u32>>>, BenchError> {
        let rows: Vec<Json> = splits.iter().map(|split| json!([split.train, split.valid])).collect();
        let request = json!({ "learn": written(&self.space, configuration), "splits": rows });
        let answer = self.wire.call(&request)?;
        if answer.get("failed").is_some() {
            return Ok(None);
        }
        let lists = answer.get("predictions").and_then(Json::as_array);
        let lists = lists.and_then(|lists| lists.iter().map(|list| whole_numbers(Some(list))).collect());
        match lists {
            Some(lists) => Ok(Some(lists)),
            None => Err(self.wire.trouble("answered `learn` without `predictions`")),
        }
    }

    /// Mean share of wrong predictions over the splits.
    pub fn error(
        &mut self,
        configuration: &Configuration,
        splits: &[Split],
    ) -> Result<Option<f64>, BenchError> {
        let Some(predictions) = self.predict(configuration, splits)? else { return Ok(None) };
        let share = |(split, list): (&Split, &Vec<u32>)| self.wrong(&split.valid, list);
        let total: f64 = splits.iter().zip(&predictions).map(share).sum();
        Ok(Some(total / splits.len() as f64))
    }

    /// Share of these rows whose prediction is wrong.
    pub fn wrong(&self, rows: &[usize], predicted: &[u32]) -> f64 {
        let wrong = rows.iter().zip(predicted).filter(|(row, class)| self.labels[**row] != **class).count();
        wrong as f64 / rows.len().max(1) as f64
    }

    /// All rows that are searched on against the test rows.
    pub fn final_split(&self) -> Split {
        Split { train: self.plan.search().to_vec(), valid: self.plan.test().to_vec() }
    }
}

impl Session for Learner {
    fn space(&self) -> &Space {
        &self.space
    }

    fn evaluate(&mut self, configuration: &Configuration, trial: usize) -> Result<Option<f64>, BenchError> {
        let splits = self.plan.splits(trial as u64)?;
        // A learner that cannot learn is always wrong, as in the papers.
        Ok(Some(self.error(configuration, &splits)?.unwrap_or(1.0)))
    }

    fn test(&mut self, configuration: &Configuration) -> Result<Option<f64>, BenchError> {
        let split = self.final_split();
        self.error(configuration, &[split])
    }
}

fn whole_numbers(list: Option<&Json>) -> Option<Vec<u32>> {
    list?.as_array()?.iter().map(|n| n.as_u64().and_then(|n| u32::try_from(n).ok())).collect()
}
