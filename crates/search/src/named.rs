//! Strategies by name, so that a row of a table is one word.
use crate::error::SearchError;
use crate::spec::{DesignSpec, MaximizerSpec, ModelSpec, StrategySpec};
use arbora_model::kernel::Categories;
use arbora_model::{Correction, GpSpec, HierarchicalSpec, KernelSpec, KrigingSpec, RuleSpec, SurrogateSpec};
use std::str::FromStr;

/// Every name, with what it stands for. The names are those of the papers' tables.
pub const STRATEGIES: [(&str, &str); 10] = [
    ("random", "draws from the priors of the space"),
    (
        "gp-conditional",
        "Gaussian process that isolates branches; slice sampling, local search with polish (GP-cond-ls)",
    ),
    (
        "gp-matern",
        "Gaussian process on imputed points that knows no branches; the best of 1000 random candidates",
    ),
    ("gp-matern-ls", "the same with local search and polish"),
    (
        "gp-arc",
        "Kriging, absence in the centre of an arc of values; expected improvement by differential evolution (Arc)",
    ),
    ("gp-ico", "the same with a distance to absence of its own; indefinite, left as it is (Ico)"),
    ("gp-icocor", "the same with the matrix made definite by flipping its negative eigenvalues (IcoCor)"),
    ("gp-imp", "the same with a learnt stand-in for what is absent (Imp)"),
    ("gp-imparc", "the same with arc and stand-in together (ImpArc)"),
    ("gp-stan", "the same by a kernel that knows nothing of absence (Stan)"),
];

/// What the plain rows of the papers maximise over.
const CANDIDATES: MaximizerSpec = MaximizerSpec::Random { count: 1000 };

/// A row of Zaefferer & Horn 2018: three random points, Kriging with a nugget and re-interpolation, its likelihood by
/// DIRECT, expected improvement by differential evolution.
fn kriging(rule: RuleSpec, correction: Correction) -> StrategySpec {
    let kernel = KernelSpec::Hierarchical(HierarchicalSpec { rule, ..HierarchicalSpec::default() });
    StrategySpec::Model(Box::new(ModelSpec {
        design: DesignSpec::Random { count: 3 },
        surrogate: SurrogateSpec::Kriging(KrigingSpec { kernel, correction, ..KrigingSpec::default() }),
        maximizer: MaximizerSpec::DifferentialEvolution { evaluations: 10_000 },
        ..ModelSpec::default()
    }))
}

impl FromStr for StrategySpec {
    type Err = SearchError;

    fn from_str(name: &str) -> Result<Self, SearchError> {
        let with = |kernel: KernelSpec, maximizer: MaximizerSpec| {
            let surrogate = SurrogateSpec::Gp(GpSpec { kernel, ..GpSpec::default() });
            StrategySpec::Model(Box::new(ModelSpec { surrogate, maximizer, ..ModelSpec::default() }))
        };
        let imputed = KernelSpec::Matern52 { categories: Categories::Index };
        match name {
            "random" => Ok(StrategySpec::Random),
            "gp-conditional" => Ok(with(KernelSpec::default(), MaximizerSpec::default())),
            "gp-matern" => Ok(with(imputed, CANDIDATES)),
            "gp-matern-ls" => Ok(with(imputed, MaximizerSpec::default())),
            "gp-arc" => Ok(kriging(RuleSpec::default(), Correction::None)),
            "gp-ico" => Ok(kriging(RuleSpec::Ico {}, Correction::None)),
            "gp-icocor" => Ok(kriging(RuleSpec::Ico {}, Correction::Linear)),
            "gp-imp" => Ok(kriging(RuleSpec::Imp {}, Correction::None)),
            "gp-imparc" => Ok(kriging(RuleSpec::ImpArc {}, Correction::None)),
            "gp-stan" => Ok(kriging(RuleSpec::Standard {}, Correction::None)),
            _ => Err(SearchError::UnknownStrategy {
                name: name.to_owned(),
                known: STRATEGIES.map(|(name, _)| name).join(", "),
            }),
        }
    }
}

impl Default for StrategySpec {
    fn default() -> Self {
        "gp-conditional".parse().expect("the default is one of the names")
    }
}
