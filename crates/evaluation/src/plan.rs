//! The plan of an evaluation: which rows test, which select, how the others are divided for every trial.
//!
//! Splits are a function of (seed, trial) and of nothing else, so they are the same for every method compared and
//! after every restart. Test and selection rows are drawn once and never touched by reshuffling  [Lévesque 2018, ch. 3].
use crate::error::EvaluationError;
use crate::resample::{Resample, ResampleSpec, Share, Split};
use crate::rows::Rows;
use arbora_space::Rng;
use serde::{Deserialize, Serialize};

/// When rows are divided anew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reshuffle {
    /// Never: every trial sees the same splits, and tuning adapts to their accidents.
    #[default]
    Never,
    /// For every trial: losses become noisier and more honest.
    EachTrial,
    /// For every so many trials: the members of a generation are compared on the same rows.
    EachGeneration {
        /// Trials of a generation.
        size: u64,
    },
}

/// A plan as data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlanSpec {
    /// The source of all randomness.
    pub seed: u64,
    /// Share of all rows kept for the very end; the latest ones where rows have an order, as below.
    pub test: Option<f64>,
    /// Share of the remaining rows that only choose among finished trials.
    pub selection: Option<f64>,
    /// How the others are divided.
    pub resample: ResampleSpec,
    /// When they are divided anew.
    pub reshuffle: Reshuffle,
    /// No more training rows than this; what is over validates.
    pub cap: Option<usize>,
}

/// Which rows do what.
pub struct Plan {
    spec: PlanSpec,
    rows: Rows,
    resample: Box<dyn Resample>,
    test: Vec<usize>,
    selection: Vec<usize>,
    search: Vec<usize>,
}

/// Streams of random numbers that never meet: one for the parts, one for each round of splits.
const PARTS: u64 = 0x7061_7274_7300;
const ROUNDS: u64 = 0x726f_756e_6473;

impl Plan {
    /// Draws the test and selection rows.
    pub fn new(spec: PlanSpec, rows: Rows) -> Result<Self, EvaluationError> {
        let all: Vec<usize> = (0..rows.count()).collect();
        Self::within(spec, rows, Vec::new(), all)
    }

    /// The same for data that bring their own test rows.
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

    /// The plan as data.
    pub fn spec(&self) -> &PlanSpec {
        &self.spec
    }

    /// Rows for the very end; nothing may learn from them or choose by them.
    pub fn test(&self) -> &[usize] {
        &self.test
    }

    /// Rows that only choose among finished trials.
    pub fn selection(&self) -> &[usize] {
        &self.selection
    }

    /// Rows the search may learn from and validate on.
    pub fn search(&self) -> &[usize] {
        &self.search
    }

    /// What a trial is evaluated on.
    pub fn splits(&self, trial: u64) -> Result<Vec<Split>, EvaluationError> {
        self.splits_of_round(self.round(trial))
    }

    /// Splits no trial of the search has seen, for confirming what it found.
    pub fn fresh_splits(&self, number: u64) -> Result<Vec<Split>, EvaluationError> {
        self.splits_of_round(u64::MAX - number)
    }

    /// Trials of one round share their splits, so their losses can be compared row by row.
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
