//! Claims of the experiments, judged by made-up runs with known answers.
#![allow(clippy::unwrap_used)]
use ClaimVerdict::{DoesNotHold, Holds, NotRun, Undecided};
use arbora_bench::claim::{Claim, ClaimVerdict};
use arbora_bench::experiment::by_name;
use arbora_bench::plan::Size;
use arbora_bench::results::Results;
use arbora_bench::{Key, Run};

/// The claims of an experiment by runs as `fill` makes them of an empty one; false leaves a run out.
fn claims(experiment: &str, seeds: u64, fill: impl Fn(&mut Run) -> bool) -> Vec<Claim> {
    let experiment = by_name(experiment).unwrap();
    let mut plan = (experiment.plan)(Size::Paper);
    plan.seeds = seeds;
    let empty = experiment.keys(&plan).into_iter().map(Run::new);
    let runs = empty.filter_map(|mut run| fill(&mut run).then_some(run)).collect();
    (experiment.claims)(&Results::new(plan, experiment.measure, experiment.blocks, runs))
}

fn verdict(claims: &[Claim], says: &str) -> ClaimVerdict {
    find(claims, says).verdict
}

fn find<'a>(claims: &'a [Claim], says: &str) -> &'a Claim {
    claims.iter().find(|claim| claim.says == says).unwrap_or_else(|| panic!("no claim `{says}`"))
}

/// Small, different for every run, the same order of size for every method.
fn noise(key: &Key) -> f64 {
    1e-6 * (key.seed as f64 + 0.5 * (key.method.len() % 2) as f64)
}

mod e13_functions {
    use super::*;

    const BRANIN: &str = "a Gaussian process is best on Branin";
    const REPEATS: &str = "a Gaussian process on a grid proposes configurations again, unless told not to";
    const SLOWER: &str = "its suggestions take longer";

    fn with_losses(gp: f64, smac: f64, tpe: f64) -> Vec<Claim> {
        claims("e13-functions", 10, |run| {
            let loss = match run.key.method.as_str() {
                "spearmint" => gp,
                "smac" => smac,
                _ => tpe,
            };
            run.observe(0, loss + noise(&run.key))
        })
    }

    #[test]
    fn the_figures_of_the_paper_hold_and_their_contrary_does_not() {
        let as_printed = with_losses(0.398, 0.427, 0.510);
        assert_eq!(verdict(&as_printed, BRANIN), Holds);
        assert_eq!(verdict(&with_losses(0.510, 0.427, 0.398), BRANIN), DoesNotHold);
        // Ten against ten, all of one below all of the other: 2 / C(20, 10) = 1.08e-5 exactly.
        let ours = &find(&as_printed, BRANIN).ours;
        assert!(ours.contains("branin: spearmint 0.3980 against smac 0.4270 (p = 1e−5, N = 10)"), "{ours}");
    }

    #[test]
    fn equal_losses_decide_nothing_and_half_of_the_runs_is_no_answer() {
        assert_eq!(verdict(&with_losses(0.4, 0.4, 0.4), BRANIN), Undecided);
        let without_tpe = claims("x3", 10, |run| run.key.method != "tpe" && run.observe(0, 1.0));
        assert_eq!(verdict(&without_tpe, BRANIN), NotRun);
    }

    #[test]
    fn facts_are_read_off_the_runs() {
        let of = |repeats: usize, seconds: f64| {
            claims("x3", 3, |run| {
                let is_free = run.key.method == "spearmint+repeats";
                run.repeats = if is_free { repeats } else { 0 };
                run.seconds = if run.key.method == "spearmint" { seconds } else { 1.0 };
                run.observe(0, 1.0)
            })
        };
        let (often, never) = (of(45, 40.0), of(0, 0.5));
        assert_eq!([verdict(&often, REPEATS), verdict(&often, SLOWER)], [Holds, Holds]);
        assert_eq!([verdict(&never, REPEATS), verdict(&never, SLOWER)], [DoesNotHold, DoesNotHold]);
        let none = claims("x3", 3, |_| false);
        assert!(none.iter().all(|claim| claim.verdict == NotRun));
    }
}

