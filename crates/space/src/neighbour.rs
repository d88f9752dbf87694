//! One-exchange neighbourhoods for local search.
//!
//! A neighbour differs in one active parameter: categories change to every other alternative,
//! ordinals and small integers by one step, and numbers to random values around the current one
//! [SMAC], or by a fixed step [Lévesque et al. 2017, eq. 6–7]. Activity is then repaired top-down:
//! newly active parameters take their defaults, inactive ones are dropped, and forbidden
//! configurations are left out. Cost: copies of the active entries, not of the space.
//!
//! With more than a hundred active parameters, only as many are changed as keep the cost of copying
//! at that of a hundred. With more than a hundred other alternatives, a hundred are tried. Both are
//! drawn anew every time, so further steps see different ones.
use crate::configuration::Configuration;
use crate::domain::Domain;
use crate::id::ParamId;
use crate::rng::Rng;
use crate::space::Space;
use crate::value::Value;
use std::convert::Infallible;

/// How far numbers move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reach {
    /// Several draws from a normal distribution around the current value, repeated until inside [0,
    /// 1].
    Gaussian {
        /// Draws per number.
        draws: usize,
        /// Standard deviation on the unit scale.
        sd: f64,
    },
    /// One step up and one down on the unit scale; integers by one.
    Step(f64),
}

impl Default for Reach {
    /// SMAC's: four draws with standard deviation 0.2.
    fn default() -> Self {
        Reach::Gaussian { draws: 4, sd: 0.2 }
    }
}

/// Grids up to this size move by one step under [`Reach::Step`], and are sampled without
/// repetition.
const SMALL: u64 = 10;

/// Up to this many active parameters, all are changed; up to this many alternatives, all are tried.
const MANY: usize = 100;

impl Space {
    /// All one-exchange neighbours, in the order of the parameters. Each is valid and differs from
    /// `of`.
    pub fn neighbours(&self, of: &Configuration, reach: Reach, rng: &mut Rng) -> Vec<Configuration> {
        let mut found = Vec::new();
        let active: Vec<(ParamId, &Value)> = of.iter().collect();
        let changed = if active.len() <= MANY { MANY } else { (MANY * MANY).div_ceil(active.len()) };
        for (id, value) in random_subset(active, changed, rng) {
            for other in self.exchanges(id, value, reach, rng) {
                let moved = self.with(of, id, other);
                // The origin is valid, so a change that activates nothing can only violate clauses
                // about `id`.
                let is_forbidden = if self.is_decider(id) {
                    self.violated(&moved).is_some()
                } else {
                    self.is_forbidden_through(id, &moved)
                };
                if !is_forbidden {
                    found.push(moved);
                }
            }
        }
        found
    }

    /// The configuration with one value changed and activity repaired; ignores constraints.
    pub fn with(&self, origin: &Configuration, id: ParamId, value: Value) -> Configuration {
        if !self.is_decider(id) {
            let mut moved = origin.clone();
            moved.set(id, value);
            return moved;
        }
        let moved = self.walk(|at, _| {
            Ok::<_, Infallible>(if at == id {
                value.clone()
            } else {
                origin.get(at).unwrap_or_else(|| self.parameter(at).default()).clone()
            })
        });
        match moved {
            Ok(configuration) => configuration,
        }
    }

    /// The configuration with other values for some active parameters and unchanged activity: for
    /// moves that change no decision.
    pub fn moved(&self, origin: &Configuration, values: &[(ParamId, Value)]) -> Configuration {
        let mut moved = origin.clone();
        for (id, value) in values {
            moved.set(*id, value.clone());
        }
        moved
    }

    /// Can a configuration be proposed: no constraint forbids it, and it has no retired
    /// alternative?
    pub fn may_propose(&self, configuration: &Configuration) -> bool {
        self.violated(configuration).is_none() && !self.has_retired(configuration)
    }

    /// Does a configuration have a retired alternative?
    pub fn has_retired(&self, configuration: &Configuration) -> bool {
        configuration.iter().any(|(id, value)| {
            let labels = self.parameter(id).domain().labels();
            labels.is_some_and(|labels| labels.index_of(value).is_some_and(|i| labels.is_retired(i)))
        })
    }

