//! Which value to try first.
use crate::domain::Domain;
use crate::parameter::Parameter;
use crate::prior_sampling;
use crate::rng::Rng;
use crate::subdomain::Subdomain;
use crate::value::Value;

/// Which value to try first.
pub(crate) enum ValueOrder<'r> {
    /// Sampled from the prior, restricted to the remaining values.
    Prior(&'r mut Rng),
    /// As near to the default as the remaining values allow.
    Default,
    /// The first or lowest.
    Lowest,
}

impl ValueOrder<'_> {
    /// Ways to split the remaining values, tried from last to first: one value, then the rest.
    /// `again`: an earlier value of the same parameter has already failed.
    pub(super) fn ways(&mut self, parameter: &Parameter, left: &Subdomain, again: bool) -> Vec<Subdomain> {
        let domain = parameter.domain();
        let Some(value) = self.value(parameter, left, again) else { return Vec::new() };
        let mut ways = left.around(domain, &value);
        match self {
            ValueOrder::Prior(rng) => rng.shuffle(&mut ways),
            ValueOrder::Default | ValueOrder::Lowest => ways.reverse(),
        }
        ways.push(Subdomain::single(domain, &value));
        ways
    }

    /// Two sides of the remaining values, tried from last to first: the one with the preferred
    /// value comes first.
    pub(super) fn sides(
        &mut self,
        parameter: &Parameter,
        left: &Subdomain,
        (one, other): (Subdomain, Subdomain),
    ) -> Vec<Subdomain> {
        let value = self.value(parameter, left, false);
        let prefers_one = value.is_none_or(|value| one.contains(parameter.domain(), &value));
        if prefers_one { vec![other, one] } else { vec![one, other] }
    }

    fn value(&mut self, parameter: &Parameter, left: &Subdomain, again: bool) -> Option<Value> {
        match self {
            ValueOrder::Prior(rng) => {
                prior_sampling::sample_within(parameter.domain(), parameter.prior(), left, rng)
            }
            ValueOrder::Default => near_default(parameter, left, again),
            ValueOrder::Lowest => left.lowest(parameter.domain()),
        }
    }
}

/// A continuous parameter moves away from its default by bisection once the nearest number has
/// failed: the adjacent doubles would fail too.
fn near_default(parameter: &Parameter, left: &Subdomain, again: bool) -> Option<Value> {
    let (domain, default) = (parameter.domain(), parameter.default());
    match (left, domain) {
        (Subdomain::Numbers(low, high), Domain::Real(_)) if again => {
            let middle = domain
                .decode(f64::midpoint(domain.encode(&Value::from(*low)), domain.encode(&Value::from(*high))));
            middle.as_f64().map(|x| Value::from(x.clamp(*low, *high)))
        }
        (Subdomain::Numbers(low, high), _) => {
            let nearest = default.as_f64()?.clamp(*low, *high);
            domain.canonical(&Value::from(nearest))
        }
        (Subdomain::Labels(marks), Domain::Labels(labels)) => {
            let from = labels.index_of(default).unwrap_or(0);
            let distance =
                |i: &usize| if labels.is_ordered() { i.abs_diff(from) } else { usize::from(*i != from) };
            let nearest = (0..marks.len()).filter(|i| marks[*i]).min_by_key(distance)?;
            Some(labels.value(nearest).clone())
        }
        (Subdomain::Labels(_), _) => None,
    }
}
