//! Which parameters mattered? Shares of the variance of the loss, read off a finished or running history.
//!
//! A parameter that exists in some configurations only is judged among those: its region is the trials in which it
//! was active, and it competes with the parameters that are active in all of them. Within one branch nothing is
//! conditional any more. Laws: shares are not negative; a parameter the loss does not depend on tends to zero.
mod fanova;
#[cfg(test)]
mod laws;
mod ped_anova;

pub use fanova::{Fanova, Interaction};
pub use ped_anova::PedAnova;

use crate::error::SearchError;
use crate::history::History;
use crate::trial::Trial;
use arbora_space::{BranchKey, Branching, ParamId, Space};

/// What one parameter accounts for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Importance {
    /// Which.
    pub parameter: ParamId,
    /// Its share of the variance in its region, from 0 to 1.
    pub share: f64,
    /// How many trials it is judged by.
    pub trials: usize,
}

/// Fewer trials than this say nothing.
const LEAST: usize = 4;

/// Parameters that vary together, and the trials in which they are active.
struct Region<'h> {
    /// Parameters active in exactly these trials.
    judged: Vec<ParamId>,
    /// Parameters active in all of them.
    present: Vec<ParamId>,
    trials: Vec<&'h Trial>,
}

/// Full evaluations with a loss, of one branch or of all, grouped by who is active in them.
fn regions<'h>(space: &Space, history: &'h History, branch: Option<BranchKey>) -> Vec<Region<'h>> {
    let complete = history.teaching().filter(|t| t.loss().is_some());
    let inside =
        |t: &&Trial| branch.is_none_or(|key| space.branch(&t.configuration, Branching::Literal) == key);
    let trials: Vec<&Trial> = complete.filter(inside).collect();
    let varies = |id: &ParamId| space.parameter(*id).domain().levels() != Some(1);
    let mut regions: Vec<(Vec<bool>, Vec<ParamId>)> = Vec::new();
    for id in space.ids().filter(varies) {
        let active: Vec<bool> = trials.iter().map(|t| t.configuration.is_active(id)).collect();
        match regions.iter_mut().find(|(mask, _)| *mask == active) {
            Some((_, judged)) => judged.push(id),
            None => regions.push((active, vec![id])),
        }
    }
    let build = |(mask, judged): (Vec<bool>, Vec<ParamId>)| {
        let own: Vec<&Trial> = trials.iter().zip(&mask).filter(|(_, is)| **is).map(|(t, _)| *t).collect();
        let is_present = |id: &ParamId| own.iter().all(|t| t.configuration.is_active(*id));
        let present = space.ids().filter(varies).filter(is_present).collect();
        Region { judged, present, trials: own }
    };
    regions.into_iter().map(build).filter(|region| region.trials.len() >= LEAST).collect()
}

/// Largest first; ties in the order of the parameters.
fn ranked(mut all: Vec<Importance>) -> Vec<Importance> {
    all.sort_by(|a, b| b.share.total_cmp(&a.share).then(a.parameter.cmp(&b.parameter)));
    all
}

/// Why there is nothing to say.
fn too_few(history: &History) -> SearchError {
    SearchError::TooFewTrials { needed: LEAST, found: history.len() }
}
