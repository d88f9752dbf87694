//! Two methods side by side, by the test the paper uses.
//!
//! * [`better`], [`no_worse`], [`alike`]: Wilcoxon's signed-rank test over pairs, which are data sets where several are
//!   meant and runs (problem, seed) otherwise ([`Results::pairs`]).
//! * [`better_unpaired`], [`no_worse_unpaired`]: the U test of Mann and Whitney over runs  (Eggensperger et al. 2013).
//! * [`ranked_before`], [`alike_ranks`]: mean ranks among all methods against Nemenyi's critical difference,
//!   which is adjusted for the number of methods  (Zaefferer & Horn 2018).
//!
//! *Alike* and *no worse* are claims of no difference: they hold where none is found in at least ten pairs.
use super::{ClaimVerdict, LEVEL, chance, median, short};
use crate::results::Results;
use crate::stats::{MannWhitney, Nemenyi, Wilcoxon, Zeros};

/// Fewer pairs than this say nothing about the absence of a difference.
const ENOUGH: usize = 10;

/// Two methods side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodComparison {
    /// Both figures and the test, for people.
    pub words: String,
    /// Of the test; zero beyond a critical difference, one within it.
    pub p: f64,
    /// Pairs, runs of the smaller sample or blocks.
    pub pairs: usize,
    /// Whether it is so.
    pub verdict: ClaimVerdict,
}

impl MethodComparison {
    fn nothing(first: &str, second: &str) -> Self {
        Self { words: format!("{first} and {second}: –"), p: 1.0, pairs: 0, verdict: ClaimVerdict::NotRun }
    }

    /// Is it significant, and with the paper (a negative lead) or against it?
    fn one_way(self, lead: f64) -> Self {
        let verdict = match (self.pairs, self.p < LEVEL) {
            (0, _) => ClaimVerdict::NotRun,
            (_, false) => ClaimVerdict::Undecided,
            (_, true) if lead < 0.0 => ClaimVerdict::Holds,
            (_, true) => ClaimVerdict::DoesNotHold,
        };
        Self { verdict, ..self }
    }

    /// Is there no difference, or none against the first (a positive lead)?
    fn no_difference(self, contrary: bool) -> Self {
        let verdict = match (self.pairs, self.p < LEVEL && contrary) {
            (0, _) => ClaimVerdict::NotRun,
            (_, true) => ClaimVerdict::DoesNotHold,
            (..ENOUGH, false) => ClaimVerdict::Undecided,
            (_, false) => ClaimVerdict::Holds,
        };
        Self { verdict, ..self }
    }
}

/// p and verdict of paired differences, negative ones being what the paper says.
pub fn judged(differences: &[f64]) -> (f64, ClaimVerdict) {
    if differences.is_empty() {
        return (1.0, ClaimVerdict::NotRun);
    }
    let p = Wilcoxon::of_differences(differences, Zeros::Drop).p;
    let verdict = match (p < LEVEL, signed_ranks(differences) < 0.0) {
        (false, _) => ClaimVerdict::Undecided,
        (true, true) => ClaimVerdict::Holds,
        (true, false) => ClaimVerdict::DoesNotHold,
    };
    (p, verdict)
}

/// Is the first better than the second, over these problems, at the end or after the trial of a number?
pub fn better(
    found: &Results,
    first: &str,
    second: &str,
    problems: &[&str],
    after: Option<usize>,
) -> MethodComparison {
    let (compared, lead) = pairs(found, first, second, problems, after);
    compared.one_way(lead)
}

/// Are they no different?
pub fn alike(found: &Results, first: &str, second: &str, problems: &[&str]) -> MethodComparison {
    pairs(found, first, second, problems, None).0.no_difference(true)
}

/// Is the first not worse than the second, at the end or after the trial of a number?
pub fn no_worse(
    found: &Results,
    first: &str,
    second: &str,
    problems: &[&str],
    after: Option<usize>,
) -> MethodComparison {
    let (compared, lead) = pairs(found, first, second, problems, after);
    compared.no_difference(lead > 0.0)
}

/// Are pairs found in another way no different?
pub fn alike_pairs(first: &str, second: &str, pairs: &[(f64, f64)]) -> MethodComparison {
    signed(first, second, pairs).0.no_difference(true)
}

/// Is the first better than the second, runs taken as independent?
pub fn better_unpaired(found: &Results, first: &str, second: &str, problem: &str) -> MethodComparison {
    let (compared, lead) = unpaired(found, first, second, problem);
    compared.one_way(lead)
}

