//! A walk only checks dependents that a decision can activate. It must still follow the law: a
//! parameter is in a configuration exactly if its condition holds.
#![allow(clippy::unwrap_used)]
use arbora_space::{Param, Reach, Rng, Space};

fn space() -> Space {
    Space::new([
        Param::choice("model", ["svm", "forest", "net"]),
        Param::integer("layers", 0, 5).when("model == 'net'"),
        Param::choice("kernel", ["linear", "rbf", "poly"]).when("model == 'svm'"),
        Param::real("gamma", 1e-5, 1e5).log().when("kernel in ['rbf', 'poly']"),
        Param::integer("degree", 1, 5).when("kernel == 'poly' or layers > 3"),
        Param::real("shared", 0.0, 1.0).when("model != 'forest'"),
        Param::boolean("bagged").when("model == 'forest' or shared < 0.5"),
        Param::integer("limit", 1, 9).or_none().when("bagged == true and model in ['forest', 'net']"),
        Param::real("slope", 0.0, 1.0).when("(kernel == 'linear' or limit > 4) and not (model == 'net')"),
    ])
    .expect("the space is well formed")
}

#[test]
fn a_parameter_takes_part_exactly_where_its_condition_holds() {
    let space = space();
    let mut seen = vec![[false; 2]; space.parameters().len()];
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let drawn = space.sample(&mut rng).unwrap();
        let mut family = space.neighbours(&drawn, Reach::default(), &mut rng);
        family.push(drawn);
        for configuration in &family {
            for id in space.ids() {
                let is_active = configuration.is_active(id);
                assert_eq!(is_active, space.is_active(id, configuration), "{}", space.parameter(id).name());
                seen[id.index()][usize::from(is_active)] = true;
            }
        }
    }
    let both_ways = |id| seen[id] == [true, true];
    assert!(
        (1..seen.len()).all(both_ways),
        "every conditional parameter was seen active and inactive: {seen:?}"
    );
}
