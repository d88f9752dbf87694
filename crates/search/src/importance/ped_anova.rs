//! PED-ANOVA  [Watanabe et al. 2023]: which parameters set the best trials apart from the rest?
//!
//! v_j = ∫ p_j(x | all)·(p_j(x | best γ)/p_j(x | all) − 1)² dx: the Pearson divergence of one-dimensional Parzen
//! densities, on a grid of 50 places or over categories, normalised over the parameters of a region. O(n·50) per
//! parameter, no model of the loss. It sees single parameters only: what matters through an interaction alone is
//! missed, and very few good trials make it noisy.
use super::{Importance, ranked, regions, too_few};
use crate::error::SearchError;
use crate::history::History;
use crate::trial::Trial;
use arbora_model::parzen::{CategoryDensity, NumberDensity};
use arbora_space::{BranchKey, Domain, ParamId, Space};

/// Places at which densities are compared.
const GRID: usize = 50;

/// Added to densities, so that no ratio is of nothing.
const FLOOR: f64 = 1e-12;

/// Divergence of the best from the rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PedAnova {
    /// γ: the share of trials that are best.
    pub best: f64,
    /// γ′: the share they are compared with; below one, importance near the good trials.
    pub among: f64,
}

impl Default for PedAnova {
    fn default() -> Self {
        Self { best: 0.1, among: 1.0 }
    }
}

impl PedAnova {
    /// Shares of divergence, largest first; in one branch, or each in the region where it is active.
    pub fn shares(
        &self,
        space: &Space,
        history: &History,
        branch: Option<BranchKey>,
    ) -> Result<Vec<Importance>, SearchError> {
        if !(self.best > 0.0 && self.best < self.among && self.among <= 1.0) {
            let value = format!("{} of {}", self.best, self.among);
            let problem = "the best must be a part of those they are compared with, 0 < best < among ≤ 1";
            return Err(SearchError::BadSetting { setting: "best", value, problem });
        }
        let mut all = Vec::new();
        for region in regions(space, history, branch) {
            let mut trials = region.trials.clone();
            trials.sort_by(|a, b| a.loss().partial_cmp(&b.loss()).expect("losses are finite"));
            let take = |share: f64| ((share * trials.len() as f64).ceil() as usize).max(2);
            let (best, among) = (&trials[..take(self.best)], &trials[..take(self.among)]);
            let divergence = |id: &ParamId| divergence(space, *id, best, among);
            let total: f64 = region.present.iter().map(divergence).sum();
            for &parameter in &region.judged {
                let share = if total > 0.0 { divergence(&parameter) / total } else { 0.0 };
                all.push(Importance { parameter, share, trials: trials.len() });
            }
        }
        if all.is_empty() { Err(too_few(history)) } else { Ok(ranked(all)) }
    }
}

/// Σ p·(q/p − 1)², q of the best, p of all.
fn divergence(space: &Space, id: ParamId, best: &[&Trial], among: &[&Trial]) -> f64 {
    let domain = space.parameter(id).domain();
    let pearson = |q: Vec<f64>, p: Vec<f64>| -> f64 {
        let terms = q.iter().zip(&p).map(|(q, p)| (q + FLOOR, p + FLOOR));
        terms.map(|(q, p)| p * (q / p - 1.0).powi(2)).sum()
    };
    let values = |trials: &[&Trial]| -> Vec<arbora_space::Value> {
        trials.iter().filter_map(|t| t.configuration.get(id).cloned()).collect()
    };
    if let Domain::Labels(labels) = domain {
        let k = labels.len();
        let masses = |trials: &[&Trial]| -> Vec<f64> {
            let seen: Vec<usize> = values(trials).iter().filter_map(|v| labels.index_of(v)).collect();
            let density = CategoryDensity::new(&seen, &vec![1.0 / k as f64; k]);
            (0..k).map(|i| libm::exp(density.ln_mass(i))).collect()
        };
        return pearson(masses(best), masses(among));
    }
    let densities = |trials: &[&Trial]| -> Vec<f64> {
        let places: Vec<f64> = values(trials).iter().map(|v| domain.encode(v)).collect();
        let density = NumberDensity::new(&places, (0.5, 1.0));
        let at = |i: usize| (i as f64 + 0.5) / GRID as f64;
        (0..GRID).map(|i| libm::exp(density.ln_density(at(i))) / GRID as f64).collect()
    };
    pearson(densities(best), densities(among))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::importance::laws::study_of;
    use crate::importance::{Fanova, Interaction};
    use arbora_space::{Branching, Param, Rng};

    fn tree() -> Space {
        Space::new([
            Param::choice("m", ["a", "b"]),
            Param::real("x", 0.0, 1.0).when("m == 'a'"),
            Param::real("y", 0.0, 1.0).when("m == 'a'"),
            Param::integer("k", 1, 50).when("m == 'b'"),
            Param::real("idle", 0.0, 1.0),
        ])
        .unwrap()
    }

    fn loss(v: &dyn Fn(&str) -> f64) -> f64 {
        // NaN marks what is inactive.
        let (x, y, k) = (v("x"), v("y"), v("k"));
        if k.is_nan() { 4.0 * (x - 0.2).powi(2) + 0.2 * y } else { 1.0 + (k / 50.0 - 0.5).powi(2) }
    }

    #[test]
    fn both_methods_name_the_parameter_that_matters_in_its_own_region() {
        let space = tree();
        let study = study_of(&space, 300, |v| loss(v));
        let fanova = Fanova::default().shares(&space, study.history(), None, &mut Rng::new(2)).unwrap();
        let ped = PedAnova::default().shares(&space, study.history(), None).unwrap();
        for shares in [fanova, ped] {
            let of =
                |name: &str| shares.iter().find(|s| space.parameter(s.parameter).name() == name).unwrap();
            assert!(of("x").share > 3.0 * of("y").share, "{shares:?}");
            assert!(of("k").share > 0.5 && of("idle").share < 0.3, "{shares:?}");
            assert!(of("x").trials + of("k").trials == 300 && of("m").trials == 300);
            assert!(shares.iter().all(|s| s.share >= 0.0 && s.share <= 1.0 + 1e-9));
        }
    }

    #[test]
    fn within_a_branch_only_its_parameters_are_judged() {
        let space = tree();
        let study = study_of(&space, 200, |v| loss(v));
        let of_a = study.history().trials().iter().find(|t| t.configuration.len() == 4).unwrap();
        let branch = Some(space.branch(&of_a.configuration, Branching::Literal));
        let shares = PedAnova::default().shares(&space, study.history(), branch).unwrap();
        let names: Vec<&str> = shares.iter().map(|s| space.parameter(s.parameter).name()).collect();
        assert_eq!(names[0], "x");
        assert!(!names.contains(&"k"));
        let pairs: Vec<Interaction> =
            Fanova::default().interactions(&space, study.history(), branch, &mut Rng::new(1)).unwrap();
        assert!(pairs.iter().all(|p| space.parameter(p.first).name() != "k"));
    }

    #[test]
    fn too_little_to_say_is_said() {
        let space = tree();
        let error = PedAnova::default().shares(&space, &History::new(), None).unwrap_err();
        assert!(error.to_string().contains("at least 4"), "{error}");
    }
}
