//! How alike do kernels take configurations of a conditional space to be?  [L17, Fig. 2–4]
//!
//! One choice of three, each with a number of its own; choices by their index 0, ½, 1. The papers draw the squared
//! exponential exp(−‖Δ‖²/ℓ), Laplace's exp(−‖Δ‖₁/ℓ) and Mondrian's with 30 trees, ℓ = 0.75, with inactive numbers as they
//! were drawn (*raw*) or at ½ (*imputed*), and the conditional kernel, which is zero across choices.
use super::Worker;
use crate::error::BenchError;
use crate::run::{Key, Run};
use arbora_model::kernel::{Categories, ConditionalSpec, Laplace, SquaredExponential};
use arbora_model::{HyperSpec, KernelContext, KernelSpec};
use arbora_papers::mondrian::MondrianSpec;
use arbora_space::{Branching, Configuration, Encoding, Imputation, Param, Rng, Space};

/// The matrices of the figures, in their order.
pub const MATRICES: [&str; 6] =
    ["se-raw", "se-imputed", "se-conditional", "laplace-raw", "laplace-imputed", "mondrian-imputed"];

/// ℓ of the figures.
const LENGTH: f64 = 0.75;

/// The matrix of a method over as many points as there are trials; figures `same`, `adjacent` and `far`: means over
/// pairs of different points whose choices are equal, next to each other, or at the ends.
pub fn covariance(key: &Key, _: &mut Worker<'_>) -> Result<Run, BenchError> {
    let (matrix, choices) = matrix(&key.method, key.trials, key.seed)?;
    let mut run = Run::new(key.clone());
    for (name, apart) in [("same", 0), ("adjacent", 1), ("far", 2)] {
        let mut entries = Vec::new();
        for i in 0..choices.len() {
            entries
                .extend((0..i).filter(|j| choices[i].abs_diff(choices[*j]) == apart).map(|j| matrix[i][j]));
        }
        run = run.with(name, entries.iter().sum::<f64>() / entries.len().max(1) as f64);
    }
    Ok(run)
}

/// The matrix and the choices of its rows, sorted by choice.
pub fn matrix(method: &str, count: usize, seed: u64) -> Result<(Vec<Vec<f64>>, Vec<usize>), BenchError> {
    let space = space();
    let mut rng = Rng::new(seed);
    let mut drawn: Vec<Configuration> =
        (0..count).map(|_| space.sample(&mut rng)).collect::<Result<_, _>>()?;
    let choice = |c: &Configuration| {
        let value = space.value(c, "choice").and_then(|v| v.as_i64()).unwrap_or(0);
        usize::try_from(value).unwrap_or(0)
    };
    drawn.sort_by_key(&choice);
    let (kernel, length) = recipe(method)?;
    let raw = method.ends_with("-raw");
    let imputation = if raw { Imputation::Raw } else { Imputation::Midpoint };
    let points = space.encode(&drawn, &Encoding { imputation, branching: Branching::Literal });
    let kernel = kernel.build(KernelContext::new(space.layout(), &HyperSpec::length()))?;
    let theta: Vec<f64> = kernel.hypers().iter().map(|hyper| hyper.coordinate(length)).collect();
    let row = |i: usize| (0..count).map(|j| kernel.cov(&theta, points.row(i), points.row(j))).collect();
    Ok(((0..count).map(row).collect(), drawn.iter().map(choice).collect()))
}

fn recipe(method: &str) -> Result<(KernelSpec, f64), BenchError> {
    let categories = Categories::Index;
    // exp(−r²/2ℓ²) with 2ℓ² = 0.75.
    let wide = (LENGTH / 2.0).sqrt();
    match method {
        "se-raw" | "se-imputed" => Ok((KernelSpec::new(SquaredExponential { categories }), wide)),
        "se-conditional" => Ok((
            KernelSpec::new(ConditionalSpec { inner: KernelSpec::new(SquaredExponential { categories }) }),
            wide,
        )),
        "laplace-raw" | "laplace-imputed" => Ok((KernelSpec::new(Laplace { categories }), LENGTH)),
        "mondrian-imputed" => Ok((KernelSpec::new(MondrianSpec { trees: 30 }), LENGTH)),
        _ => Err(BenchError::UnknownProblem { name: method.to_owned(), known: MATRICES.join(", ") }),
    }
}

fn space() -> Space {
    let mut params = vec![Param::choice("choice", [0_i64, 1, 2])];
    params.extend((0..3).map(|i| Param::real(format!("x{i}"), 0.0, 1.0).when(format!("choice == {i}"))));
    Space::new(params).expect("a choice and what hangs on it make a space")
}
