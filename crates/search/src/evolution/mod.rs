//! Covariance matrix adaptation on the unit cube  [Hansen & Ostermeier 2001; Hansen 2016].
//!
//! A generation draws λ points m + σ·N(0, C), ranks them, and moves m, σ, C towards the best μ:
//!
//! p_σ ← (1−c_σ)p_σ + √(c_σ(2−c_σ)μ_eff)·C^{−½}Δm/σ,   σ ← σ·exp((c_σ/d_σ)(‖p_σ‖/χ_N − 1)),
//! p_c ← (1−c_c)p_c + h·√(c_c(2−c_c)μ_eff)·Δm/σ,
//! C ← (1−c₁−c_μ+(1−h)c₁c_c(2−c_c))C + c₁p_cp_cᵀ + c_μΣwᵢyᵢyᵢᵀ.
//!
//! Points are clipped to the cube and the clipped step is what is learnt from. Only ranks count, so any increasing
//! transform of the losses gives the same run. A generation costs O(λN² + N³); beyond [`WIDEST`] dimensions C is
//! kept diagonal with the faster rates of Ros & Hansen 2008, at O(λN).
//!
//! A state is plain data: stored with a trial, a run goes on where it stopped.
mod covariance;
mod rates;
#[cfg(test)]
mod tests;

use arbora_space::Rng;
use covariance::{Covariance, Frame};
pub(crate) use rates::Rates;
use serde::{Deserialize, Serialize};

/// Above as many dimensions N² numbers per generation are more than a trial should carry.
const WIDEST: usize = 64;

/// Step sizes outside say nothing on a unit cube; σ is kept inside.
const STEPS: (f64, f64) = (1e-12, 10.0);

/// The search distribution between two generations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) generation: u64,
    mean: Vec<f64>,
    sigma: f64,
    step_path: Vec<f64>,
    covariance_path: Vec<f64>,
    covariance: Covariance,
    /// The points selected last, best first; only the (μ+λ) form keeps them.
    parents: Vec<Offspring>,
}

/// A point and how it did; only the order of losses matters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Offspring {
    pub(crate) place: Vec<f64>,
    pub(crate) loss: f64,
}

/// Which points compete to be the μ selected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Selection {
    /// (μ/μ_w, λ): the offspring alone.
    #[default]
    Comma,
    /// (μ+λ): the offspring and those selected before. Losses of parents may be stale under noise.
    Plus,
}

impl State {
    /// A round distribution.
    pub(crate) fn start(mean: Vec<f64>, sigma: f64) -> Self {
        let n = mean.len();
        let covariance = Covariance::identity(n, n <= WIDEST);
        let (step_path, covariance_path) = (vec![0.0; n], vec![0.0; n]);
        Self { generation: 0, mean, sigma, step_path, covariance_path, covariance, parents: Vec::new() }
    }

    /// A round distribution that counts its generations on from this one.
    #[must_use]
    pub(crate) fn restart(&self, mean: Vec<f64>, sigma: f64) -> Self {
        Self { generation: self.generation, ..Self::start(mean, sigma) }
    }

    /// Number of dimensions.
    pub(crate) fn width(&self) -> usize {
        self.mean.len()
    }

    pub(crate) fn rates(&self) -> Rates {
        Rates::new(self.width(), self.covariance.is_full())
    }

    /// The widest axis is shorter than anything an objective could tell apart.
    pub(crate) fn has_converged(&self) -> bool {
        self.sigma * self.covariance.widest().sqrt() < 1e-9
    }

