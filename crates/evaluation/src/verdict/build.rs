//! Computes a verdict from a posterior.
use super::promise::{limited_by_record, record};
use super::repeats::is_noiseless;
use super::{Advice, Judged, Verdict};
use crate::error::EvaluationError;
use crate::select::Posterior;
use arbora_model::special::ln_cdf;
use arbora_model::{FitError, Interrupt, Matrix, Prediction};
use arbora_search::{Direction, History, ModelSpec, Outcome, StudyOptions, Trial, ValueRange};
use arbora_space::{Configuration, Rng, Space};

/// Number of leading trials compared for ties: more made no difference, and the cost of covariances
/// is quadratic.
const LEADERS: usize = 50;

/// A trial is tied with the trusted one if its probability of being better is at least this.
const CHANCE: f64 = 0.05;

/// Number of random configurations whose expected improvement is computed.
const CANDIDATES: usize = 1000;

/// A gain below this share of the noise, or of the spread of losses, is not worth a trial.
const WORTH_NOISE: f64 = 0.1;
const WORTH_SPREAD: f64 = 0.01;

const STREAM: u64 = 0x7665_7264;

/// 97.5 % quantile of the normal distribution.
const TWO_SIDED: f64 = 1.959_963_984_540_054;

impl Verdict {
    /// The verdict on a history, by a model built from `spec`. It is `None` before the first full
    /// evaluation with a loss; `history.missing()` then says why.
    pub fn of(
        space: &Space,
        history: &History,
        options: &StudyOptions,
        spec: &ModelSpec,
    ) -> Result<Option<Self>, EvaluationError> {
        Self::of_until(space, history, options, spec, Interrupt::never())
    }

    /// Like [`of`](Self::of), but can be interrupted: it then returns early with an error.
    pub fn of_until(
        space: &Space,
        history: &History,
        options: &StudyOptions,
        spec: &ModelSpec,
        interrupt: &Interrupt,
    ) -> Result<Option<Self>, EvaluationError> {
        let Some(posterior) = Posterior::fit_until(space, history, spec, options.seed, interrupt)? else {
            return Ok(None);
        };
        let verdict = VerdictInputs::new(space, history, options, &posterior).verdict()?;
        if interrupt.is_raised() { Err(FitError::Interrupted.into()) } else { Ok(verdict) }
    }
}

/// Everything a verdict is computed from.
struct VerdictInputs<'a> {
    space: &'a Space,
    history: &'a History,
    options: &'a StudyOptions,
    posterior: &'a Posterior,
    prediction: Prediction,
    /// Standard deviation of the noise; zero for noiseless studies.
    noise: f64,
    is_noiseless: bool,
    /// Expected losses of the observed trials: those of the model, or the observed ones if
    /// noiseless.
    means: Vec<f64>,
    deviations: Vec<f64>,
}

impl<'a> VerdictInputs<'a> {
    fn new(
        space: &'a Space,
        history: &'a History,
        options: &'a StudyOptions,
        posterior: &'a Posterior,
    ) -> Self {
        let prediction = posterior.model().predict(posterior.data().points());
        let losses = posterior.data().losses();
        let noise = noise(posterior);
        let is_noiseless = is_noiseless(options, history, noise);
        let (means, deviations) = if is_noiseless {
            (losses.to_vec(), vec![0.0; losses.len()])
        } else {
            let deviations = prediction.total_variance().into_iter().map(f64::sqrt).collect();
            (prediction.mixture_mean(), deviations)
        };
        let noise = if is_noiseless { 0.0 } else { noise * spread(losses) };
        Self { space, history, options, posterior, prediction, noise, is_noiseless, means, deviations }
    }

    fn verdict(&self) -> Result<Option<Verdict>, EvaluationError> {
        let completed: Vec<usize> =
            (0..self.means.len()).filter(|&i| self.trial(i).loss().is_some()).collect();
        let by =
            |key: &dyn Fn(usize) -> f64| completed.iter().copied().min_by(|&a, &b| key(a).total_cmp(&key(b)));
        let Some(seen) = by(&|i| self.loss(i)) else { return Ok(None) };
        let trusted = by(&|i| self.means[i]).unwrap_or(seen);
        let tied = self.tied(trusted, &completed);
        let full = |t: &&Trial| t.effort.is_full();
        let losses: Vec<f64> = self.history.trials().iter().filter(full).filter_map(Trial::loss).collect();
        let (record, spread) = (record(&losses), spread(&losses));
        let by_model = self.improvement(self.means[trusted])?.min(self.room_below(self.means[trusted]));
        let promise = limited_by_record(by_model, &losses);
        let ahead = record.as_ref().map_or(losses.len() / 2, |record| record.trials).max(1) as f64;
        let advice = match promise * ahead {
            gain if gain > (WORTH_NOISE * self.noise).max(WORTH_SPREAD * spread) => Advice::MoreTrials,
            _ if tied.len() > 1 && self.noise > WORTH_SPREAD * spread => Advice::Confirm,
            _ => Advice::Enough,
        };
        let failed = |t: &&Trial| matches!(t.outcome, Some(Outcome::Failed { .. }));
        Ok(Some(Verdict {
            direction: self.options.direction,
            is_noiseless: self.is_noiseless,
            complete: losses.len(),
            failed: self.history.trials().iter().filter(failed).count(),
            pruned: self.history.trials().iter().filter(|t| t.is_pruned()).count(),
            best_seen: self.judged(seen),
            trusted: self.judged(trusted),
            tied,
            optimism: (self.means[seen] - self.loss(seen)).max(0.0),
            overtuning: self.overtuning(&completed),
            noise: self.noise,
            promise,
            record,
            splits: None,
            advice,
        }))
    }