mod j17_trees {
    use super::*;

    const BEHIND: &str = "who does not know the structure is far behind";
    const ARC_FIRST: &str = "arc is ahead of independent first";
    const ARC_LATER: &str = "later independent overtakes arc";
    const GAP: &str = "their gap grows with depth";

    /// Losses above the optimum, reached in the first trial and in the ninetieth.
    fn with_regrets(of: impl Fn(&Key) -> Option<(f64, f64)>) -> Vec<Claim> {
        claims("j17-trees", 10, |run| {
            let least = arbora_bench::problem::optimum(&run.key.problem).unwrap();
            let Some((first, last)) = of(&run.key) else { return false };
            let scale = 1.0 + 1e-3 * run.key.seed as f64;
            run.observe(0, least + first * scale);
            run.observe(90, least + last * scale);
            true
        })
    }

    #[test]
    fn a_claim_holds_where_every_comparison_does() {
        let regret = |key: &Key| match key.method.as_str() {
            "tree-linear" => Some((1e-3, 1e-4)),
            _ => Some((1e-1, 1e-2)),
        };
        let found = with_regrets(regret);
        assert_eq!(verdict(&found, BEHIND), Holds);
        // Forty pairs (four problems, ten seeds), all of one sign.
        let ours = &find(&found, BEHIND).ours;
        assert!(ours.starts_with("50 trials: tree-linear −3.00 against gp-baseline −0.9981 (p = "), "{ours}");
        assert!(ours.contains("N = 40); 50 trials: tree-linear"), "{ours}");
        let swapped = with_regrets(|key| match key.method.as_str() {
            "random" => Some((1e-4, 1e-5)),
            _ => regret(key),
        });
        assert_eq!(verdict(&swapped, BEHIND), DoesNotHold, "one of two comparisons is against it");
    }

    #[test]
    fn early_and_late_trials_are_judged_apart() {
        let found = with_regrets(|key| match key.method.as_str() {
            "arc" => Some((1e-2, 9e-3)),
            "gp-independent" => Some((1e-1, 1e-4)),
            _ => None,
        });
        assert_eq!(verdict(&found, ARC_FIRST), Holds);
        assert_eq!(verdict(&found, ARC_LATER), Holds);
        assert_eq!(verdict(&found, BEHIND), NotRun);
        let level =
            with_regrets(|key| ["arc", "gp-independent"].contains(&&*key.method).then_some((1e-2, 1e-3)));
        assert_eq!([verdict(&level, ARC_FIRST), verdict(&level, ARC_LATER)], [Undecided, Undecided]);
    }

    #[test]
    fn gaps_are_compared_seed_by_seed() {
        let gap = |small: f64, large: f64| {
            with_regrets(move |key| match key.method.as_str() {
                "tree-linear" => Some((1e-4, 1e-4)),
                "gp-baseline" | "random" if key.problem.contains("small") => Some((1e-4 * small, 1e-4)),
                // Gaps that differ by their seed: ties would keep the test from being exact.
                "gp-baseline" | "random" => Some((1e-4 * large * (1.0 + 1e-3 * key.seed as f64), 1e-4)),
                _ => None,
            })
        };
        assert_eq!(verdict(&gap(10.0, 100.0), GAP), Holds);
        assert_eq!(verdict(&gap(100.0, 10.0), GAP), DoesNotHold);
        // Ten pairs of one sign: 2 / 2¹⁰ = 0.002 exactly.
        let ours = find(&gap(10.0, 100.0), GAP).ours.clone();
        assert!(
            ours.starts_with(
                "50 trials: tree-linear less gp-baseline −1.0000 and −2.00 (p = 0.002, N = 10);"
            ),
            "{ours}"
        );
    }
}

mod l17_covariances {
    use super::*;

    const IMPUTED: &str = "imputation brings configurations of one choice together";
    const ZERO: &str = "the conditional kernel is zero across choices";
    const MONDRIAN: &str = "thirty Mondrian trees come near Laplace";

