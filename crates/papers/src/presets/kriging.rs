//! Rows of Zaefferer & Horn 2018, §5: three random points, Kriging with a nugget and
//! re-interpolation, its likelihood maximised by 200 evaluations of DIRECT, expected improvement by
//! differential evolution. Names ending in `-mle`: the likelihood maximised by 200 evaluations per
//! hyper and gradients, and IcoCor with the consistent correction.
use super::by_surrogate;
use crate::global_search::GlobalSearch;
use crate::hierarchical::HierarchicalSpec;
use crate::kriging::{Correction, KrigingSpec};
use crate::maximize::DifferentialEvolution;
use crate::rule::{IcoSpec, ImpArcSpec, ImpSpec, RuleSpec, StandardSpec};
use arbora_model::KernelSpec;
use arbora_model::infer::{Estimate, InferenceSpec};
use arbora_search::MaximizerSpec;
use arbora_search::Preset;
use arbora_search::design::{DesignSpec, RandomDesign};
use arbora_search::strategy::{BlindSpec, ModelSpec, StrategySpec};

const Z18: &str = "Zaefferer & Horn 2018";
/// Variants that maximise the likelihood by gradients, which are not in the paper.
const BY_GRADIENTS: &str = "kernels of Zaefferer & Horn 2018";

pub(crate) const ALL: &[Preset] = &[
    Preset::paper(
        "gp-arc",
        "Kriging with the Arc kernel (values on an arc around inactive); 200 evaluations of the likelihood",
        Z18,
        || kriging(RuleSpec::default(), Correction::None, Likelihood::Searched),
    ),
    Preset::paper(
        "gp-ico",
        "Kriging with the Ico kernel (a learnt distance between active and inactive), no correction for indefiniteness; 200 evaluations of the likelihood",
        Z18,
        || kriging(RuleSpec::new(IcoSpec {}), Correction::None, Likelihood::Searched),
    ),
    Preset::paper(
        "gp-icocor",
        "Kriging with the IcoCor kernel (Ico with negative eigenvalues flipped); 200 evaluations of the likelihood",
        Z18,
        || kriging(RuleSpec::new(IcoSpec {}), Correction::Augmented, Likelihood::Searched),
    ),
    Preset::paper(
        "gp-imp",
        "Kriging with the Imp kernel (inactive parameters imputed with a learnt value); 200 evaluations of the likelihood",
        Z18,
        || kriging(RuleSpec::new(ImpSpec {}), Correction::None, Likelihood::Searched),
    ),
    Preset::paper(
        "gp-imparc",
        "Kriging with the ImpArc kernel (Imp and Arc combined); 200 evaluations of the likelihood",
        Z18,
        || kriging(RuleSpec::new(ImpArcSpec {}), Correction::None, Likelihood::Searched),
    ),
    Preset::paper(
        "gp-stan",
        "Kriging with the Stan kernel (every parameter treated as always active); 200 evaluations of the likelihood",
        Z18,
        || blind(kriging(RuleSpec::new(StandardSpec {}), Correction::None, Likelihood::Searched)),
    ),
    Preset::paper(
        "gp-arc-mle",
        "Kriging with the Arc kernel (values on an arc around inactive); maximum likelihood by gradients",
        BY_GRADIENTS,
        || kriging(RuleSpec::default(), Correction::None, Likelihood::Greatest),
    ),
    Preset::paper(
        "gp-ico-mle",
        "Kriging with the Ico kernel (a learnt distance between active and inactive), no correction for indefiniteness; maximum likelihood by gradients",
        BY_GRADIENTS,
        || kriging(RuleSpec::new(IcoSpec {}), Correction::None, Likelihood::Greatest),
    ),
    Preset::paper(
        "gp-icocor-mle",
        "Kriging with the IcoCor kernel (Ico with one correction for observed and new points); maximum likelihood by gradients",
        BY_GRADIENTS,
        || kriging(RuleSpec::new(IcoSpec {}), Correction::Linear, Likelihood::Greatest),
    ),
    Preset::paper(
        "gp-imp-mle",
        "Kriging with the Imp kernel (inactive parameters imputed with a learnt value); maximum likelihood by gradients",
        BY_GRADIENTS,
        || kriging(RuleSpec::new(ImpSpec {}), Correction::None, Likelihood::Greatest),
    ),
    Preset::paper(
        "gp-imparc-mle",
        "Kriging with the ImpArc kernel (Imp and Arc combined); maximum likelihood by gradients",
        BY_GRADIENTS,
        || kriging(RuleSpec::new(ImpArcSpec {}), Correction::None, Likelihood::Greatest),
    ),
    Preset::paper(
        "gp-stan-mle",
        "Kriging with the Stan kernel (every parameter treated as always active); maximum likelihood by gradients",
        BY_GRADIENTS,
        || blind(kriging(RuleSpec::new(StandardSpec {}), Correction::None, Likelihood::Greatest)),
    ),
];

/// How the likelihood is maximised.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Likelihood {
    /// 200 evaluations in total.
    Searched,
    /// 200 evaluations per hyper, then gradients.
    Greatest,
}

fn kriging(rule: RuleSpec, correction: Correction, likelihood: Likelihood) -> StrategySpec {
    let is_greatest = likelihood == Likelihood::Greatest;
    let search = GlobalSearch {
        evaluations: 200,
        per_hyper: is_greatest,
        estimate: Estimate::Likelihood,
        polish: is_greatest,
    };
    let kriging = KrigingSpec {
        kernel: KernelSpec::new(HierarchicalSpec { rule, ..HierarchicalSpec::default() }),
        infer: InferenceSpec::new(search),
        correction,
        ..KrigingSpec::default()
    };
    StrategySpec::new(ModelSpec {
        design: DesignSpec::new(RandomDesign { count: 3 }),
        maximizer: MaximizerSpec::new(DifferentialEvolution { evaluations: 10_000 }),
        ..by_surrogate(kriging)
    })
}

/// The same strategy, ignoring conditions.
fn blind(strategy: StrategySpec) -> StrategySpec {
    StrategySpec::new(BlindSpec { strategy, cube: false })
}
