//! Selection by posterior mean: the loss a model expects of a trial, instead of the observed one.
//!
//! γ̂ = argmin (1/S) Σₛ μₛ(γ), over evaluated configurations or over the whole space  [Lévesque
//! 2018, §3.4]. The latter needs one more evaluation, which pays off when there are few trials.
use crate::error::EvaluationError;
use arbora_model::{Dataset, Interrupt, Model, SurrogateContext, Workers};
use arbora_search::acquisition::ConfidenceBound;
use arbora_search::design::RandomDesign;
use arbora_search::{AcquisitionSpec, Ask, DesignSpec, History, ModelSpec, StrategySpec, Trial};
use arbora_space::{Branching, Configuration, Encoding, Rng, Space};

/// A model fitted to a finished study, and its predictions at the study's own trials.
pub struct Posterior {
    model: Box<dyn Model>,
    encoding: Encoding,
    data: Dataset,
    trials: Vec<u64>,
}

/// Random stream of a model that is fitted after the search.
const AFTERWARDS: u64 = 0x706f_7374;

impl Posterior {
    /// Fits the surrogate of a strategy to a history, or to a relevant subset of its trials if
    /// there are many; `None` if there is no loss to learn from.
    pub fn fit(
        space: &Space,
        history: &History,
        spec: &ModelSpec,
        seed: u64,
    ) -> Result<Option<Self>, EvaluationError> {
        Self::fit_until(space, history, spec, seed, Interrupt::never())
    }

    /// Like [`fit`](Self::fit), but can be interrupted: it then returns early with an error.
    pub fn fit_until(
        space: &Space,
        history: &History,
        spec: &ModelSpec,
        seed: u64,
        interrupt: &Interrupt,
    ) -> Result<Option<Self>, EvaluationError> {
        let encoding = Encoding { imputation: spec.imputation.clone(), branching: Branching::Literal };
        let Some(data) = history.dataset(space, &encoding)? else { return Ok(None) };
        let workers = Workers::serial();
        let surrogate = spec.surrogate.build(SurrogateContext::new(space.layout(), &workers))?;
        let mut trials: Vec<u64> = history.observed().iter().map(|(trial, _)| trial.number).collect();
        let mut data = data;
        if let Some(rows) = surrogate.training_rows(&data) {
            data = data.select(&rows)?;
            trials = rows.iter().map(|&row| trials[row]).collect();
        }
        let mut rng = Rng::for_trial(seed ^ AFTERWARDS, history.len() as u64);
        let model = surrogate.fit_until(&data, history.chain().as_ref(), &mut rng, interrupt)?;
        Ok(Some(Self { model, encoding, data, trials }))
    }

    /// The fitted model.
    pub fn model(&self) -> &dyn Model {
        self.model.as_ref()
    }

    /// How configurations become points.
    pub fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    /// The training data, in the order of [`trials`](Self::trials).
    pub fn data(&self) -> &Dataset {
        &self.data
    }

    /// Numbers of the trials in the training data.
    pub fn trials(&self) -> &[u64] {
        &self.trials
    }

    /// Expected losses of these trials.
    pub fn means(&self) -> Vec<f64> {
        self.model.predict(self.data.points()).mixture_mean()
    }
}

/// Where to look for the lowest posterior mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PosteriorMean {
    /// Among evaluated trials: needs no more evaluations.
    #[default]
    Evaluated,
    /// In the whole space: the configuration may be new, and then needs an evaluation.
    Anywhere,
}

impl PosteriorMean {
    /// The chosen configuration, or `None` if nothing was observed. Never a failed trial.
    pub fn choose(
        self,
        space: &Space,
        history: &History,
        spec: &ModelSpec,
        seed: u64,
    ) -> Result<Option<Configuration>, EvaluationError> {
        self.choose_until(space, history, spec, seed, Interrupt::never())
    }

    /// Like [`choose`](Self::choose), but can be interrupted: it then returns early with an error.
    pub fn choose_until(
        self,
        space: &Space,
        history: &History,
        spec: &ModelSpec,
        seed: u64,
        interrupt: &Interrupt,
    ) -> Result<Option<Configuration>, EvaluationError> {
        let Some(posterior) = Posterior::fit_until(space, history, spec, seed, interrupt)? else {
            return Ok(None);
        };
        match self {
            PosteriorMean::Evaluated => Ok(least_mean(&posterior, history).map(|t| t.configuration.clone())),
            PosteriorMean::Anywhere => anywhere(space, history, spec, seed, interrupt).map(Some),
        }
    }
}

/// The completed trial with the lowest expected loss; ties go to the earliest.
pub(crate) fn least_mean<'h>(posterior: &Posterior, history: &'h History) -> Option<&'h Trial> {
    let means = posterior.means();
    let judged = posterior.trials.iter().zip(means).filter_map(|(&number, mean)| {
        let trial = history.trials().get(usize::try_from(number).ok()?)?;
        trial.loss().map(|_| (mean, trial))
    });
    judged.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, trial)| trial)
}

/// Minimises the posterior mean: a lower confidence bound with zero deviations.
fn anywhere(
    space: &Space,
    history: &History,
    spec: &ModelSpec,
    seed: u64,
    interrupt: &Interrupt,
) -> Result<Configuration, EvaluationError> {
    let mean = ModelSpec {
        design: DesignSpec::new(RandomDesign { count: 0 }),
        acquisition: AcquisitionSpec::new(ConfidenceBound { kappa: Some(0.0) }),
        ..spec.clone()
    };
    let strategy = StrategySpec::new(mean).build(space, &Workers::serial())?;
    let ask = Ask { space, history, seed, repeats: true, interrupt };
    let mut rng = Rng::for_trial(seed ^ AFTERWARDS, history.len() as u64);
    Ok(strategy.suggest(&ask, &mut rng)?.configuration)
}
