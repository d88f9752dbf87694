//! X9, does tuning overfit, and does reshuffling help?  [T18, Tables 3.1–3.4 and 3.5–3.6 with X10]
//!
//! X10 asks other questions of the same searches, so both share their runs.
use super::Experiment;
use crate::claim::{Claim, alike, better};
use crate::job;
use crate::plan::{RunPlan, Size};
use crate::results::{Blocks, Measure, Results};

const METHODS: [&str; 14] = [
    "gp", "gp-r", "gp-sel", "gp-sel-r", "cma", "cma-r", "cma-pv", "cma-bw", "cma-gv", "cma-pv-r", "cma-bw-r",
    "cma-gv-r", "rs", "grid",
];

/// Forty of the paper's 118 sets, those with 100 to 2500 rows that take least time. The first twenty were
/// run before the others were chosen.
pub(super) const SETS: [&str; 40] = [
    "breast-cancer",
    "breast-cancer-wisc",
    "breast-cancer-wisc-diag",
    "breast-tissue",
    "balance-scale",
    "ecoli",
    "fertility",
    "glass",
    "haberman-survival",
    "heart-cleveland",
    "heart-hungarian",
    "hepatitis",
    "ionosphere",
    "iris",
    "lymphography",
    "pima",
    "statlog-german-credit",
    "statlog-heart",
    "titanic",
    "wine-quality-red",
    "breast-cancer-wisc-prog",
    "contrac",
    "credit-approval",
    "echocardiogram",
    "energy-y1",
    "energy-y2",
    "heart-switzerland",
    "heart-va",
    "ilpd-indian-liver",
    "led-display",
    "molec-biol-promoter",
    "oocytes-trisopterus-nucleus-2f",
    "parkinsons",
    "seeds",
    "tic-tac-toe",
    "vertebral-column-2class",
    "vertebral-column-3class",
    "wine",
    "yeast",
    "zoo",
];

/// Those of more than 455 rows, where the paper parts the smaller half from the larger  [T18, Fig. 3.4].
const LARGER: [&str; 16] = [
    "breast-cancer-wisc",
    "breast-cancer-wisc-diag",
    "balance-scale",
    "pima",
    "statlog-german-credit",
    "titanic",
    "wine-quality-red",
    "contrac",
    "credit-approval",
    "energy-y1",
    "energy-y2",
    "ilpd-indian-liver",
    "led-display",
    "oocytes-trisopterus-nucleus-2f",
    "tic-tac-toe",
    "yeast",
];

/// What the first and the last claim are about.
const REDUCED: [&str; 7] = ["gp", "gp-r", "gp-sel", "cma", "cma-r", "rs", "grid"];

/// A fifth of the rows for validation, on every set.
pub(super) fn holdout(sets: &[&str]) -> Vec<String> {
    sets.iter().map(|set| format!("holdout/{set}")).collect()
}

/// Both protocols on every set.
pub(super) fn both(sets: &[&str]) -> Vec<String> {
    ["holdout", "folds"].iter().flat_map(|how| sets.iter().map(move |set| format!("{how}/{set}"))).collect()
}

pub(super) static EXPERIMENT: Experiment = Experiment {
    name: "t18-overfitting",
    short: "x9",
    log: "x9",
    title: "does tuning overfit, and does reshuffling help?",
    source: "T18 ch. 3, Tables 3.1–3.4",
    plan,
    job: job::trust,
    measure: Measure::Test,
    blocks: Blocks::Problems,
    claims,
};

fn plan(size: Size) -> RunPlan {
    match size {
        Size::Quick => {
            RunPlan::new(both(&["sklearn-iris", "sklearn-wine", "sklearn-breast-cancer"]), 25, &METHODS, 2)
        }
        Size::Reduced => RunPlan::new(holdout(&SETS), 100, &REDUCED, 5)
            .less("40 of 118 sets, 5 of 20 repetitions, hold-out, 7 of 14 methods"),
        Size::Paper => RunPlan::new(both(&SETS), 100, &METHODS, 20).less("40 of 118 sets"),
    }
}

