//! Where good values are believed to be: the priors of the space, on the unit scale of its columns.
//!
//! A prior lives on the scale it is named for (values, or their logarithms), a column on that of its domain; with
//! t(u) from the one to the other, p(u) = p_t(t(u))·|dt/du|, cut to the range and normalised, so that a flat prior is
//! one everywhere and no branch gains by having more parameters.
use arbora_space::{Domain, Parameter, Prior, normal};

/// Logarithms of zero weights: never chosen, still finite, so that sums keep their order.
const NEVER: f64 = -1e3;

/// u = at + per·t, t the value or its logarithm.
struct Scale {
    is_log: bool,
    at: f64,
    per: f64,
    /// Range of values.
    range: (f64, f64),
}

fn scale(domain: &Domain) -> Option<Scale> {
    let is_log = match domain {
        Domain::Real(d) => d.is_log(),
        Domain::Lattice(d) => d.is_log(),
        Domain::Labels(_) => return None,
    };
    let (low, high) = domain.range().filter(|(low, high)| low < high)?;
    let (from, to) = if is_log { (libm::log(low), libm::log(high)) } else { (low, high) };
    let (u_low, u_high) = (domain.encode(&low.into()), domain.encode(&high.into()));
    let per = (u_high - u_low) / (to - from);
    Some(Scale { is_log, at: u_low - per * from, per, range: (low, high) })
}

/// Mean and standard deviation on the unit interval of a normal prior on the column's own scale; ½ and 1, as good as
/// uniform, for any other  [hyperopt].
pub(crate) fn unit_normal(parameter: &Parameter) -> (f64, f64) {
    let Some(scale) = scale(parameter.domain()) else { return (0.5, 1.0) };
    match *parameter.prior() {
        Prior::Normal { mean, sd } if !scale.is_log => (scale.at + scale.per * mean, scale.per * sd),
        Prior::LogNormal { mu, sigma } if scale.is_log => (scale.at + scale.per * mu, scale.per * sigma),
        _ => (0.5, 1.0),
    }
}

/// Masses of the alternatives, summing to one; nothing for retired ones.
pub(crate) fn masses(parameter: &Parameter) -> Vec<f64> {
    let Some(labels) = parameter.domain().labels() else { return Vec::new() };
    let weight = |i: usize| match parameter.prior() {
        Prior::Weights(weights) => weights[i],
        _ => 1.0,
    };
    let weights: Vec<f64> =
        (0..labels.len()).map(|i| if labels.is_retired(i) { 0.0 } else { weight(i) }).collect();
    let total: f64 = weights.iter().sum();
    weights.iter().map(|w| w / total).collect()
}

/// ln p(u) and its derivative, relative to a flat prior.
pub(crate) fn ln_density(parameter: &Parameter, u: f64) -> (f64, f64) {
    let domain = parameter.domain();
    if let (Domain::Labels(labels), Prior::Weights(_)) = (domain, parameter.prior()) {
        let mass = masses(parameter)[labels.decode(u)] * labels.offered().count() as f64;
        return (if mass > 0.0 { libm::log(mass).max(NEVER) } else { NEVER }, 0.0);
    }
    let (Some(scale), false) = (scale(domain), *parameter.prior() == Prior::Flat) else { return (0.0, 0.0) };
    let own = (u - scale.at) / scale.per;
    let wants_log = matches!(parameter.prior(), Prior::LogUniform | Prior::LogNormal { .. });
    let (value, slope) = (if scale.is_log { libm::exp(own) } else { own }, scale.per.recip());
    let value = value.clamp(scale.range.0, scale.range.1);
    // t, dt/du and d ln|dt/du|/du.
    let (t, by_u, bend) = match (scale.is_log, wants_log) {
        (false, false) | (true, true) => (own, slope, 0.0),
        (false, true) => (libm::log(value), slope / value, -slope / value),
        (true, false) => (value, slope * value, slope),
    };
    let onto = |x: f64| if wants_log { libm::log(x) } else { x };
    let (low, high) = (onto(scale.range.0), onto(scale.range.1));
    let (ln, by_t) = match *parameter.prior() {
        Prior::Normal { mean: m, sd: s } | Prior::LogNormal { mu: m, sigma: s } => {
            let z = (t - m) / s;
            let mass = normal::cdf((high - m) / s) - normal::cdf((low - m) / s);
            let ln_phi = -0.5 * z * z - 0.5 * libm::log(2.0 * std::f64::consts::PI);
            (ln_phi - libm::log(s * mass.max(f64::MIN_POSITIVE)), -z / s)
        }
        _ => (-libm::log(high - low), 0.0),
    };
    ((ln + libm::log(by_u)).max(NEVER), by_t * by_u + bend)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbora_space::{Param, Space};

    fn parameters() -> Vec<Parameter> {
        let priors = [
            Prior::Flat,
            Prior::Uniform,
            Prior::LogUniform,
            Prior::Normal { mean: 3.0, sd: 2.0 },
            Prior::LogNormal { mu: 0.5, sigma: 0.7 },
        ];
        let mut params = Vec::new();
        for (i, prior) in priors.iter().enumerate() {
            params.push(Param::real(format!("linear{i}"), 0.5, 8.0).prior(prior.clone()));
            params.push(Param::real(format!("log{i}"), 0.5, 8.0).log().prior(prior.clone()));
        }
        Space::new(params).unwrap().parameters().to_vec()
    }

    #[test]
    fn densities_integrate_to_one_and_slopes_are_derivatives() {
        for parameter in parameters() {
            let n = 2000;
            let weight = |i: usize| {
                if i == 0 || i == n {
                    1.0
                } else if i % 2 == 1 {
                    4.0
                } else {
                    2.0
                }
            };
            let sum: f64 =
                (0..=n).map(|i| weight(i) * libm::exp(ln_density(&parameter, i as f64 / n as f64).0)).sum();
            let integral = sum / (3.0 * n as f64);
            assert!((integral - 1.0).abs() < 1e-9, "{}: {integral}", parameter.name());
            for u in [0.1, 0.35, 0.8] {
                let (_, slope) = ln_density(&parameter, u);
                let step = 1e-5;
                let difference =
                    (ln_density(&parameter, u + step).0 - ln_density(&parameter, u - step).0) / (2.0 * step);
                assert!((slope - difference).abs() < 1e-5 * (1.0 + slope.abs()), "{}", parameter.name());
            }
        }
    }

    #[test]
    fn a_normal_prior_on_its_own_scale_is_a_normal_of_the_unit_interval() {
        let space = Space::new([
            Param::real("x", -1.0, 3.0).prior(Prior::Normal { mean: 1.0, sd: 0.4 }),
            Param::integer("k", 1, 10),
        ])
        .unwrap();
        let (mean, sd) = unit_normal(&space.parameters()[0]);
        assert!((mean - 0.5).abs() < 1e-15 && (sd - 0.1).abs() < 1e-15);
        assert_eq!(unit_normal(&space.parameters()[1]), (0.5, 1.0));
    }
}
