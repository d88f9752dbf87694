//! Spaces as large as the largest of the collection of Eggensperger et al. 2013, with a smooth stand-in for the loss.
//!
//! HP-NNET has 14 parameters, HP-DBNET 36, Auto-WEKA 786. Their objectives need graphics cards and WEKA; what matters
//! here is the size and the nesting of the space. The stand-in is Σ over active numbers of w(u − s)² / Σ w, plus a small
//! price per choice, with places s and weights w fixed by the position of the parameter: every parameter matters, and
//! the best value of each is inside its range.
use super::{Problem, Reading};
use arbora_space::{Param, Space};

/// How large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScaleProblem {
    /// A neural network: 14 parameters, four of them conditional.
    HpNnet,
    /// A deep belief network: 36 parameters, 29 of them conditional.
    HpDbnet,
    /// 786 parameters, 784 of them conditional, nested three deep.
    AutoWeka,
}

impl ScaleProblem {
    /// All of them.
    pub const ALL: [ScaleProblem; 3] = [ScaleProblem::HpNnet, ScaleProblem::HpDbnet, ScaleProblem::AutoWeka];

    /// Such as `scale/hp-nnet`.
    pub fn name(self) -> &'static str {
        match self {
            ScaleProblem::HpNnet => "scale/hp-nnet",
            ScaleProblem::HpDbnet => "scale/hp-dbnet",
            ScaleProblem::AutoWeka => "scale/auto-weka",
        }
    }

    fn params(self) -> Vec<Param> {
        match self {
            ScaleProblem::HpNnet => hp_nnet(),
            ScaleProblem::HpDbnet => hp_dbnet(),
            ScaleProblem::AutoWeka => auto_weka(),
        }
    }
}

/// The problem of a size.
pub fn scale(size: ScaleProblem) -> Problem {
    let space = Space::new(size.params()).expect("the spaces of the collection are spaces");
    let names: Vec<String> = space.parameters().iter().map(|p| p.name().to_owned()).collect();
    let ranges: Vec<Option<(f64, f64)>> = space.parameters().iter().map(|p| p.domain().range()).collect();
    Problem::new(size.name(), space, 0.0, move |at: &Reading<'_>| {
        let (mut sum, mut weights) = (0.0, 0.0);
        for (i, (name, range)) in names.iter().zip(&ranges).enumerate() {
            let Some(value) = at.choice(name) else { continue };
            let weight = 1.0 / (1.0 + (i % 7) as f64);
            let far = match (value.as_f64(), range) {
                (Some(x), Some((low, high))) if high > low => {
                    ((x - low) / (high - low) - 0.5 - 0.4 * libm::sin(1.0 + i as f64)).powi(2)
                }
                _ => 0.05 * (value.to_string().len() % 3) as f64,
            };
            sum += weight * far;
            weights += weight;
        }
        sum / weights
    })
}

fn log_integer(name: &str, low: i64, high: i64) -> Param {
    Param::integer(name, low, high).log()
}

fn hp_nnet() -> Vec<Param> {
    vec![
        Param::choice("preproc", ["none", "colnorm", "pca"]),
        Param::real("colnorm_thresh", 1e-9, 1e-3).log().when("preproc == 'colnorm'"),
        Param::real("pca_energy", 0.5, 1.0).when("preproc == 'pca'"),
        log_integer("nhid", 16, 1024),
        Param::choice("dist", ["uniform", "normal"]),
        Param::choice("heuristic", ["old", "glorot"]),
        Param::real("scale_mult", 0.2, 2.0).when("heuristic == 'old'"),
        Param::choice("squash", ["tanh", "logistic"]),
        Param::choice("iseed", [5_i64, 6, 7, 8]),
        Param::choice("batch", [20_i64, 100]),
        Param::real("lr", 1.2e-6, 81.0).log(),
        log_integer("anneal_start", 100, 10_000),
        Param::choice("l2", ["zero", "nz"]),
        Param::real("l2_value", 2.5e-9, 4e-4).log().when("l2 == 'nz'"),
    ]
}

fn hp_dbnet() -> Vec<Param> {
    let mut params = vec![
        Param::choice("preproc", ["raw", "zca"]),
        Param::real("pca_energy", 0.5, 1.0).when("preproc == 'zca'"),
        Param::choice("iseed", [5_i64, 6, 7, 8]),
        Param::choice("depth", [0_i64, 1, 2, 3]).weights([0.5, 0.25, 0.125, 0.125]),
    ];
    for (layer, epochs) in [3000, 2000, 1500].into_iter().enumerate() {
        let deeper: Vec<String> = (layer + 1..=3).map(|depth| format!("depth == {depth}")).collect();
        let when = deeper.join(" or ");
        let name = |what: &str| format!("layer{layer}.{what}");
        params.extend([
            log_integer(&name("n_hid"), 128, 4096).when(when.clone()),
            Param::choice(name("w_dist"), ["uniform", "normal"]).when(when.clone()),
            Param::choice(name("w_algo"), ["old", "glorot"]).when(when.clone()),
            Param::real(name("w_mult"), 0.05, 20.0).log().when(when.clone()),
            Param::real(name("cd_lr"), 2.5e-5, 4.0).log().when(when.clone()),
            Param::integer(name("cd_seed"), 0, 9).when(when.clone()),
            log_integer(&name("cd_epochs"), 1, epochs).when(when.clone()),
            Param::boolean(name("sample_v0s")).when(when.clone()),
            log_integer(&name("lr_anneal"), 10, 10_000).when(when),
        ]);
    }
    params.extend([
        Param::choice("batch", [20_i64, 100]),
        Param::real("lr", 1.2e-6, 81.0).log(),
        log_integer("anneal_start", 100, 10_000),
        Param::choice("l2", ["zero", "nz"]),
        Param::real("l2_value", 2.5e-9, 4e-4).log().when("l2 == 'nz'"),
    ]);
    params
}

/// One of 28 learners alone, or inside one of 12 wrappers: 2 + 28·13 + 28·14 + 28 = 786 parameters.
fn auto_weka() -> Vec<Param> {
    let learners: Vec<String> = (0..28).map(|i| format!("learner{i}")).collect();
    let mut params =
        vec![Param::choice("kind", ["single", "wrapped"]), Param::choice("learner", learners.clone())];
    for learner in &learners {
        let when = format!("learner == '{learner}'");
        let switch = format!("{learner}.mode");
        params.push(Param::choice(switch.clone(), ["plain", "tuned"]).when(when.clone()));
        for i in 0..13 {
            params.push(one_of(i, format!("{learner}.p{i}")).when(when.clone()));
        }
        for i in 0..14 {
            let deeper = format!("{when} and {switch} == 'tuned' and kind == 'wrapped'");
            params.push(one_of(i + 5, format!("{learner}.q{i}")).when(deeper));
        }
    }
    params
}

fn one_of(i: usize, name: String) -> Param {
    match i % 8 {
        0 | 3 => Param::real(name, 1e-3, 1e3).log(),
        1 => Param::real(name, 0.0, 1.0),
        2 | 6 => Param::integer(name, 1, 64),
        4 => Param::choice(name, ["a", "b", "c"]),
        _ => Param::boolean(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_are_as_large_as_in_the_paper() {
        let count = |size: ScaleProblem| {
            let problem = scale(size);
            let conditional = problem.space().layout().columns.iter().filter(|c| c.is_conditional).count();
            (problem.space().parameters().len(), conditional)
        };
        assert_eq!(ScaleProblem::ALL.map(count), [(14, 4), (36, 29), (786, 784)]);
    }
}
