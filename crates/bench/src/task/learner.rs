//! Learners in another process: they fit rows and predict others; which rows is decided here.
//!
//! Splits come from [`arbora_evaluation::Plan`] and so are a function of (seed, trial): the same for every method.
use super::Task;
use crate::error::BenchError;
use crate::json_process::JsonProcess;
use arbora_evaluation::{Plan, PlanSpec, ResampleSpec, Reshuffle, Rows, Split};
use arbora_space::{Configuration, Rng, Space};
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
    /// Is the loss an error on the test part itself, of so many rows?
    pub on_test: Option<Sizes>,
}

/// Most rows of the two parts of the data; more are passed over at random.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// To train on.
    pub train: usize,
    /// To judge by.
    pub test: usize,
}

impl Sizes {
    /// The one split of a run.
    fn split(self, plan: &Plan) -> Split {
        let mut rng = Rng::for_trial(plan.spec().seed ^ SUBSETS, 0);
        let mut some_of = |rows: &[usize], most: usize| {
            let mut rows = rows.to_vec();
            if rows.len() > most {
                rng.shuffle(&mut rows);
                rows.truncate(most);
                rows.sort_unstable();
            }
            rows
        };
        Split { train: some_of(plan.search(), self.train), valid: some_of(plan.test(), self.test) }
    }
}

/// A stream of random numbers that no plan uses.
const SUBSETS: u64 = 0x7375_6273_6574;

impl Protocol {
    /// Five folds, a fifth of the rows for testing  [Lévesque et al. 2017, §V].
    pub fn cross_validation() -> Self {
        let resample = ResampleSpec::Folds { count: 5, times: 1 };
        let reshuffle = Reshuffle::Never;
        Self { resample, reshuffle, test: 0.2, selection: None, cap: None, on_test: None }
    }

    /// How the paper that brought a kind of learner judges it: networks by their error on the test
    /// part (a fifth of the rows unless the data bring one), trained on at most 1000 of the others and
    /// judged by at most 10 000  [J17, §4.2: the sizes of both parts shape the function that is
    /// searched, and no third part is named]; everything else by five folds.
    pub fn of(kind: &str) -> Self {
        let on_test = kind.starts_with("mlp-").then_some(Sizes { train: 1000, test: 10_000 });
        Self { on_test, ..Self::cross_validation() }
    }
}

/// Mean shares of wrong predictions of a trial's models.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Errors {
    /// On the validation rows of each.
    pub validation: f64,
    /// On the rows held back for selection; zero where there are none.
    pub selection: f64,
}

/// What one model says.
struct Predicted {
    /// About its validation rows.
    valid: Vec<u32>,
    /// About other rows it was asked about.
    also: Vec<u32>,
}

impl Predicted {
    fn read(lists: &Json, has_more: bool) -> Option<Self> {
        let also = if has_more { whole_numbers(lists.get(1))? } else { Vec::new() };
        Some(Self { valid: whole_numbers(lists.get(0))?, also })
    }
}

/// A data set and the learners that can be tried on it.
pub struct Learner {
    process: JsonProcess,
    space: Space,
    labels: Vec<u32>,
    plan: Plan,
    /// What every trial is judged on, where the plan does not say it.
    on_test: Option<Split>,
}

impl Learner {
    /// Opens a data set for a run.
    pub fn open(
        mut process: JsonProcess,
        name: &str,
        seed: u64,
        protocol: &Protocol,
    ) -> Result<Self, BenchError> {
        let answer = process.call(&json!({ "open": name, "seed": seed }))?;
        let space =
            answer.get("space").ok_or_else(|| process.trouble("opened a data set without a `space`"))?;
        let space = Space::from_json_value(space)?;
        let labels = whole_numbers(answer.get("labels"))
            .ok_or_else(|| process.trouble("opened a data set without `labels`"))?;
        let rows = Rows::new(labels.len()).with_classes(labels.clone())?;
        let Protocol { resample, reshuffle, test, selection, cap, on_test } = *protocol;
        let spec = PlanSpec { seed, test: Some(test), selection, resample, reshuffle, cap };
        let own_test = answer.get("train").and_then(Json::as_u64).map(|n| n as usize);
        let plan = match own_test.filter(|train| *train < labels.len()) {
            Some(train) => Plan::with_test_rows(spec, rows, (train..labels.len()).collect())?,
            None => Plan::new(spec, rows)?,
        };
        let on_test = on_test.map(|sizes| sizes.split(&plan));
        Ok(Self { process, space, labels, plan, on_test })
    }

    /// The pipe, for the next run.
    pub fn into_process(self) -> JsonProcess {
        self.process
    }

    /// True classes of all rows.
    pub fn labels(&self) -> &[u32] {
        &self.labels
    }

    /// Which rows do what.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// What a trial is evaluated on.
    pub fn splits(&self, trial: usize) -> Result<Vec<Split>, BenchError> {
        match &self.on_test {
            Some(split) => Ok(vec![split.clone()]),
            None => Ok(self.plan.splits(trial as u64)?),
        }
    }

