//! X6, how well kernels for hierarchical spaces predict  [Z18, Fig. 2].
//!
//! As printed: 200 evaluations of the likelihood by DIRECT. `-mle` looks for its true maximum: another six
//! rows, which are not the paper's.
use super::Experiment;
use super::z18_search::METHODS;
use crate::claim::{Claim, better};
use crate::job;
use crate::plan::{RunPlan, Size};
use crate::problem::{Setting, zaefferer_grid};
use crate::results::{Blocks, Measure, Results};

const POLISHED: [&str; 6] =
    ["gp-arc-mle", "gp-ico-mle", "gp-icocor-mle", "gp-imp-mle", "gp-imparc-mle", "gp-stan-mle"];

pub(super) static EXPERIMENT: Experiment = Experiment {
    name: "z18-kernels",
    short: "x6",
    log: "x6",
    title: "how well kernels for hierarchical spaces predict",
    source: "Z18 Fig. 2",
    plan,
    job: job::fit,
    measure: Measure::Figure("rmse"),
    blocks: Blocks::Runs,
    claims,
};

fn plan(size: Size) -> RunPlan {
    let methods = [METHODS, POLISHED].concat();
    RunPlan::new(zaefferer_grid().iter().map(Setting::name), 10, &methods, size.pick(5, 100))
}

fn claims(found: &Results) -> Vec<Claim> {
    let all = found.problems();
    let with = |b: &str| all.iter().copied().filter(|name| name.contains(b)).collect::<Vec<_>>();
    let (smooth, step) = (with("b=0 "), with("b=0.1 "));
    let beats = |a: &str, b: &str, on: &[&str]| better(found, a, b, on, None);
    let each = |pairs: &[(&str, &str)], on: &[&str]| -> Vec<_> {
        pairs.iter().map(|(a, b)| beats(a, b, on)).collect()
    };
    vec![
        Claim::of(
            "Stan is worst where there is a step",
            "highest error for almost all c, d; IcoCor at times worse",
            &["gp-arc", "gp-ico", "gp-imp", "gp-imparc"].map(|method| beats(method, "gp-stan", &step)),
        ),
        Claim::of(
            "without a step Imp and ImpArc are best",
            "lowest two medians",
            &each(
                &[
                    ("gp-imp", "gp-arc"),
                    ("gp-imp", "gp-ico"),
                    ("gp-imp", "gp-icocor"),
                    ("gp-imparc", "gp-arc"),
                    ("gp-imparc", "gp-ico"),
                    ("gp-imparc", "gp-icocor"),
                ],
                &smooth,
            ),
        ),
        Claim::of(
            "with a step Arc and Ico are better than Imp",
            "Imp second or third worst",
            &each(&[("gp-arc", "gp-imp"), ("gp-ico", "gp-imp")], &step),
        ),
        Claim::of(
            "ImpArc is good everywhere",
            "never far from the best",
            &each(&[("gp-imparc", "gp-stan"), ("gp-imparc", "gp-icocor")], &all),
        ),
        Claim::of(
            "IcoCor is erratic: worse than the uncorrected Ico",
            "in many panels",
            &[beats("gp-ico", "gp-icocor", &all)],
        ),
        Claim::of(
            "the true maximum of the likelihood predicts worse than the coarse one",
            "not in the paper",
            &each(
                &[("gp-arc", "gp-arc-mle"), ("gp-ico", "gp-ico-mle"), ("gp-imparc", "gp-imparc-mle")],
                &all,
            ),
        )
        .of_ours(),
    ]
}
