//! The cube of all parameters: one coordinate in [0, 1] per column, whether it is active or not.
//!
//! Numbers stand where their domain puts them; alternatives on offer share the edge in equal parts, so that a
//! uniform coordinate makes them equally likely. Baselines that know no conditions (Sobol points, Latin hypercubes,
//! CMA-ES, Spearmint) search it; coordinates of inactive parameters are ignored.
use arbora_space::{Configuration, Domain, Space};

/// The configuration at a place, constraints ignored.
pub(crate) fn configuration_at(space: &Space, place: &[f64]) -> Configuration {
    let codes: Vec<f64> =
        space.ids().zip(place).map(|(id, &u)| code(space.parameter(id).domain(), u)).collect();
    space.decode_dense(&codes)
}

/// The configuration at a place if it may be proposed: no constraint forbids it, no alternative is retired.
pub(crate) fn proposable_at(space: &Space, place: &[f64]) -> Option<Configuration> {
    let found = configuration_at(space, place);
    space.may_propose(&found).then_some(found)
}

/// Where a configuration lies: the middle of an alternative's part of the edge; inactive columns keep what `place`
/// holds.
pub(crate) fn move_to(space: &Space, configuration: &Configuration, place: &mut [f64]) {
    for (id, value) in configuration.iter() {
        let domain = space.parameter(id).domain();
        place[id.index()] = match domain {
            Domain::Labels(labels) if !labels.is_ordered() => {
                let offered: Vec<usize> = labels.offered().collect();
                let position =
                    labels.index_of(value).and_then(|i| offered.iter().position(|&other| other == i));
                position.map_or(0.5, |i| (i as f64 + 0.5) / offered.len() as f64)
            }
            _ => domain.encode(value),
        };
    }
}

/// Columns that can vary.
pub(crate) fn varying(space: &Space) -> Vec<usize> {
    space.layout().varying().collect()
}

/// A place with these coordinates in the columns that vary, the middle in all others.
pub(crate) fn widened(space: &Space, columns: &[usize], coordinates: &[f64]) -> Vec<f64> {
    let mut place = vec![0.5; space.layout().width()];
    for (&column, &u) in columns.iter().zip(coordinates) {
        place[column] = u;
    }
    place
}

fn code(domain: &Domain, u: f64) -> f64 {
    match domain {
        Domain::Labels(labels) if !labels.is_ordered() => {
            let offered: Vec<usize> = labels.offered().collect();
            let part = (u.clamp(0.0, 1.0) * offered.len() as f64) as usize;
            labels.encode(offered[part.min(offered.len() - 1)])
        }
        _ => u,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbora_space::{Param, Rng};

    fn space() -> Space {
        Space::new([
            Param::choice("a", ["x", "y", "z", "w"]).retire("y"),
            Param::integer("k", 1, 9).when("a == 'x'"),
            Param::real("r", 1e-3, 1e3).log(),
            Param::ordinal("o", [1, 2, 4]),
        ])
        .unwrap()
    }

    #[test]
    fn places_of_configurations_lead_back_to_them() {
        let (space, mut rng) = (space(), Rng::new(1));
        for _ in 0..100 {
            let drawn = space.sample(&mut rng).unwrap();
            let mut place = vec![0.3; 4];
            move_to(&space, &drawn, &mut place);
            let back = configuration_at(&space, &place);
            let mut again = vec![0.3; 4];
            move_to(&space, &back, &mut again);
            assert!(place.iter().zip(&again).all(|(a, b)| (a - b).abs() < 1e-12));
            assert_eq!(space.value(&back, "a"), space.value(&drawn, "a"));
        }
    }

    #[test]
    fn alternatives_on_offer_share_the_edge_equally() {
        let (space, mut rng) = (space(), Rng::new(2));
        let n = 30_000;
        let mut counts = [0.0; 3];
        for _ in 0..n {
            let place: Vec<f64> = (0..4).map(|_| rng.unit()).collect();
            let found = proposable_at(&space, &place).unwrap();
            let label = space.value(&found, "a").unwrap().to_string();
            counts[["x", "z", "w"].iter().position(|l| *l == label).unwrap()] += 1.0;
        }
        let error = (2.0 / 9.0 / f64::from(n)).sqrt();
        assert!(counts.iter().all(|c| (c / f64::from(n) - 1.0 / 3.0).abs() < 4.0 * error), "{counts:?}");
    }
}