fn claims(found: &Results) -> Vec<Claim> {
    let all = found.problems();
    let of = |how: &str| all.iter().copied().filter(|p| p.starts_with(how)).collect::<Vec<_>>();
    let (holdout, folds) = (of("holdout"), of("folds"));
    let others: Vec<&str> = METHODS.iter().copied().filter(|method| *method != "gp-r").collect();
    let ahead: Vec<_> = others.iter().map(|other| better(found, "gp-r", other, &holdout, None)).collect();
    vec![
        wins_most(found, &holdout),
        grows_with_size(found, &holdout),
        Claim::of(
            "reshuffling helps under hold-out",
            "ranks gp 7.52 → 5.58, cma 7.00 → 6.89",
            &[better(found, "gp-r", "gp", &holdout, None), better(found, "cma-r", "cma", &holdout, None)],
        ),
        Claim::of(
            "reshuffling helps under five folds",
            "ranks gp 6.40 → 5.61, cma 6.81 → 5.83",
            &[better(found, "gp-r", "gp", &folds, None), better(found, "cma-r", "cma", &folds, None)],
        ),
        Claim::of(
            "a selection split does not help under hold-out",
            "ranks gp-sel 7.13, gp 7.52, gp-r 5.58",
            &[better(found, "gp-r", "gp-sel", &holdout, None)],
        ),
        Claim::of("under hold-out gp-r beats the thirteen others", "rank 5.58, win rate 63.7 %", &ahead),
        Claim::of(
            "a selection split hurts under five folds",
            "gp-sel 8.19 against gp 6.40",
            &[better(found, "gp", "gp-sel", &folds, None)],
        ),
        Claim::of(
            "gp and cma cannot be told apart",
            "ranks 7.52 and 7.00, 6.40 and 6.81",
            &[alike(found, "gp", "cma", &holdout), alike(found, "gp", "cma", &folds)],
        ),
    ]
}

/// The methods of a plan that were run on these problems, gp-r among them.
fn run_methods<'a>(found: &'a Results, problems: &[&str]) -> Vec<&'a str> {
    let methods = found.methods().into_iter().filter(|method| METHODS.contains(method));
    methods.filter(|m| problems.iter().all(|p| found.runs(p, m).next().is_some())).collect()
}

/// gp-r wins more of its comparisons than any other.
fn wins_most(found: &Results, problems: &[&str]) -> Claim {
    let methods = run_methods(found, problems);
    let rates = found.ranks(problems, &methods).ok().map(|table| table.win_rates());
    let own = methods.iter().position(|method| *method == "gp-r");
    let (ours, is_so) = match rates.zip(own) {
        Some((rates, own)) => {
            let list = methods.iter().zip(&rates).map(|(m, rate)| format!("{m} {:.1} %", 100.0 * rate));
            let is_so = rates.iter().all(|rate| *rate <= rates[own]);
            (list.collect::<Vec<_>>().join(", "), Some(is_so))
        }
        None => (String::new(), None),
    };
    Claim::fact("under hold-out gp-r has the highest win rate", "63.7 % of 14 methods", ours, is_so)
}

/// Against gp, gp-r gains more on the larger sets than on the smaller ones: its mean rank is lower there.
fn grows_with_size(found: &Results, problems: &[&str]) -> Claim {
    let is_large = |problem: &&&str| LARGER.iter().any(|set| problem.ends_with(&format!("/{set}")));
    let methods = run_methods(found, problems);
    let rank = |on: Vec<&str>| {
        let own = methods.iter().position(|method| *method == "gp-r")?;
        Some(found.ranks(&on, &methods).ok()?.average()[own])
    };
    let small = rank(problems.iter().filter(|p| !is_large(p)).copied().collect());
    let large = rank(problems.iter().filter(is_large).copied().collect());
    let both = small.zip(large);
    let ours = both.map_or(String::new(), |(s, l)| format!("mean rank {s:.2} up to 455 rows, {l:.2} beyond"));
    Claim::fact("gp-r is better the more data there are", "Fig. 3.4", ours, both.map(|(s, l)| l < s))
}
