//! Samples one value from a parameter's prior, from the whole domain or a part of it.
use crate::domain::{Domain, Lattice};
use crate::error::SpaceError;
use crate::normal;
use crate::rng::Rng;
use crate::spec::Prior;
use crate::subdomain::{self, Subdomain};
use crate::value::Value;

/// Checks that a prior fits its domain.
pub(crate) fn check(name: &str, prior: &Prior, domain: &Domain) -> Result<(), SpaceError> {
    let fail =
        |problem: &str| Err(SpaceError::BadPrior { name: name.to_owned(), problem: problem.to_owned() });
    let lowest = domain.range().map(|(low, _)| low);
    match (prior, domain) {
        (Prior::Flat, _) => Ok(()),
        (Prior::Weights(w), Domain::Labels(labels)) => {
            if w.len() != labels.len() {
                fail(&format!("{} weights for {} alternatives; give one each", w.len(), labels.len()))
            } else if w.iter().any(|w| !w.is_finite() || *w < 0.0) {
                fail("weights must be finite and not negative")
            } else if labels.offered().map(|i| w[i]).sum::<f64>() <= 0.0 {
                fail("the weights of the alternatives that are not retired sum to zero")
            } else {
                Ok(())
            }
        }
        (Prior::Weights(_), _) => fail("weights belong to alternatives; use a normal prior for numbers"),
        (_, Domain::Labels(_)) => fail("alternatives take weights; this prior is for numbers"),
        (Prior::LogUniform | Prior::LogNormal { .. }, _) if lowest.is_some_and(|low| low <= 0.0) => {
            fail("a logarithmic prior needs a positive lower bound")
        }
        (Prior::Normal { mean: m, sd: s } | Prior::LogNormal { mu: m, sigma: s }, _)
            if !(m.is_finite() && s.is_finite() && *s > 0.0) =>
        {
            fail("a normal prior needs a finite mean and a positive finite standard deviation")
        }
        _ => Ok(()),
    }
}

/// A value from the whole domain, without retired alternatives.
pub(crate) fn sample(domain: &Domain, prior: &Prior, rng: &mut Rng) -> Value {
    match domain {
        Domain::Labels(labels) => {
            let mask: Vec<bool> = (0..labels.len()).map(|i| !labels.is_retired(i)).collect();
            labels.value(sample_label(&mask, prior, rng)).clone()
        }
        Domain::Real(real) => Value::from(sample_number(domain, prior, (real.low(), real.high()), rng)),
        Domain::Lattice(lattice) => sample_lattice(lattice, domain, prior, (0, lattice.count() - 1), rng),
    }
}

/// A value from a part of the domain; retired alternatives only if the part includes them. `None`
/// if the part is empty.
pub(crate) fn sample_within(
    domain: &Domain,
    prior: &Prior,
    part: &Subdomain,
    rng: &mut Rng,
) -> Option<Value> {
    match (domain, part) {
        (Domain::Labels(labels), Subdomain::Labels(mask)) => {
            mask.contains(&true).then(|| labels.value(sample_label(mask, prior, rng)).clone())
        }
        (Domain::Real(real), Subdomain::Numbers(a, b)) => {
            let (a, b) = (a.max(real.low()), b.min(real.high()));
            (a <= b).then(|| Value::from(sample_number(domain, prior, (a, b), rng)))
        }
        (Domain::Lattice(lattice), Subdomain::Numbers(a, b)) => {
            let ends = subdomain::positions(lattice, *a, *b)?;
            Some(sample_lattice(lattice, domain, prior, ends, rng))
        }
        _ => None,
    }
}

/// A weight of zero means "never at random"; if only such alternatives are left, they are equally
/// likely.
fn sample_label(mask: &[bool], prior: &Prior, rng: &mut Rng) -> usize {
    let weight = |i: usize| match prior {
        Prior::Weights(w) => w[i],
        _ => 1.0,
    };
    let mut weights: Vec<f64> = (0..mask.len()).map(|i| if mask[i] { weight(i) } else { 0.0 }).collect();
    if weights.iter().sum::<f64>() <= 0.0 {
        weights = mask.iter().map(|m| f64::from(u8::from(*m))).collect();
    }
    rng.weighted(&weights)
}

fn sample_lattice(
    lattice: &Lattice,
    domain: &Domain,
    prior: &Prior,
    (first, last): (u64, u64),
    rng: &mut Rng,
) -> Value {
    let half = lattice.step() / 2.0;
    let low = lattice.number(first);
    let edge = if on_log_scale(domain, prior) { (low - half).max(low / 2.0) } else { low - half };
    let x = sample_number(domain, prior, (edge, lattice.number(last) + half), rng);
    lattice.value(lattice.nearest(x).clamp(first, last))
}