    fn trial(&self, i: usize) -> &'a Trial {
        &self.history.trials()[self.posterior.trials()[i] as usize]
    }

    fn loss(&self, i: usize) -> f64 {
        self.posterior.data().losses()[i]
    }

    fn judged(&self, i: usize) -> Judged {
        let reach = TWO_SIDED * self.deviations[i];
        let value = |loss: f64| self.options.range.clamp(self.options.direction.flip(loss));
        let ends = [value(self.means[i] - reach), value(self.means[i] + reach)];
        Judged {
            trial: self.trial(i).number,
            value: self.options.direction.flip(self.loss(i)),
            expected: value(self.means[i]),
            interval: (ends[0].min(ends[1]), ends[0].max(ends[1])),
        }
    }

    /// How much below this loss the range of values allows others to be.
    fn room_below(&self, loss: f64) -> f64 {
        let ValueRange { low, high } = self.options.range;
        let least = match self.options.direction {
            Direction::Minimize => low,
            Direction::Maximize => high.map(|high| -high),
        };
        least.map_or(f64::INFINITY, |least| (loss - least).max(0.0))
    }

    /// μ of the incumbent minus the lowest μ of earlier incumbents.
    fn overtuning(&self, completed: &[usize]) -> f64 {
        let (mut best, mut least, mut current) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
        for &i in completed {
            if self.loss(i) < best {
                best = self.loss(i);
                current = self.means[i];
                least = least.min(current);
            }
        }
        (current - least).max(0.0)
    }

    fn tied(&self, trusted: usize, completed: &[usize]) -> Vec<u64> {
        if self.is_noiseless {
            let equal = completed.iter().filter(|&&i| self.means[i] <= self.means[trusted]);
            return equal.map(|&i| self.trial(i).number).collect();
        }
        let mut leaders = completed.to_vec();
        leaders.sort_by(|&a, &b| self.means[a].total_cmp(&self.means[b]));
        leaders.truncate(LEADERS);
        let configurations: Vec<&Configuration> =
            leaders.iter().map(|&i| &self.trial(i).configuration).collect();
        let points = self.space.encode(configurations, self.posterior.encoding());
        let joint = self.posterior.model().joint();
        let covariances: Vec<Option<Matrix>> =
            (0..self.prediction.draws()).map(|draw| joint.map(|j| j.covariance(draw, &points))).collect();
        let first = leaders.iter().position(|&i| i == trusted).unwrap_or(0);
        let chance = |k: usize| self.chance_of_being_better(&leaders, &covariances, k, first);
        let tied = leaders.iter().enumerate().filter(|&(k, &i)| i == trusted || chance(k) >= CHANCE);
        tied.map(|(_, &i)| self.trial(i).number).collect()
    }

    /// P(f_k ≤ f_first), averaged over draws of θ; treated as independent if the model has no joint
    /// predictions.
    fn chance_of_being_better(
        &self,
        leaders: &[usize],
        covariances: &[Option<Matrix>],
        k: usize,
        first: usize,
    ) -> f64 {
        let draws = self.prediction.draws();
        let of_draw = |draw: usize| {
            let mean = |at: usize| self.prediction.mean(draw, 0)[leaders[at]];
            let variance = match &covariances[draw] {
                Some(c) => c.at(k, k) + c.at(first, first) - 2.0 * c.at(k, first),
                None => [k, first].iter().map(|&at| self.prediction.variance(draw)[leaders[at]]).sum(),
            };
            let gap = mean(first) - mean(k);
            if variance <= 1e-24 {
                f64::from(u8::from(gap >= 0.0))
            } else {
                normal_cdf(gap / variance.sqrt())
            }
        };
        (0..draws).map(of_draw).sum::<f64>() / draws as f64
    }

    /// The largest expected improvement on `best` among random configurations.
    fn improvement(&self, best: f64) -> Result<f64, EvaluationError> {
        let mut rng = Rng::for_trial(self.options.seed ^ STREAM, self.history.len() as u64);
        let drawn: Vec<Configuration> = (0..CANDIDATES)
            .map(|_| self.space.sample(&mut rng))
            .collect::<Result<_, _>>()
            .map_err(arbora_search::SearchError::from)?;
        let points = self.space.encode(&drawn, self.posterior.encoding());
        let at = self.posterior.model().predict(&points);
        let gain = |mean: f64, sd: f64| {
            let z = (best - mean) / sd.max(1e-300);
            sd * (z * normal_cdf(z) + libm::exp(-0.5 * z * z) / (2.0 * std::f64::consts::PI).sqrt())
        };
        let of_point = |i: usize| {
            let draws = 0..at.draws();
            let sum: f64 = draws.map(|d| gain(at.mean(d, 0)[i], at.variance(d)[i].sqrt())).sum();
            sum / at.draws() as f64
        };
        Ok((0..at.len()).map(of_point).fold(0.0, f64::max))
    }
}

/// Noise relative to the spread of losses; the variance is averaged over draws of θ.
fn noise(posterior: &Posterior) -> f64 {
    let draws = posterior.model().memory().map_or_else(Vec::new, |memory| memory.values("noise"));
    (draws.iter().map(|sd| sd * sd).sum::<f64>() / draws.len().max(1) as f64).sqrt()
}

fn normal_cdf(z: f64) -> f64 {
    libm::exp(ln_cdf(z))
}

fn spread(losses: &[f64]) -> f64 {
    let n = losses.len() as f64;
    let mean = losses.iter().sum::<f64>() / n;
    (losses.iter().map(|l| (l - mean).powi(2)).sum::<f64>() / n).sqrt()
}
