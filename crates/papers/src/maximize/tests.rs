use super::*;
use arbora_search::testing::{Bowl, assert_maximizer_laws, candidates as run};
use arbora_search::{History, Maximizer};
use arbora_space::{Param, Space};

#[test]
fn searches_of_boxes_keep_the_laws() {
    assert_maximizer_laws("differential evolution", &DifferentialEvolution::default());
    assert_maximizer_laws("direct", &DividedCube::default());
}

#[test]
fn evolution_and_division_come_close_in_the_best_branch() {
    let space = Space::new([
        Param::choice("model", ["a", "b"]),
        Param::real("x", -1.0, 1.0).when("model == 'a'"),
        Param::real("y", 1e-3, 1e3).log(),
    ])
    .unwrap();
    let wish = Bowl { centre: vec![0.0, 0.31, 0.77] };
    let evolved = run(&DifferentialEvolution::default(), &wish, &space, &History::new());
    assert!(evolved[0].score > -1e-10, "{}", evolved[0].score);
    let divided = run(&DividedCube::default(), &wish, &space, &History::new());
    assert!(divided[0].score > -1e-5, "{}", divided[0].score);
}

#[test]
fn a_space_of_nothing_to_vary_is_survived() {
    let space = Space::new([Param::integer("k", 3, 3)]).unwrap();
    let wish = Bowl { centre: vec![0.5] };
    for maximizer in [&DifferentialEvolution::default() as &dyn Maximizer, &DividedCube::default()] {
        assert_eq!(run(maximizer, &wish, &space, &History::new()).len(), 1);
    }
}
