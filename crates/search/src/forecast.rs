//! How a learning curve will end, learnt from curves that have ended.
//!
//! At one step, let vⱼ be the loss of a finished trial there and fⱼ the loss it ended with. A weighted straight line is
//! fitted and its residuals are measured:
//!
//! b₀ = max(0, Σ wⱼ(vⱼ−v̄)(fⱼ−f̄) / Σ wⱼ(vⱼ−v̄)²),  b = b₀·max(0, 1 − var(b₀)/b₀²),  a = f̄ − b·v̄,
//! s² = Σ wⱼ(fⱼ − a − b·vⱼ)² / Σ wⱼ · n/(n−2),  n = (Σwⱼ)²/Σwⱼ²,
//! final(v) ~ a + b·v + s·√(1+1/n) · t(n−2).
//!
//! A slope that is not told from chance is shrunk to nothing, and then v says nothing about the end  [James & Stein].
//!
//! The weights wⱼ = (1 − (rⱼ/m)²)² fall with the rank rⱼ = 0, 1, … of vⱼ among the m curves: the line is to be right
//! where the good ones are. They look at v alone, so that E[f | v] is estimated without bias. A curve that exploded
//! must not bend it at all: what lies more than three interquartile ranges above the upper quartile, of v or of f, is
//! left out  [Tukey's outer fence]. Two things make the chance of a good end fall as v grows, whatever the data, and so
//! a worse curve is stopped whenever a better one is: b is never negative (where curves cross, v says nothing), and s
//! is the same everywhere (no term for the distance from v̄, which would forgive the worst curves most).
//!
//! Residuals of finished trials say too little rather than too much about those that were stopped: survivors got
//! better than their like. That errs on the side of letting a trial run.
//!
//! Cost O(m log m) for the ranks. Not for steps at which the curves have nothing to do with their ends.
use arbora_space::normal;

/// Curves below which nothing is said: a line takes two, its residuals as many again.
const FEWEST: usize = 4;

/// A straight line from the loss at a step to the final loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Line {
    intercept: f64,
    slope: f64,
    /// s·√(1+1/n).
    scale: f64,
    /// n−2.
    freedom: f64,
    anyone: Prospect,
}

/// What the final loss of a trial will be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// By its curve so far.
    pub own: Prospect,
    /// If nothing were known of its curve: that of any trial.
    pub anyone: Prospect,
}

/// A final loss that is not known yet: a mean, with errors of Student's distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prospect {
    /// The expected final loss.
    pub mean: f64,
    /// The spread around it.
    pub scale: f64,
    /// Degrees of freedom of the spread.
    pub freedom: f64,
}

impl Line {
    /// Fits (loss at the step, final loss) of finished trials; `None` if there are too few.
    pub(crate) fn fit(pairs: &[(f64, f64)]) -> Option<Self> {
        let mut known: Vec<(f64, f64)> =
            pairs.iter().copied().filter(|(at, end)| at.is_finite() && end.is_finite()).collect();
        if known.len() < FEWEST {
            return None;
        }
        let (at, end) = (fence(known.iter().map(|pair| pair.0)), fence(known.iter().map(|pair| pair.1)));
        known.retain(|pair| pair.0 <= at && pair.1 <= end);
        known.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let count = known.len() as f64;
        let weights: Vec<f64> = (0..known.len())
            .map(|rank| {
                let far = rank as f64 / count;
                (1.0 - far * far) * (1.0 - far * far)
            })
            .collect();
        let total: f64 = weights.iter().sum();
        let mean = |of: &dyn Fn(&(f64, f64)) -> f64| {
            weights.iter().zip(&known).map(|(w, pair)| w / total * of(pair)).sum::<f64>()
        };
        let (at, end) = (mean(&|pair| pair.0), mean(&|pair| pair.1));
        let rest = |slope: f64| {
            let square = |pair: &(f64, f64)| {
                let rest = pair.1 - end - slope * (pair.0 - at);
                rest * rest
            };
            mean(&square)
        };
        let spread = mean(&|pair| (pair.0 - at) * (pair.0 - at));
        let together = mean(&|pair| (pair.0 - at) * (pair.1 - end));
        let effective = total * total / weights.iter().map(|w| w * w).sum::<f64>();
        let freedom = (effective - 2.0).max(1.0);
        let raw = if spread > 0.0 { (together / spread).max(0.0) } else { 0.0 };
        let slope = if raw > 0.0 {
            let variance = rest(raw) / freedom / spread;
            raw * (1.0 - variance / (raw * raw)).max(0.0)
        } else {
            0.0
        };
        let prospect = |mean: f64, rest: f64, freedom: f64| {
            let scale = (rest * effective / freedom * (1.0 + 1.0 / effective)).sqrt();
            Prospect { mean, scale, freedom }
        };
        let anyone = prospect(end, rest(0.0), freedom + 1.0);
        let (intercept, scale) = (end - slope * at, prospect(0.0, rest(slope), freedom).scale);
        let line = Self { intercept, slope, scale, freedom, anyone };
        [intercept, slope, scale, anyone.scale].iter().all(|number| number.is_finite()).then_some(line)
    }