/// Is the first not worse than the second, runs taken as independent?
pub fn no_worse_unpaired(found: &Results, first: &str, second: &str, problem: &str) -> MethodComparison {
    let (compared, lead) = unpaired(found, first, second, problem);
    compared.no_difference(lead > 0.0)
}

/// Is the mean rank of the first among these methods lower than that of the second, by more than the critical
/// difference?
pub fn ranked_before(
    found: &Results,
    first: &str,
    second: &str,
    methods: &[&str],
    problems: &[&str],
) -> MethodComparison {
    let (compared, lead) = mean_ranks(found, first, second, methods, problems);
    compared.one_way(lead)
}

/// Are their mean ranks no further apart than the critical difference?
pub fn alike_ranks(
    found: &Results,
    first: &str,
    second: &str,
    methods: &[&str],
    problems: &[&str],
) -> MethodComparison {
    mean_ranks(found, first, second, methods, problems).0.no_difference(true)
}

/// Signed-rank test; the sum of signed ranks, negative if the first is better, so that direction and test speak of the
/// same thing.
fn pairs(
    found: &Results,
    first: &str,
    second: &str,
    problems: &[&str],
    after: Option<usize>,
) -> (MethodComparison, f64) {
    signed(first, second, &found.pairs(problems, first, second, after))
}

fn signed(first: &str, second: &str, all: &[(f64, f64)]) -> (MethodComparison, f64) {
    if all.is_empty() {
        return (MethodComparison::nothing(first, second), 0.0);
    }
    let differences: Vec<f64> = all.iter().map(|(a, b)| a - b).collect();
    let p = Wilcoxon::of_differences(&differences, Zeros::Drop).p;
    let (a, b) = (median(all.iter().map(|(a, _)| *a)), median(all.iter().map(|(_, b)| *b)));
    let words = side_by_side((first, a), (second, b), p, all.len());
    (
        MethodComparison { words, p, pairs: all.len(), verdict: ClaimVerdict::NotRun },
        signed_ranks(&differences),
    )
}

/// U test; U less its mean, negative if the first is better.
fn unpaired(found: &Results, first: &str, second: &str, problem: &str) -> (MethodComparison, f64) {
    let values = |method| found.values(problem, method, None).into_values().collect::<Vec<f64>>();
    let (a, b) = (values(first), values(second));
    let Ok(test) = MannWhitney::of(&a, &b) else { return (MethodComparison::nothing(first, second), 0.0) };
    let (pairs, lead) = (a.len().min(b.len()), test.statistic - (a.len() * b.len()) as f64 / 2.0);
    let words = side_by_side((first, median(a)), (second, median(b)), test.p, pairs);
    (
        MethodComparison {
            words: format!("{problem}: {words}"),
            p: test.p,
            pairs,
            verdict: ClaimVerdict::NotRun,
        },
        lead,
    )
}

/// Difference of mean ranks, negative if the first is better.
fn mean_ranks(
    found: &Results,
    first: &str,
    second: &str,
    methods: &[&str],
    problems: &[&str],
) -> (MethodComparison, f64) {
    let nothing = (MethodComparison::nothing(first, second), 0.0);
    let Ok(table) = found.ranks(problems, methods) else { return nothing };
    let Ok(difference) = Nemenyi::critical_difference(table.methods(), table.problems(), LEVEL) else {
        return nothing;
    };
    let average = table.average();
    let rank = |name: &str| methods.iter().position(|method| *method == name).map(|i| average[i]);
    let (Some(a), Some(b)) = (rank(first), rank(second)) else { return nothing };
    let (p, pairs) = (f64::from(u8::from((a - b).abs() <= difference)), table.problems());
    let words = format!("{first} {a:.2} against {second} {b:.2} (CD = {difference:.2}, N = {pairs})");
    (MethodComparison { words, p, pairs, verdict: ClaimVerdict::NotRun }, a - b)
}

fn side_by_side(first: (&str, f64), second: (&str, f64), p: f64, pairs: usize) -> String {
    let (a, b, p) = (short(first.1), short(second.1), chance(p));
    format!("{} {a} against {} {b} (p = {p}, N = {pairs})", first.0, second.0)
}

fn signed_ranks(differences: &[f64]) -> f64 {
    let kept: Vec<f64> = differences.iter().copied().filter(|d| *d != 0.0).collect();
    let sizes: Vec<f64> = kept.iter().map(|d| d.abs()).collect();
    crate::stats::mid_ranks(&sizes).iter().zip(&kept).map(|(rank, d)| rank * d.signum()).sum()
}