    /// Draws points, clipped to the cube. Decomposes C once, so ask for all that are wanted.
    pub(crate) fn sampler(&self) -> Sampler<'_> {
        Sampler { state: self, frame: self.covariance.frame() }
    }

    /// The distribution of the next generation, from offspring in any order.
    #[must_use]
    pub(crate) fn next(&self, offspring: &[Offspring], selection: Selection) -> Self {
        let rates = self.rates();
        let selected = self.select(offspring, selection, rates.mu);
        let steps: Vec<Vec<f64>> = selected.iter().map(|o| self.step_to(&o.place)).collect();
        let shift = weighted_sum(&steps, &rates.weights);
        let (step_path, is_stalled) = self.next_step_path(&shift, &rates);
        let moving = f64::from(u8::from(!is_stalled));
        let reach = moving * (rates.c_c * (2.0 - rates.c_c) * rates.mu_eff).sqrt();
        let covariance_path: Vec<f64> = blend(&self.covariance_path, 1.0 - rates.c_c, &shift, reach);
        let lost = (1.0 - moving) * rates.c_1 * rates.c_c * (2.0 - rates.c_c);
        let mut covariance = self.covariance.clone();
        covariance.scale(1.0 - rates.c_1 - rates.c_mu + lost);
        covariance.add(rates.c_1, &covariance_path);
        for (step, weight) in steps.iter().zip(&rates.weights) {
            covariance.add(rates.c_mu * weight, step);
        }
        let growth = (rates.c_sigma / rates.d_sigma) * (norm(&step_path) / rates.chi - 1.0);
        Self {
            generation: self.generation + 1,
            mean: self.mean.iter().zip(&shift).map(|(m, y)| m + self.sigma * y).collect(),
            sigma: (self.sigma * libm::exp(growth.min(1.0))).clamp(STEPS.0, STEPS.1),
            step_path,
            covariance_path,
            covariance,
            parents: if selection == Selection::Plus { selected } else { Vec::new() },
        }
    }

    fn select(&self, offspring: &[Offspring], selection: Selection, mu: usize) -> Vec<Offspring> {
        let parents = if selection == Selection::Plus { &self.parents[..] } else { &[] };
        let mut all: Vec<Offspring> = offspring.iter().chain(parents).cloned().collect();
        all.sort_by(|a, b| a.loss.total_cmp(&b.loss));
        all.truncate(mu);
        all
    }

    /// y = (x − m)/σ.
    fn step_to(&self, place: &[f64]) -> Vec<f64> {
        place.iter().zip(&self.mean).map(|(x, m)| (x - m) / self.sigma).collect()
    }

    /// p_σ, and whether it is so long that p_c must wait.
    fn next_step_path(&self, shift: &[f64], rates: &Rates) -> (Vec<f64>, bool) {
        let whitened = self.covariance.frame().whiten(shift);
        let reach = (rates.c_sigma * (2.0 - rates.c_sigma) * rates.mu_eff).sqrt();
        let path = blend(&self.step_path, 1.0 - rates.c_sigma, &whitened, reach);
        let age = 2.0 * (self.generation + 1) as f64;
        let settled = (1.0 - libm::pow(1.0 - rates.c_sigma, age)).sqrt();
        let limit = (1.4 + 2.0 / (self.width() as f64 + 1.0)) * rates.chi;
        let is_stalled = norm(&path) / settled >= limit;
        (path, is_stalled)
    }
}

/// Draws from a state.
pub(crate) struct Sampler<'s> {
    state: &'s State,
    frame: Frame,
}

impl Sampler<'_> {
    pub(crate) fn draw(&self, rng: &mut Rng) -> Vec<f64> {
        let z: Vec<f64> = (0..self.state.width()).map(|_| rng.normal()).collect();
        let y = self.frame.colour(&z);
        self.state.mean.iter().zip(y).map(|(m, y)| (m + self.state.sigma * y).clamp(0.0, 1.0)).collect()
    }
}

fn blend(a: &[f64], by_a: f64, b: &[f64], by_b: f64) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| by_a * a + by_b * b).collect()
}

fn weighted_sum(vectors: &[Vec<f64>], weights: &[f64]) -> Vec<f64> {
    let mut sum = vec![0.0; vectors.first().map_or(0, Vec::len)];
    for (vector, weight) in vectors.iter().zip(weights) {
        sum.iter_mut().zip(vector).for_each(|(s, v)| *s += weight * v);
    }
    sum
}

fn norm(vector: &[f64]) -> f64 {
    vector.iter().map(|v| v * v).sum::<f64>().sqrt()
}