    /// Classes predicted for the validation rows of every split; `None` if learning failed.
    pub fn predict(
        &mut self,
        configuration: &Configuration,
        splits: &[Split],
    ) -> Result<Option<Vec<Vec<u32>>>, BenchError> {
        let predicted = self.fit(configuration, splits, &[])?;
        Ok(predicted.map(|models| models.into_iter().map(|model| model.valid).collect()))
    }

    /// Mean share of wrong predictions over the splits.
    pub fn error(
        &mut self,
        configuration: &Configuration,
        splits: &[Split],
    ) -> Result<Option<f64>, BenchError> {
        let models = self.fit(configuration, splits, &[])?;
        Ok(models.map(|models| self.mean_wrong(splits, &models)))
    }

    /// What the models of a trial get wrong: each is asked about its own validation rows and about
    /// the rows held back for selection, which it has not seen either; `None` if learning failed.
    pub fn errors(
        &mut self,
        configuration: &Configuration,
        trial: usize,
    ) -> Result<Option<Errors>, BenchError> {
        let (splits, held_back) = (self.splits(trial)?, self.plan.selection().to_vec());
        let models = self.fit(configuration, &splits, &held_back)?;
        Ok(models.map(|models| {
            let selection: f64 = models.iter().map(|model| self.wrong(&held_back, &model.also)).sum();
            let validation = self.mean_wrong(&splits, &models);
            Errors { validation, selection: selection / splits.len() as f64 }
        }))
    }

    fn mean_wrong(&self, splits: &[Split], models: &[Predicted]) -> f64 {
        let share = |(split, model): (&Split, &Predicted)| self.wrong(&split.valid, &model.valid);
        splits.iter().zip(models).map(share).sum::<f64>() / splits.len() as f64
    }

    /// Fits every split once and asks each model about its validation rows and about some more.
    fn fit(
        &mut self,
        configuration: &Configuration,
        splits: &[Split],
        also: &[usize],
    ) -> Result<Option<Vec<Predicted>>, BenchError> {
        let rows = |split: &Split| match also {
            [] => json!([split.train, split.valid]),
            also => json!([split.train, split.valid, also]),
        };
        let rows: Vec<Json> = splits.iter().map(rows).collect();
        let answer =
            self.process.call(&json!({ "learn": self.space.named(configuration), "splits": rows }))?;
        if answer.get("failed").is_some() {
            return Ok(None);
        }
        let models = answer.get("predictions").and_then(Json::as_array);
        let models: Option<Vec<Predicted>> = models
            .and_then(|models| models.iter().map(|lists| Predicted::read(lists, !also.is_empty())).collect());
        match models.filter(|models| models.len() == splits.len()) {
            Some(models) => Ok(Some(models)),
            None => Err(self.process.trouble("answered `learn` without the `predictions` of every split")),
        }
    }

    /// Share of these rows whose prediction is wrong.
    pub fn wrong(&self, rows: &[usize], predicted: &[u32]) -> f64 {
        let wrong = rows.iter().zip(predicted).filter(|(row, class)| self.labels[**row] != **class).count();
        wrong as f64 / rows.len().max(1) as f64
    }

    /// All rows that are searched on or selected by, against the test rows: what is chosen is
    /// trained once more on whatever there is  [T18, §3.2.2].
    pub fn final_split(&self) -> Split {
        let mut train = [self.plan.search(), self.plan.selection()].concat();
        train.sort_unstable();
        Split { train, valid: self.plan.test().to_vec() }
    }
}

impl Task for Learner {
    fn space(&self) -> &Space {
        &self.space
    }

    fn evaluate(&mut self, configuration: &Configuration, trial: usize) -> Result<Option<f64>, BenchError> {
        let splits = self.splits(trial)?;
        // A learner that cannot learn is always wrong, as in the papers.
        Ok(Some(self.error(configuration, &splits)?.unwrap_or(1.0)))
    }

    fn test(&mut self, configuration: &Configuration) -> Result<Option<f64>, BenchError> {
        if self.on_test.is_some() {
            return Ok(None); // The search has seen every row.
        }
        let split = self.final_split();
        self.error(configuration, &[split])
    }
}

fn whole_numbers(list: Option<&Json>) -> Option<Vec<u32>> {
    list?.as_array()?.iter().map(|n| n.as_u64().and_then(|n| u32::try_from(n).ok())).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn split(seed: u64) -> (Split, Plan) {
        let spec = PlanSpec { seed, test: Some(0.2), ..PlanSpec::default() };
        let plan = Plan::new(spec, Rows::new(600)).unwrap();
        (Sizes { train: 100, test: 500 }.split(&plan), plan)
    }

    #[test]
    fn the_test_part_judges_and_too_many_rows_are_passed_over() {
        let (chosen, plan) = split(1);
        assert_eq!((chosen.train.len(), chosen.valid.len()), (100, 120));
        assert!(chosen.train.iter().all(|row| plan.search().contains(row)));
        assert_eq!(chosen.valid, plan.test());
        assert_eq!(split(1).0, chosen, "the same for every method");
        assert_ne!(split(2).0.train, chosen.train);
        assert_ne!(chosen.train, plan.search()[..100], "drawn, not the first");
    }
}
