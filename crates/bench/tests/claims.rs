//! Verdicts follow the runs: with them, against them, not enough of them.
#![allow(clippy::unwrap_used)]
use arbora_bench::claim::{
    ClaimVerdict, alike, alike_ranks, better, better_unpaired, no_worse_unpaired, ranked_before, short,
};
use arbora_bench::plan::RunPlan;
use arbora_bench::results::{Blocks, Measure, Results};
use arbora_bench::{Key, Run};
use arbora_space::Rng;

/// `good` is ahead of `bad` by `lead` standard deviations of the noise.
fn results(seeds: u64, lead: f64) -> Results {
    let plan = RunPlan::new(["p", "q"], 3, &["good", "bad"], seeds);
    let mut rng = Rng::new(seeds);
    let mut runs = Vec::new();
    for (problem, method, worse) in
        [("p", "good", 0.0), ("p", "bad", lead), ("q", "good", 0.0), ("q", "bad", lead)]
    {
        for seed in 0..seeds {
            let mut run = Run::new(Key {
                experiment: "t".into(),
                problem: problem.into(),
                method: method.into(),
                seed,
                trials: 3,
            });
            run.observe(0, 100.0);
            run.observe(2, rng.normal() + worse);
            runs.push(run);
        }
    }
    // Runs of another size do not count.
    let mut stray = runs[0].clone();
    (stray.key.trials, stray.key.seed) = (4, 99);
    runs.push(stray);
    Results::new(plan, Measure::Loss, Blocks::Runs, runs)
}

#[test]
fn a_clear_lead_holds_one_way_and_not_the_other() {
    let found = results(20, 3.0);
    let forth = better(&found, "good", "bad", &["p", "q"], None);
    assert_eq!((forth.verdict, forth.pairs), (ClaimVerdict::Holds, 40));
    assert_eq!(better(&found, "bad", "good", &["p", "q"], None).verdict, ClaimVerdict::DoesNotHold);
    assert_eq!(alike(&found, "good", "bad", &["p", "q"]).verdict, ClaimVerdict::DoesNotHold);
}

#[test]
fn no_lead_is_not_decided_and_few_pairs_decide_nothing() {
    let level = results(20, 0.0);
    assert_eq!(better(&level, "good", "bad", &["p", "q"], None).verdict, ClaimVerdict::Undecided);
    assert_eq!(alike(&level, "good", "bad", &["p", "q"]).verdict, ClaimVerdict::Holds);
    let few = results(2, 5.0);
    assert_eq!(better(&few, "good", "bad", &["p", "q"], None).verdict, ClaimVerdict::Undecided);
    assert_eq!(alike(&few, "good", "bad", &["p"]).verdict, ClaimVerdict::Undecided);
    assert_eq!(better(&few, "good", "absent", &["p", "q"], None).verdict, ClaimVerdict::NotRun);
}

#[test]
fn early_trials_are_judged_by_what_was_known_then() {
    let found = results(20, 3.0);
    let early = better(&found, "good", "bad", &["p", "q"], Some(1));
    assert_eq!(early.verdict, ClaimVerdict::Undecided, "all were equal then");
    assert!(early.words.starts_with("good 100.0 against bad 100.0"), "{}", early.words);
}

#[test]
fn runs_that_are_not_paired_are_judged_by_the_u_test() {
    let (ahead, level) = (results(20, 3.0), results(20, 0.0));
    assert_eq!(better_unpaired(&ahead, "good", "bad", "p").verdict, ClaimVerdict::Holds);
    assert_eq!(better_unpaired(&ahead, "bad", "good", "p").verdict, ClaimVerdict::DoesNotHold);
    assert_eq!(better_unpaired(&level, "good", "bad", "p").verdict, ClaimVerdict::Undecided);
    // Who is better is no worse; who is worse is not.
    assert_eq!(no_worse_unpaired(&ahead, "good", "bad", "p").verdict, ClaimVerdict::Holds);
    assert_eq!(no_worse_unpaired(&ahead, "bad", "good", "p").verdict, ClaimVerdict::DoesNotHold);
    assert_eq!(no_worse_unpaired(&level, "bad", "good", "p").verdict, ClaimVerdict::Holds);
    assert_eq!(no_worse_unpaired(&results(4, 0.0), "bad", "good", "p").verdict, ClaimVerdict::Undecided);
    assert_eq!(no_worse_unpaired(&level, "bad", "absent", "p").verdict, ClaimVerdict::NotRun);
}

#[test]
fn mean_ranks_are_judged_by_the_critical_difference() {
    let (ahead, level) = (results(20, 3.0), results(20, 0.0));
    let methods = ["good", "bad"];
    let before = |found, a, b| ranked_before(found, a, b, &methods, &["p", "q"]).verdict;
    assert_eq!(before(&ahead, "good", "bad"), ClaimVerdict::Holds);
    assert_eq!(before(&ahead, "bad", "good"), ClaimVerdict::DoesNotHold);
    assert_eq!(before(&level, "good", "bad"), ClaimVerdict::Undecided);
    assert_eq!(before(&level, "good", "absent"), ClaimVerdict::NotRun);
    assert_eq!(alike_ranks(&level, "good", "bad", &methods, &["p", "q"]).verdict, ClaimVerdict::Holds);
    assert_eq!(alike_ranks(&ahead, "good", "bad", &methods, &["p", "q"]).verdict, ClaimVerdict::DoesNotHold);
}

#[test]
fn blocks_are_problems_or_runs() {
    let found = results(5, 3.0);
    assert_eq!(found.count(), 20);
    assert_eq!(found.rows(&["p", "q"], &["good", "bad"], None).len(), 10);
    let mut by_problem = found.clone();
    by_problem.blocks = Blocks::Problems;
    let rows = by_problem.rows(&["p", "q"], &["good", "bad"], None);
    assert_eq!(rows.len(), 2);
    assert!((rows[0][0] - by_problem.mean("p", "good", None).unwrap()).abs() < 1e-12);
}

#[test]
fn more_seeds_do_not_make_more_data_sets() {
    let mut found = results(20, 3.0);
    found.blocks = Blocks::Problems;
    let both = better(&found, "good", "bad", &["p", "q"], None);
    assert_eq!(
        (both.pairs, both.verdict),
        (2, ClaimVerdict::Undecided),
        "two sets decide nothing, however sure each is"
    );
    let means = ["p", "q"].map(|problem| found.mean(problem, "good", None).unwrap());
    let median = short(f64::midpoint(means[0], means[1]));
    assert!(both.words.starts_with(&format!("good {median} against")), "{}", both.words);
    let one = better(&found, "good", "bad", &["p"], None);
    assert_eq!((one.pairs, one.verdict), (20, ClaimVerdict::Holds), "of one function runs are what repeats");
}

#[test]
fn seeds_that_were_run_are_counted_not_those_that_were_planned() {
    let whole = results(4, 0.1);
    assert_eq!(whole.seeds(), "4 seeds");
    let plan = RunPlan::new(["p", "q"], 3, &["good", "bad"], 10);
    let runs = whole.runs("p", "good").chain(whole.runs("q", "bad")).cloned().collect();
    let part = Results::new(plan, whole.measure, whole.blocks, runs);
    assert_eq!(part.seeds(), "4 of 10 seeds");
    assert_eq!(results(1, 0.1).seeds(), "1 seed");
}
