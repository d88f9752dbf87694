//! X7, ten evaluations of a function with a conditional variable  [Z18, Fig. 4 and 5].
//!
//! Judged as in the paper: mean ranks over all runs, Nemenyi's critical difference.
use super::Experiment;
use crate::claim::{Claim, MethodComparison, alike_ranks, chance, ranked_before};
use crate::job;
use crate::plan::{RunPlan, Size};
use crate::problem::{Setting, Situation, zaefferer_grid};
use crate::results::{Blocks, Measure, Results};
use crate::stats::Friedman;

/// The kernels of the paper; Stan, who knows nothing of absence, last.
pub(super) const METHODS: [&str; 6] = ["gp-arc", "gp-ico", "gp-icocor", "gp-imp", "gp-imparc", "gp-stan"];

pub(super) static EXPERIMENT: Experiment = Experiment {
    name: "z18-search",
    short: "x7",
    log: "x7",
    title: "ten evaluations of a function with a conditional variable",
    source: "Z18 Fig. 4–5",
    plan,
    job: job::search_from_draws,
    measure: Measure::LogRegret,
    blocks: Blocks::Runs,
    claims,
};

fn plan(size: Size) -> RunPlan {
    RunPlan::new(zaefferer_grid().iter().map(Setting::name), 10, &METHODS, size.pick(2, 100))
}

/// Problems of a situation that were run.
fn of(found: &Results, situation: Situation) -> Vec<&str> {
    let names: Vec<String> =
        zaefferer_grid().iter().filter(|s| s.situation() == situation).map(Setting::name).collect();
    found.problems().into_iter().filter(|problem| names.iter().any(|name| name == problem)).collect()
}

fn claims(found: &Results) -> Vec<Claim> {
    let all = found.problems();
    let before = |a: &str, b: &str, on: &[&str]| ranked_before(found, a, b, &METHODS, on);
    let [a, b, c, d, e] =
        [Situation::A, Situation::B, Situation::C, Situation::D, Situation::E].map(|which| of(found, which));
    let ahead = |who: &[&str], whom: &[&str], on: &[&str]| -> Vec<MethodComparison> {
        who.iter().flat_map(|first| whom.iter().map(|second| before(first, second, on))).collect()
    };
    let alike = |on: &[&str]| alike_ranks(found, "gp-arc", "gp-ico", &METHODS, on);
    vec![
        differ(found, &all),
        Claim::of(
            "overall Stan is last",
            "clearly outperformed by all",
            &ahead(&METHODS[..5], &["gp-stan"], &all),
        ),
        Claim::of(
            "overall Imp and ImpArc are ahead of Arc, Ico and IcoCor",
            "two groups",
            &ahead(&["gp-imp", "gp-imparc"], &["gp-arc", "gp-ico", "gp-icocor"], &all),
        ),
        Claim::of(
            "Imp is best in situation A",
            "lowest mean rank",
            &ahead(&["gp-imp"], &["gp-arc", "gp-ico", "gp-icocor", "gp-imparc", "gp-stan"], &a),
        ),
        Claim::of(
            "Imp is best in situation C, by a large margin over Arc and Ico",
            "lowest mean rank",
            &ahead(&["gp-imp"], &["gp-arc", "gp-ico", "gp-icocor", "gp-imparc", "gp-stan"], &c),
        ),
        Claim::of(
            "Imp is inferior in situation B",
            "behind Arc and Ico",
            &ahead(&["gp-arc", "gp-ico"], &["gp-imp"], &b),
        ),
        Claim::of("and in situation E", "behind Arc and Ico", &ahead(&["gp-arc", "gp-ico"], &["gp-imp"], &e)),
        Claim::of(
            "IcoCor is best in situation E",
            "lowest mean rank",
            &ahead(&["gp-icocor"], &["gp-imp", "gp-imparc", "gp-stan"], &e),
        ),
        Claim::of(
            "IcoCor is poor in situations A, B and C",
            "behind Arc and Ico",
            &[&a, &b, &c].map(|on| before("gp-ico", "gp-icocor", on)),
        ),
        Claim::of(
            "Arc and Ico are alike in A, B, D and E",
            "same groups",
            &[&a, &b, &d, &e].map(|on| alike(on)),
        ),
        Claim::of("but not in C", "Arc and Ico apart", &[different(alike(&c))]),
        Claim::of(
            "in D there are few differences, and Stan is not last",
            "Arc, Imp, ImpArc and Stan alike",
            &["gp-arc", "gp-imp", "gp-imparc"].map(|m| alike_ranks(found, m, "gp-stan", &METHODS, &d)),
        ),
        never_first(found, &[&a, &b, &c, &d, &e]),
    ]
}

fn differ(found: &Results, all: &[&str]) -> Claim {
    let friedman = found.ranks(all, &METHODS).ok().map(|table| (Friedman::of(&table), table.problems()));
    Claim::fact(
        "kernels differ",
        "Friedman p < 1e−16, N = 4000",
        friedman.as_ref().map_or(String::new(), |(test, n)| format!("p = {}, N = {n}", chance(test.p))),
        friedman.as_ref().map(|(test, _)| test.p < crate::claim::LEVEL),
    )
}

/// The contrary of alike.
fn different(mut compared: MethodComparison) -> MethodComparison {
    use crate::claim::ClaimVerdict::{DoesNotHold, Holds, Undecided};
    compared.verdict = match compared.verdict {
        DoesNotHold => Holds,
        Holds => Undecided,
        other => other,
    };
    compared
}

/// ImpArc has the lowest mean rank in no situation.
fn never_first(found: &Results, situations: &[&Vec<&str>]) -> Claim {
    let first = |on: &&Vec<&str>| {
        let ranks = found.ranks(on, &METHODS).ok()?.average();
        let best = (0..ranks.len()).min_by(|&a, &b| ranks[a].total_cmp(&ranks[b]))?;
        Some(METHODS[best])
    };
    let firsts: Option<Vec<&str>> = situations.iter().map(first).collect();
    let words =
        firsts.as_ref().map_or(String::new(), |firsts| format!("first in A to E: {}", firsts.join(", ")));
    Claim::fact(
        "ImpArc is never first",
        "in the second-best group",
        words,
        firsts.map(|firsts| !firsts.contains(&"gp-imparc")),
    )
}
