//! Efforts that grow by a constant factor, and who deserves to climb.
use crate::error::SearchError;
use crate::trial::{Effort, Trial};

/// Counts and shares are powers; within this of a whole number they are it.
const ROUNDING: f64 = 1e-9;

/// How efforts grow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ladder {
    /// η: the share kept is 1/η, the effort grows by η.
    pub(crate) eta: f64,
    /// The least share of an evaluation.
    pub(crate) smallest: f64,
}

impl Ladder {
    pub(crate) fn check(&self) -> Result<(), SearchError> {
        let bad = |setting, value: f64, problem| {
            Err(SearchError::BadSetting { setting, value: value.to_string(), problem })
        };
        if !(self.eta >= 2.0 && self.eta.is_finite()) {
            return bad("eta", self.eta, "it must be at least 2");
        }
        if !(self.smallest > 0.0 && self.smallest <= 1.0) {
            return bad("smallest", self.smallest, "a share is above 0 and at most 1");
        }
        Ok(())
    }

    /// s_max: how often the smallest share can grow.
    pub(crate) fn top(&self) -> u32 {
        let steps = libm::log(self.smallest.recip()) / libm::log(self.eta);
        (steps + ROUNDING).floor() as u32
    }

    /// The effort that is `below` steps from full.
    pub(crate) fn effort(&self, below: u32) -> Effort {
        if below == 0 { Effort::Full } else { Effort::Share(libm::pow(self.eta, -f64::from(below))) }
    }

    /// Configurations a bracket starts with: ⌈(s_max+1)·η^s/(s+1)⌉.
    pub(crate) fn width(&self, bracket: u32) -> usize {
        let exact =
            f64::from(self.top() + 1) * libm::pow(self.eta, f64::from(bracket)) / f64::from(bracket + 1);
        (exact - ROUNDING).ceil() as usize
    }

    /// How many of a rung go on.
    pub(crate) fn kept(&self, count: usize) -> usize {
        (count as f64 / self.eta + ROUNDING).floor() as usize
    }
}

/// By loss, failures last, ties in the order of asking.
pub(crate) fn ranked<'h>(trials: &[&'h Trial]) -> Vec<&'h Trial> {
    let mut ranked = trials.to_vec();
    ranked.sort_by(|a, b| {
        let loss = |t: &Trial| t.loss().unwrap_or(f64::INFINITY);
        loss(a).total_cmp(&loss(b)).then(a.number.cmp(&b.number))
    });
    ranked
}