fn on_log_scale(domain: &Domain, prior: &Prior) -> bool {
    match (prior, domain) {
        (Prior::LogUniform | Prior::LogNormal { .. }, _) => true,
        (Prior::Flat, Domain::Real(d)) => d.is_log(),
        (Prior::Flat, Domain::Lattice(d)) => d.is_log(),
        _ => false,
    }
}

fn sample_number(domain: &Domain, prior: &Prior, (a, b): (f64, f64), rng: &mut Rng) -> f64 {
    let log = on_log_scale(domain, prior);
    let (from, to) = if log { (libm::log(a), libm::log(b)) } else { (a, b) };
    let t = match prior {
        Prior::Normal { mean, sd } => truncated_normal(*mean, *sd, (from, to), rng),
        Prior::LogNormal { mu, sigma } => truncated_normal(*mu, *sigma, (from, to), rng),
        _ => from + rng.unit() * (to - from),
    };
    (if log { libm::exp(t) } else { t }).clamp(a, b)
}

/// By inversion, in the tail where Φ is precise. Far from the mean the density is nearly constant,
/// and the value is sampled uniformly.
fn truncated_normal(mean: f64, sd: f64, (from, to): (f64, f64), rng: &mut Rng) -> f64 {
    let (a, b) = ((from - mean) / sd, (to - mean) / sd);
    let mirrored = a > 0.0;
    let (low, high) =
        if mirrored { (normal::cdf(-b), normal::cdf(-a)) } else { (normal::cdf(a), normal::cdf(b)) };
    let u = rng.unit();
    if high - low < 1e-300 {
        return from + u * (to - from);
    }
    let z = normal::quantile(low + u * (high - low));
    (mean + sd * if mirrored { -z } else { z }).clamp(from, to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Param;

    fn mean_of(param: &Param, of: impl Fn(f64) -> f64) -> f64 {
        let domain = Domain::build(param).unwrap();
        let mut rng = Rng::new(5);
        let n = 40_000;
        (0..n).map(|_| of(sample(&domain, &param.prior, &mut rng).as_f64().unwrap())).sum::<f64>()
            / f64::from(n)
    }

    #[test]
    fn flat_is_flat_on_its_own_scale() {
        assert!((mean_of(&Param::real("x", 2.0, 4.0), |x| x) - 3.0).abs() < 4.0 * 0.58 / 200.0);
        assert!(mean_of(&Param::real("x", 1e-3, 1e3).log(), f64::log10).abs() < 4.0 * 1.73 / 200.0);
        assert!((mean_of(&Param::integer("k", 1, 4), |x| x) - 2.5).abs() < 4.0 * 1.12 / 200.0);
    }

    #[test]
    fn normals_are_truncated_to_the_range() {
        // A standard normal truncated to [0, ∞) has mean √(2/π); six standard deviations are close
        // enough to infinity.
        let param = Param::real("x", 0.0, 6.0).prior(Prior::Normal { mean: 0.0, sd: 1.0 });
        assert!((mean_of(&param, |x| x) - 0.797_884_560_8).abs() < 4.0 * 0.61 / 200.0);
        let param = Param::real("x", 1e-8, 1e8).prior(Prior::LogNormal { mu: 1.0, sigma: 2.0 });
        assert!((mean_of(&param, f64::ln) - 1.0).abs() < 4.0 * 2.0 / 200.0);
        let far = Param::real("x", 60.0, 61.0).prior(Prior::Normal { mean: 0.0, sd: 1.0 });
        assert!((60.0..=61.0).contains(&mean_of(&far, |x| x)));
    }

    #[test]
    fn parts_are_respected() {
        let mut rng = Rng::new(1);
        let grid = Domain::build(&Param::real("x", 0.0, 1.0).step(0.1)).unwrap();
        for _ in 0..200 {
            let v = sample_within(&grid, &Prior::Flat, &Subdomain::Numbers(0.25, 0.5), &mut rng).unwrap();
            assert!([0.3, 0.4, 0.5].contains(&v.as_f64().unwrap()));
        }
        assert_eq!(sample_within(&grid, &Prior::Flat, &Subdomain::Numbers(0.31, 0.39), &mut rng), None);
        let labels = Domain::build(&Param::choice("c", ["a", "b", "c"])).unwrap();
        let part = Subdomain::Labels(vec![false, false, true]);
        assert_eq!(sample_within(&labels, &Prior::Flat, &part, &mut rng), Some("c".into()));
        assert_eq!(sample_within(&labels, &Prior::Flat, &part.nothing(), &mut rng), None);
    }
}
