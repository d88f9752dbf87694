//! Hartmann's function of six variables: one narrow global valley among several  [Eggensperger et al. 2013].
use super::{Problem, Reading};
use arbora_space::{Param, Space};

const WEIGHT: [f64; 4] = [1.0, 1.2, 3.0, 3.2];
const SCALE: [[f64; 6]; 4] = [
    [10.0, 3.0, 17.0, 3.5, 1.7, 8.0],
    [0.05, 10.0, 17.0, 0.1, 8.0, 14.0],
    [3.0, 3.5, 1.7, 10.0, 17.0, 8.0],
    [17.0, 8.0, 0.05, 10.0, 0.1, 14.0],
];
const PLACE: [[f64; 6]; 4] = [
    [0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886],
    [0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991],
    [0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650],
    [0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381],
];

/// −Σᵢ cᵢ exp(−Σⱼ Aᵢⱼ(xⱼ − Pᵢⱼ)²) on the unit cube.
pub fn hartmann6() -> Problem {
    let space = Space::new((0..6).map(|i| Param::real(format!("x{i}"), 0.0, 1.0)).collect::<Vec<_>>());
    let space = space.expect("six plain numbers make a space");
    Problem::new("hartmann6", space, -3.322_368_011_415_515, |at: &Reading<'_>| {
        let x: [f64; 6] = std::array::from_fn(|i| at.number(&format!("x{i}")));
        let hill = |i: usize| {
            let far: f64 = (0..6).map(|j| SCALE[i][j] * (x[j] - PLACE[i][j]).powi(2)).sum();
            WEIGHT[i] * libm::exp(-far)
        };
        -(0..4).map(hill).sum::<f64>()
    })
}