    fn exchanges(&self, id: ParamId, value: &Value, reach: Reach, rng: &mut Rng) -> Vec<Value> {
        let domain = self.parameter(id).domain();
        match domain {
            Domain::Labels(labels) => {
                let here = labels.index_of(value);
                let near = |i: usize| !labels.is_ordered() || here.is_none_or(|h| h.abs_diff(i) == 1);
                let others = labels.offered().filter(|&i| Some(i) != here && near(i)).collect();
                random_subset(others, MANY, rng).into_iter().map(|i| labels.value(i).clone()).collect()
            }
            _ => {
                let mut others = match reach {
                    Reach::Step(step) => steps(domain, value, step),
                    Reach::Gaussian { draws, sd } => around(domain, value, draws, sd, rng),
                };
                others.retain(|other| other != value);
                others
            }
        }
    }
}

/// All of these, or a random subset of `count` in the same order.
fn random_subset<T>(mut these: Vec<T>, count: usize, rng: &mut Rng) -> Vec<T> {
    if these.len() <= count {
        return these;
    }
    let mut places: Vec<usize> = (0..these.len()).collect();
    for chosen in 0..count {
        let other = chosen + rng.below(places.len() - chosen);
        places.swap(chosen, other);
    }
    places.truncate(count);
    places.sort_unstable();
    let mut place = 0;
    these.retain(|_| {
        place += 1;
        places.binary_search(&(place - 1)).is_ok()
    });
    these
}

fn steps(domain: &Domain, value: &Value, step: f64) -> Vec<Value> {
    let u = domain.encode(value);
    match domain {
        Domain::Lattice(lattice) => {
            let i = value.as_f64().map_or(0, |x| lattice.nearest(x));
            let up = (i + 1 < lattice.count()).then(|| lattice.value(i + 1));
            i.checked_sub(1).map(|down| lattice.value(down)).into_iter().chain(up).collect()
        }
        _ => vec![domain.decode(u - step), domain.decode(u + step)],
    }
}

fn around(domain: &Domain, value: &Value, draws: usize, sd: f64, rng: &mut Rng) -> Vec<Value> {
    if let Some(levels) = domain.levels().filter(|levels| *levels <= draws as u64 + 1) {
        return (0..levels).map(|i| domain.level(i)).collect();
    }
    let u = domain.encode(value);
    let mut found: Vec<Value> = Vec::with_capacity(draws);
    // Redraw values that are outside or repeated; a few attempts per draw are enough for every
    // value and width in use.
    for _ in 0..SMALL as usize * draws {
        if found.len() == draws {
            break;
        }
        let to = u + sd * rng.normal();
        if (0.0..=1.0).contains(&to) {
            let other = domain.decode(to);
            if other != *value && !found.contains(&other) {
                found.push(other);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Param;

    #[test]
    fn thousands_of_alternatives_or_parameters_have_a_bounded_neighbourhood() {
        let labels: Vec<String> = (0..10_000).map(|i| format!("label{i}")).collect();
        let many = Space::new([Param::choice("c", labels)]).unwrap();
        let wide =
            Space::new((0..500).map(|i| Param::real(format!("x{i}"), 0.0, 1.0)).collect::<Vec<_>>()).unwrap();
        let mut rng = Rng::new(1);
        for (space, most) in [(many, MANY), (wide, 4 * MANY * MANY / 500)] {
            let at = space.sample(&mut rng).unwrap();
            let around = space.neighbours(&at, Reach::default(), &mut rng);
            assert_eq!(around.len(), most);
            assert!(around.iter().all(|one| *one != at && space.check(one).is_ok()));
            let again = space.neighbours(&at, Reach::default(), &mut rng);
            assert!(again.iter().any(|one| !around.contains(one)), "drawn anew every time");
        }
    }

    #[test]
    fn an_ordinary_neighbourhood_is_whole() {
        let labels: Vec<String> = (0..=MANY).map(|i| format!("label{i}")).collect();
        let space = Space::new([Param::choice("c", labels)]).unwrap();
        let mut rng = Rng::new(1);
        let at = space.sample(&mut rng).unwrap();
        assert_eq!(space.neighbours(&at, Reach::default(), &mut rng).len(), MANY);
    }
}