    fn with_figures(same: f64, across: f64) -> Vec<Claim> {
        claims("l17-covariances", 5, |run| {
            let is_ours = run.key.method != "mondrian-imputed";
            let figures = [("same", same), ("adjacent", across)];
            run.values.extend(figures.map(|(name, value)| (name.to_owned(), value)));
            is_ours
        })
    }

    #[test]
    fn figures_are_compared_with_the_papers() {
        let found = with_figures(0.83, 0.0);
        assert_eq!([verdict(&found, IMPUTED), verdict(&found, ZERO)], [Holds, Holds]);
        assert_eq!(find(&found, IMPUTED).ours, "0.8300");
        assert_eq!(verdict(&found, MONDRIAN), NotRun, "one of the two was not run");
        let found = with_figures(0.70, 0.2);
        assert_eq!([verdict(&found, IMPUTED), verdict(&found, ZERO)], [DoesNotHold, DoesNotHold]);
    }
}

mod z18_kernels {
    use super::*;

    const WORST: &str = "Stan is worst where there is a step";
    const ERRATIC: &str = "IcoCor is erratic: worse than the uncorrected Ico";

    fn with_errors(of: impl Fn(&Key) -> f64) -> Vec<Claim> {
        claims("z18-kernels", 5, |run| {
            let error = of(&run.key) + noise(&run.key);
            run.values.insert("rmse".to_owned(), error);
            true
        })
    }

    #[test]
    fn only_the_problems_that_are_meant_count() {
        let steep = with_errors(|key| match key.method.as_str() {
            "gp-stan" if key.problem.contains("b=0.1 ") => 2.0,
            "gp-stan" => 0.5,
            _ => 1.0,
        });
        assert_eq!(verdict(&steep, WORST), Holds, "better elsewhere, which is another claim");
        let best = with_errors(|key| if key.method == "gp-stan" { 0.5 } else { 1.0 });
        assert_eq!(verdict(&best, WORST), DoesNotHold);
    }

    #[test]
    fn one_comparison_makes_a_claim() {
        let of = |erratic: f64| with_errors(move |key| if key.method == "gp-icocor" { erratic } else { 1.0 });
        assert_eq!(verdict(&of(1.5), ERRATIC), Holds);
        assert_eq!(verdict(&of(0.5), ERRATIC), DoesNotHold);
    }
}

mod z18_search {
    use super::*;

    const DIFFER: &str = "kernels differ";
    const STAN: &str = "overall Stan is last";
    const ALIKE: &str = "Arc and Ico are alike in A, B, D and E";
    const NEVER_FIRST: &str = "ImpArc is never first";

    fn with_losses(of: impl Fn(&str) -> f64) -> Vec<Claim> {
        claims("z18-search", 3, |run| {
            let loss = of(&run.key.method);
            run.observe(0, loss + noise(&run.key));
            true
        })
    }

    #[test]
    fn mean_ranks_decide() {
        let found = with_losses(|method| match method {
            "gp-stan" => 3.0,
            "gp-imparc" => 0.5,
            _ => 1.0,
        });
        assert_eq!([verdict(&found, DIFFER), verdict(&found, STAN)], [Holds, Holds]);
        assert_eq!(verdict(&found, NEVER_FIRST), DoesNotHold, "it has the least loss everywhere");
        let ahead = with_losses(|method| if method == "gp-stan" { 0.5 } else { 1.0 });
        assert_eq!([verdict(&ahead, STAN), verdict(&ahead, NEVER_FIRST)], [DoesNotHold, Holds]);
    }

    #[test]
    fn methods_that_take_turns_are_alike() {
        let found = claims("z18-search", 10, |run| {
            let is_arc = run.key.method == "gp-arc";
            run.observe(0, if is_arc == run.key.seed.is_multiple_of(2) { 1.0 } else { 2.0 });
            true
        });
        assert_eq!(verdict(&found, ALIKE), Holds);
        let none = claims("z18-search", 10, |_| false);
        assert_eq!([verdict(&none, ALIKE), verdict(&none, DIFFER)], [NotRun, NotRun]);
    }
}
