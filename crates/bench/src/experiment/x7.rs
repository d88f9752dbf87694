//! X7, ten evaluations of a function with a conditional variable  [Z18, Fig. 4 and 5].
use super::Experiment;
use crate::claim::{Claim, better};
use crate::findings::{Blocks, Findings, Measure};
use crate::plan::{Plan, Size};
use crate::problem::{Setting, Situation, zaefferer_grid};
use crate::stats::Friedman;
use crate::work;

/// The kernels of the paper; Stan, who knows nothing of absence, last.
pub(super) const METHODS: [&str; 6] = ["gp-arc", "gp-ico", "gp-icocor", "gp-imp", "gp-imparc", "gp-stan"];

pub(super) fn experiment() -> Experiment {
    Experiment {
        name: "x7",
        title: "ten evaluations of a function with a conditional variable",
        source: "Z18 Fig. 4–5",
        plan,
        work: work::search_from_draws,
        measure: Measure::LogRegret,
        blocks: Blocks::Runs,
        claims,
    }
}

fn plan(size: Size) -> Plan {
    Plan::new(zaefferer_grid().iter().map(Setting::name), 10, &METHODS, size.pick(2, 100))
}

/// Problems of a situation that were run.
fn of(found: &Findings, situation: Situation) -> Vec<&str> {
    let names: Vec<String> =
        zaefferer_grid().iter().filter(|s| s.situation() == situation).map(Setting::name).collect();
    found.problems().into_iter().filter(|problem| names.iter().any(|name| name == problem)).collect()
}

fn claims(found: &Findings) -> Vec<Claim> {
    let all = found.problems();
    let beats = |a: &str, b: &str, on: &[&str]| better(found, a, b, on, None);
    let friedman = found.ranks(&all, &METHODS).ok().map(|table| (Friedman::of(&table), table.problems()));
    let everyone = |on: &[&str]| METHODS[..5].iter().map(|m| beats(m, "gp-stan", on)).collect::<Vec<_>>();
    let (a, b, c, e) =
        (of(found, Situation::A), of(found, Situation::B), of(found, Situation::C), of(found, Situation::E));
    vec![
        Claim::fact(
            "kernels differ",
            "Friedman p < 1e−16, N = 4000",
            friedman.as_ref().map_or(String::new(), |(test, n)| format!("p = {:.0e}, N = {n}", test.p)),
            friedman.as_ref().map(|(test, _)| test.p < 0.05),
        ),
        Claim::of("overall Stan is last", "rank above all others", &everyone(&all)),
        Claim::of(
            "overall Imp and ImpArc are ahead of Arc and Ico",
            "slightly",
            &[
                beats("gp-imp", "gp-arc", &all),
                beats("gp-imp", "gp-ico", &all),
                beats("gp-imparc", "gp-arc", &all),
                beats("gp-imparc", "gp-ico", &all),
            ],
        ),
        Claim::of(
            "Imp is best in situations A and C",
            "by a large margin over Arc and Ico in C",
            &[
                beats("gp-imp", "gp-arc", &a),
                beats("gp-imp", "gp-ico", &a),
                beats("gp-imp", "gp-arc", &c),
                beats("gp-imp", "gp-ico", &c),
            ],
        ),
        Claim::of(
            "Imp is inferior in situations B and E",
            "behind Arc and Ico",
            &[beats("gp-arc", "gp-imp", &b), beats("gp-arc", "gp-imp", &e)],
        ),
        Claim::of(
            "IcoCor is best in situation E",
            "first in E, poor in A, B and C",
            &[beats("gp-icocor", "gp-imp", &e), beats("gp-icocor", "gp-stan", &e)],
        ),
    ]
}
