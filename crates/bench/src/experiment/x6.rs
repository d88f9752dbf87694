//! X6, how well kernels for hierarchical spaces predict  [Z18, Fig. 2].
use super::Experiment;
use super::x7::METHODS;
use crate::claim::{Claim, better};
use crate::findings::{Blocks, Findings, Measure};
use crate::plan::{Plan, Size};
use crate::problem::{Setting, zaefferer_grid};
use crate::work;

pub(super) fn experiment() -> Experiment {
    Experiment {
        name: "x6",
        title: "how well kernels for hierarchical spaces predict",
        source: "Z18 Fig. 2",
        plan,
        work: work::fit,
        measure: Measure::Figure("rmse"),
        blocks: Blocks::Runs,
        claims,
    }
}

fn plan(size: Size) -> Plan {
    Plan::new(zaefferer_grid().iter().map(Setting::name), 10, &METHODS, size.pick(5, 100))
}

fn claims(found: &Findings) -> Vec<Claim> {
    let all = found.problems();
    let with = |b: &str| all.iter().copied().filter(|name| name.contains(b)).collect::<Vec<_>>();
    let (smooth, step) = (with("b=0 "), with("b=0.1 "));
    let beats = |a: &str, b: &str, on: &[&str]| better(found, a, b, on, None);
    let over_stan =
        |on: &[&str]| METHODS[..5].iter().map(|method| beats(method, "gp-stan", on)).collect::<Vec<_>>();
    vec![
        Claim::of(
            "Stan is worst where there is a step",
            "highest error for almost all c, d",
            &over_stan(&step),
        ),
        Claim::of(
            "without a step Imp and ImpArc are best",
            "lowest two medians",
            &[
                beats("gp-imp", "gp-arc", &smooth),
                beats("gp-imp", "gp-ico", &smooth),
                beats("gp-imparc", "gp-arc", &smooth),
                beats("gp-imparc", "gp-ico", &smooth),
            ],
        ),
        Claim::of(
            "with a step Arc and Ico are better than Imp",
            "Imp second or third worst",
            &[beats("gp-arc", "gp-imp", &step), beats("gp-ico", "gp-imp", &step)],
        ),
        Claim::of(
            "ImpArc is good everywhere",
            "never far from the best",
            &[beats("gp-imparc", "gp-stan", &all), beats("gp-imparc", "gp-icocor", &all)],
        ),
    ]
}