    /// The end of a curve that stands here.
    pub(crate) fn at(&self, loss: f64) -> Forecast {
        let own =
            Prospect { mean: self.intercept + self.slope * loss, scale: self.scale, freedom: self.freedom };
        // Where the curve says nothing, it is anyone's.
        Forecast { own: if self.slope > 0.0 { own } else { self.anyone }, anyone: self.anyone }
    }
}

/// The highest value that is not far out: three interquartile ranges above the upper quartile.
fn fence(values: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    let quartile = |which: usize| sorted[(sorted.len() - 1) * which / 4];
    let (lower, upper) = (quartile(1), quartile(3));
    upper + 3.0 * (upper - lower)
}

impl Prospect {
    /// The chance that the final loss is less than this.
    ///
    /// Student's distribution by Wallace's transformation to the normal one, z = (8ν+1)/(8ν+3)·√(ν ln(1+t²/ν)): wrong
    /// by less than 0.01 from one degree of freedom on, by 0.001 from four, against a limit that is a matter of taste.
    pub fn chance_below(&self, loss: f64) -> f64 {
        let gap = loss - self.mean;
        if self.scale <= 0.0 || !gap.is_finite() {
            return if gap > 0.0 { 1.0 } else { 0.0 };
        }
        let (t, v) = (gap / self.scale, self.freedom);
        let z = (8.0 * v + 1.0) / (8.0 * v + 3.0) * (v * libm::log1p(t * t / v)).sqrt();
        normal::cdf(if t < 0.0 { -z } else { z })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbora_space::Rng;

    fn straight() -> Vec<(f64, f64)> {
        (0..9).map(|i| (f64::from(i), 3.0 + 0.5 * f64::from(i))).collect()
    }

    fn draw(rng: &mut Rng) -> f64 {
        normal::quantile(rng.unit().clamp(1e-9, 1.0 - 1e-9))
    }

    #[test]
    fn a_straight_line_is_found_whatever_the_weights() {
        let end = Line::fit(&straight()).unwrap().at(20.0).own;
        assert!((end.mean - 13.0).abs() < 1e-9 && end.scale < 1e-9, "{end:?}");
        assert!(end.chance_below(14.0) > 1.0 - 1e-9 && end.chance_below(12.0) < 1e-9);
    }

    #[test]
    fn where_curves_cross_or_say_nothing_the_end_is_anyones() {
        let crossing: Vec<(f64, f64)> = (0..9).map(|i| (f64::from(i), -f64::from(i))).collect();
        let line = Line::fit(&crossing).unwrap();
        assert_eq!(line.at(0.0).own, line.at(100.0).anyone);
        let mut rng = Rng::new(3);
        let mut differing = 0;
        for _ in 0..200 {
            let pairs: Vec<(f64, f64)> = (0..40).map(|_| (draw(&mut rng), draw(&mut rng))).collect();
            let forecast = Line::fit(&pairs).unwrap().at(1.0);
            let best = pairs.iter().map(|pair| pair.1).fold(f64::INFINITY, f64::min);
            let (own, anyone) = (forecast.own.chance_below(best), forecast.anyone.chance_below(best));
            differing += usize::from(own < 0.5 * anyone);
        }
        // One slope in forty is two standard errors from nothing, on one side.
        assert!(differing < 20, "{differing} of 200");
    }

    #[test]
    fn a_worse_place_never_has_the_better_chance() {
        let mut rng = Rng::new(5);
        for _ in 0..200 {
            let pairs: Vec<(f64, f64)> = (0..12).map(|_| (draw(&mut rng), draw(&mut rng))).collect();
            let line = Line::fit(&pairs).unwrap();
            let chances: Vec<f64> =
                (-30..30).map(|v| line.at(f64::from(v) / 5.0).own.chance_below(-1.0)).collect();
            assert!(chances.windows(2).all(|pair| pair[1] <= pair[0]), "{chances:?}");
        }
    }

    /// P(t < −2) for 1, 4 and 30 degrees of freedom  [tables of Student's distribution].
    #[test]
    fn chances_are_those_of_student() {
        for (freedom, tail) in [(1.0, 0.147_58), (4.0, 0.058_06), (30.0, 0.027_31)] {
            let chance = Prospect { mean: 0.0, scale: 1.0, freedom }.chance_below(-2.0);
            assert!((chance - tail).abs() < 0.01, "{freedom}: {chance}");
        }
    }

    #[test]
    fn a_curve_that_exploded_bends_nothing() {
        let mut pairs = straight();
        pairs.extend([(1e12, 4.0), (3.0, 1e12)]);
        let end = Line::fit(&pairs).unwrap().at(20.0).own;
        assert!((end.mean - 13.0).abs() < 1e-9, "{end:?}");
    }

    #[test]
    fn what_exploded_or_is_too_little_says_nothing() {
        let ends = [(1.0, 1.0), (2.0, 2.0), (3.0, 3.0), (f64::NAN, 0.0), (f64::INFINITY, 0.0)];
        assert_eq!(Line::fit(&ends), None);
        assert_eq!(Line::fit(&[]), None);
    }
}
