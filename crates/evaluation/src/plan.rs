//! The evaluation plan: which rows are used for test and selection, and how the others are split
//! for each trial.
//!
//! Splits are a function of (seed, trial) and nothing else, so they are the same for all methods
//! under comparison and after every restart. Test and selection rows are drawn once; reshuffling
//! never touches them  [Lévesque 2018, ch. 3].
use crate::error::EvaluationError;
use crate::resample::{Resample, ResampleSpec, Share, Split};
use crate::rows::Rows;
use arbora_space::Rng;
use serde::{Deserialize, Serialize};

/// When to redraw the splits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reshuffle {
    /// Never: all trials share the same splits, and tuning overfits them.
    #[default]
    Never,
    /// For every trial: losses are noisier but less biased.
    EachTrial,
    /// Once per generation: trials of one generation are compared on the same rows.
    EachGeneration {
        /// Trials per generation.
        size: u64,
    },
}

/// A plan as plain data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlanSpec {
    /// Seed of all random choices.
    pub seed: u64,
    /// Share of all rows kept for the final test. If rows are ordered, these are the latest rows,
    /// and likewise for `selection`.
    pub test: Option<f64>,
    /// Share of the remaining rows, used only to choose among finished trials.
    pub selection: Option<f64>,
    /// How to split the other rows.
    pub resample: ResampleSpec,
    /// When to split them anew.
    pub reshuffle: Reshuffle,
    /// Maximum number of training rows; surplus rows are moved to the validation set.
    pub cap: Option<usize>,
}

/// Which rows are used for training, validation, selection and test.
pub struct Plan {
    spec: PlanSpec,
    rows: Rows,
    resample: Box<dyn Resample>,
    test: Vec<usize>,
    selection: Vec<usize>,
    search: Vec<usize>,
}

/// Independent random streams: one for test and selection rows, one for each round of splits.
const PARTS: u64 = 0x7061_7274_7300;
const ROUNDS: u64 = 0x726f_756e_6473;

impl Plan {
    /// Draws the test and selection rows.
    pub fn new(spec: PlanSpec, rows: Rows) -> Result<Self, EvaluationError> {
        let all: Vec<usize> = (0..rows.count()).collect();
        Self::within(spec, rows, Vec::new(), all)
    }

    /// Like [`new`](Self::new), for data with given test rows.
    pub fn with_test_rows(spec: PlanSpec, rows: Rows, test: Vec<usize>) -> Result<Self, EvaluationError> {
        if let Some(&row) = test.iter().find(|row| **row >= rows.count()) {
            return Err(EvaluationError::NoSuchRow { row, rows: rows.count() });
        }
        let mut test = test;
        test.sort_unstable();
        test.dedup();
        let others = (0..rows.count()).filter(|row| test.binary_search(row).is_err()).collect();
        Self::within(PlanSpec { test: None, ..spec }, rows, test, others)
    }

    fn within(
        spec: PlanSpec,
        rows: Rows,
        mut test: Vec<usize>,
        mut search: Vec<usize>,
    ) -> Result<Self, EvaluationError> {
        if let Reshuffle::EachGeneration { size: 0 } = spec.reshuffle {
            return Err(EvaluationError::TooSmall { what: "the size of a generation", least: 1, given: 0 });
        }
        if spec.cap == Some(0) {
            return Err(EvaluationError::TooSmall { what: "the cap on training rows", least: 1, given: 0 });
        }
        let (resample, mut rng) = (spec.resample.build()?, Rng::for_trial(spec.seed ^ PARTS, 0));
        if let Some(of_rows) = spec.test {
            let share = Share { what: "the test share", of_rows };
            (test, search) = resample.set_apart(&rows, &search, share, &mut rng)?;
        }
        let mut selection = Vec::new();
        if let Some(of_rows) = spec.selection {
            let share = Share { what: "the selection share", of_rows };
            (selection, search) = resample.set_apart(&rows, &search, share, &mut rng)?;
        }
        let plan = Self { spec, rows, resample, test, selection, search };
        plan.splits(0)?;
        Ok(plan)
    }

    /// The spec of this plan.
    pub fn spec(&self) -> &PlanSpec {
        &self.spec
    }

    /// Rows for the final test; do not train on them or select by them.
    pub fn test(&self) -> &[usize] {
        &self.test
    }

    /// Rows used only to choose among finished trials.
    pub fn selection(&self) -> &[usize] {
        &self.selection
    }

    /// Rows the search may use for training and validation.
    pub fn search(&self) -> &[usize] {
        &self.search
    }

    /// The splits on which to evaluate a trial.
    pub fn splits(&self, trial: u64) -> Result<Vec<Split>, EvaluationError> {
        self.splits_of_round(self.round(trial))
    }

    /// Splits that no trial of the search has seen, to confirm its result.
    pub fn fresh_splits(&self, number: u64) -> Result<Vec<Split>, EvaluationError> {
        self.splits_of_round(u64::MAX - number)
    }

    /// Number of the round. Trials of one round have the same splits, so their losses can be
    /// compared row by row.
    pub fn round(&self, trial: u64) -> u64 {
        match self.spec.reshuffle {
            Reshuffle::Never => 0,
            Reshuffle::EachTrial => trial,
            Reshuffle::EachGeneration { size } => trial / size,
        }
    }

    fn splits_of_round(&self, round: u64) -> Result<Vec<Split>, EvaluationError> {
        let mut rng = Rng::for_trial(self.spec.seed ^ ROUNDS, round);
        let mut splits = self.resample.splits(&self.rows, &self.search, &mut rng)?;
        if let Some(cap) = self.spec.cap {
            for split in &mut splits {
                self.resample.cap(split, cap, &mut rng);
            }
        }
        Ok(splits)
    }
}
