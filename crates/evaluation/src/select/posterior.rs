//! Selection by posterior mean: what a model expects a trial to be worth, not what it happened to score.
//!
//! γ̂ = argmin (1/S) Σₛ μₛ(γ), over evaluated configurations or over the whole space  [Lévesque 2018, §3.4]. The latter
//! needs one more evaluation, and is worth it when trials are few.
use crate::error::EvaluationError;
use arbora_model::{Dataset, Interrupt, Model, SurrogateContext, Workers};
use arbora_search::acquisition::ConfidenceBound;
use arbora_search::design::RandomDesign;
use arbora_search::{AcquisitionSpec, Ask, DesignSpec, History, ModelSpec, StrategySpec, Trial};
use arbora_space::{Branching, Configuration, Encoding, Rng, Space};

/// A model of everything a study has seen, asked about its own trials.
pub struct Posterior {
    model: Box<dyn Model>,
    encoding: Encoding,
    data: Dataset,
    trials: Vec<u64>,
}

/// Stream of random numbers of a model that is fitted after the fact.
const AFTERWARDS: u64 = 0x706f_7374;

impl Posterior {
    /// Fits the surrogate of a strategy to a history, or to the trials of it that matter; `None` if there is no loss to learn from.
    pub fn fit(
        space: &Space,
        history: &History,
        spec: &ModelSpec,
        seed: u64,
    ) -> Result<Option<Self>, EvaluationError> {
        Self::fit_until(space, history, spec, seed, Interrupt::never())
    }

    /// The same, unless it is interrupted: then it ends soon, with an error.
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
        let mut trials: Vec<u64> =
            history.trials().iter().filter(|t| is_observed(t)).map(|t| t.number).collect();
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

    /// What was observed, in the order of [`trials`](Self::trials).
    pub fn data(&self) -> &Dataset {
        &self.data
    }

    /// Numbers of the observed trials.
    pub fn trials(&self) -> &[u64] {
        &self.trials
    }

    /// Expected losses of the observed trials.
    pub fn means(&self) -> Vec<f64> {
        self.model.predict(self.data.points()).mixture_mean()
    }
}

/// Observed: evaluated in full, well or badly.
fn is_observed(trial: &Trial) -> bool {
    trial.effort.is_full() && trial.outcome.as_ref().is_some_and(|o| !o.is_abandoned())
}

/// Where the least posterior mean is looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PosteriorMean {
    /// Among trials that were evaluated: costs nothing more.
    #[default]
    Evaluated,
    /// In the whole space: the configuration may be new and then needs an evaluation.
    Anywhere,
}

impl PosteriorMean {
    /// The chosen configuration; `None` if nothing was observed. A failed trial is never chosen.
    pub fn choose(
        self,
        space: &Space,
        history: &History,
        spec: &ModelSpec,
        seed: u64,
    ) -> Result<Option<Configuration>, EvaluationError> {
        self.choose_until(space, history, spec, seed, Interrupt::never())
    }

    /// The same, unless it is interrupted: then it ends soon, with an error.
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

/// The completed trial of least expected loss; the earliest where several tie.
pub(crate) fn least_mean<'h>(posterior: &Posterior, history: &'h History) -> Option<&'h Trial> {
    let means = posterior.means();
    let judged = posterior.trials.iter().zip(means).filter_map(|(&number, mean)| {
        let trial = history.trials().get(usize::try_from(number).ok()?)?;
        trial.loss().map(|_| (mean, trial))
    });
    judged.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, trial)| trial)
}

/// The optimist without optimism: a lower confidence bound of zero deviations is the posterior mean.
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
