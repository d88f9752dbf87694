//! How a learning curve will end, learnt from curves that have ended.
//!
//! At one step, let vⱼ be the loss of one of n finished trials there and fⱼ the loss it ended with. A straight line is
//! fitted and its residuals are measured:
//!
//! b = max(0, Σ(vⱼ−v̄)(fⱼ−f̄) / Σ(vⱼ−v̄)²),  E[final | v] = f̄ + b·(v−v̄).
//!
//! To judge a trial by it, a slope that is not told from chance is shrunk to nothing, so that v says nothing about the
//! end  [James & Stein]:
//!
//! β = b·max(0, 1 − var(b)/b²),  s² = Σ(fⱼ − f̄ − β·(vⱼ−v̄))² / (n−2),
//! final(v) ~ f̄ + β·(v−v̄) + s·√(1+1/n) · t(n−2).
//!
//! A curve that exploded must not bend the line: what lies more than three interquartile ranges above the upper
//! quartile, of v or of f, is left out  [Tukey's outer fence]. Two things make the chance of a good end fall as v grows,
//! whatever the data, and so a worse curve is stopped whenever a better one is: the slope is never negative (where
//! curves cross, v says nothing), and s is the same everywhere (no term for the distance from v̄, which would forgive
//! the worst curves most).
//!
//! All curves weigh the same. On lcbench, weights that favour the good ones forecast the ends of pruned trials with
//! twice the error (`benchmarks/lab/pruning.py` has the problems), and saved no epoch.
//!
//! Cost O(n log n) for the quartiles. Not for steps at which the curves have nothing to do with their ends.
use arbora_space::normal;

/// Curves below which nothing is said: a line takes two, its residuals as many again.
const FEWEST: usize = 4;

/// A straight line from the loss at a step to the final loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Line {
    /// v̄ and f̄.
    middle: (f64, f64),
    /// b.
    slope: f64,
    /// β.
    shrunk: f64,
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
        let count = known.len() as f64;
        let mean = |of: &dyn Fn(&(f64, f64)) -> f64| known.iter().map(|pair| of(pair) / count).sum::<f64>();
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
        let slope = if spread > 0.0 { (together / spread).max(0.0) } else { 0.0 };
        let freedom = (count - 2.0).max(1.0);
        let shrunk = if slope > 0.0 {
            slope * (1.0 - rest(slope) / freedom / spread / (slope * slope)).max(0.0)
        } else {
            0.0
        };
        let scale = |slope: f64, freedom: f64| (rest(slope) * count / freedom * (1.0 + 1.0 / count)).sqrt();
        let anyone = Prospect { mean: end, scale: scale(0.0, freedom + 1.0), freedom: freedom + 1.0 };
        let scale = scale(shrunk, freedom);
        let line = Self { middle: (at, end), slope, shrunk, scale, freedom, anyone };
        [at, end, slope, scale, anyone.scale].iter().all(|number| number.is_finite()).then_some(line)
    }

    /// The expected end of a curve that stands here.
    pub(crate) fn expected(&self, loss: f64) -> f64 {
        self.middle.1 + self.slope * (loss - self.middle.0)
    }

    /// The end of a curve that stands here, to judge it by.
    pub(crate) fn at(&self, loss: f64) -> Forecast {
        let mean = self.middle.1 + self.shrunk * (loss - self.middle.0);
        let own = Prospect { mean, scale: self.scale, freedom: self.freedom };
        // Where the curve says nothing, it is anyone's.
        Forecast { own: if self.shrunk > 0.0 { own } else { self.anyone }, anyone: self.anyone }
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
    fn a_straight_line_is_found() {
        let line = Line::fit(&straight()).unwrap();
        let end = line.at(20.0).own;
        assert!((end.mean - 13.0).abs() < 1e-9 && end.scale < 1e-9, "{end:?}");
        assert!((line.expected(20.0) - 13.0).abs() < 1e-9);
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
