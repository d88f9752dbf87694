//! What a paper says, and whether it is so here.
//!
//! A comparison *holds* if it is significant in the direction of the paper, two-sided at 0.05; it *does not
//! hold* if it is significant against it, and otherwise it is *not decided* at this size. How two methods are
//! compared is the paper's own choice: see [`compare`]. A claim by several comparisons holds if each of them
//! does, and does not hold if one of them is significant against it after Holm's adjustment: with many
//! comparisons one goes wrong by chance.
pub mod compare;

pub use compare::{
    MethodComparison, alike, alike_pairs, alike_ranks, better, better_unpaired, judged, no_worse,
    no_worse_unpaired, ranked_before,
};

use crate::stats::holm;

/// Significance.
pub const LEVEL: f64 = 0.05;

/// Whether it is so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimVerdict {
    /// As the paper says.
    Holds,
    /// The contrary is significant.
    DoesNotHold,
    /// Neither is significant.
    Undecided,
    /// There are no runs to judge by.
    NotRun,
}

impl ClaimVerdict {
    /// As tables say it.
    pub fn words(self) -> &'static str {
        match self {
            ClaimVerdict::Holds => "holds",
            ClaimVerdict::DoesNotHold => "does not hold",
            ClaimVerdict::Undecided => "not decided at this size",
            ClaimVerdict::NotRun => "not run",
        }
    }

    /// Of several that must all be so.
    pub fn all(of: impl IntoIterator<Item = ClaimVerdict>) -> ClaimVerdict {
        let of: Vec<ClaimVerdict> = of.into_iter().collect();
        let has = |verdict: ClaimVerdict| of.contains(&verdict);
        match () {
            () if of.is_empty() || has(ClaimVerdict::NotRun) => ClaimVerdict::NotRun,
            () if has(ClaimVerdict::DoesNotHold) => ClaimVerdict::DoesNotHold,
            () if has(ClaimVerdict::Undecided) => ClaimVerdict::Undecided,
            () => ClaimVerdict::Holds,
        }
    }

    /// By a fact that needs no test; `None` if it could not be looked at.
    pub fn fact(is_so: Option<bool>) -> ClaimVerdict {
        match is_so {
            None => ClaimVerdict::NotRun,
            Some(true) => ClaimVerdict::Holds,
            Some(false) => ClaimVerdict::DoesNotHold,
        }
    }
}

/// A claim and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// What the paper says.
    pub says: String,
    /// The paper's figures.
    pub paper: String,
    /// Ours.
    pub ours: String,
    /// Whether it is so.
    pub verdict: ClaimVerdict,
    /// Whose claim it is.
    pub origin: ClaimOrigin,
}

/// Whose claim it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimOrigin {
    /// A paper prints it.
    Paper,
    /// We expect it; the paper prints a picture at most. Counted apart.
    Ours,
}

impl Claim {
    /// A claim by several comparisons, all of which must come out as the paper says.
    pub fn of(says: &str, paper: &str, parts: &[MethodComparison]) -> Self {
        let ours = parts.iter().map(|part| part.words.as_str()).collect::<Vec<_>>().join("; ");
        Self {
            says: says.to_owned(),
            paper: paper.to_owned(),
            ours,
            verdict: together(parts),
            origin: ClaimOrigin::Paper,
        }
    }

    /// A claim by a fact.
    pub fn fact(says: &str, paper: &str, ours: String, is_so: Option<bool>) -> Self {
        let ours = if is_so.is_none() { "–".to_owned() } else { ours };
        let verdict = ClaimVerdict::fact(is_so);
        Self { says: says.to_owned(), paper: paper.to_owned(), ours, verdict, origin: ClaimOrigin::Paper }
    }

    /// The same as an expectation of our own.
    #[must_use]
    pub fn of_ours(self) -> Self {
        Self { origin: ClaimOrigin::Ours, ..self }
    }

    /// Two claims that one sentence makes.
    #[must_use]
    pub fn and(self, other: &Claim) -> Self {
        let ours = format!("{}; {}", self.ours, other.ours);
        Self { ours, verdict: ClaimVerdict::all([self.verdict, other.verdict]), ..self }
    }
}

/// The verdict of a claim by several comparisons.
fn together(parts: &[MethodComparison]) -> ClaimVerdict {
    let contrary =
        |part: &MethodComparison| if part.verdict == ClaimVerdict::DoesNotHold { part.p } else { 1.0 };
    let adjusted = holm(&parts.iter().map(contrary).collect::<Vec<_>>());
    ClaimVerdict::all(parts.iter().zip(adjusted).map(|(part, p)| match part.verdict {
        ClaimVerdict::DoesNotHold if p >= LEVEL => ClaimVerdict::Undecided,
        verdict => verdict,
    }))
}

/// A p-value, shortly.
pub fn chance(p: f64) -> String {
    match p {
        _ if p < 1e-300 => "1e−300 or less".to_owned(),
        _ if p < 1e-3 => format!("{p:.0e}").replace('-', "−"),
        _ => format!("{p:.3}"),
    }
}

/// The middle value; NaN of nothing.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = values.into_iter().collect();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => sorted[n / 2],
        n => f64::midpoint(sorted[n / 2 - 1], sorted[n / 2]),
    }
}

/// A number in at most three digits that matter.
pub fn short(value: f64) -> String {
    let size = value.abs();
    let text = match size {
        _ if value.is_nan() => return "–".to_owned(),
        0.0 => "0".to_owned(),
        s if s >= 100.0 => format!("{value:.1}"),
        s if s >= 1.0 => format!("{value:.2}"),
        s if s >= 1e-3 => format!("{value:.4}"),
        _ => format!("{value:.1e}"),
    };
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_missing_part_is_not_run_and_one_contrary_part_decides() {
        use ClaimVerdict::{DoesNotHold, Holds, NotRun, Undecided};
        assert_eq!(ClaimVerdict::all([]), NotRun);
        assert_eq!(ClaimVerdict::all([Holds, NotRun]), NotRun);
        assert_eq!(ClaimVerdict::all([Holds, Undecided, DoesNotHold]), DoesNotHold);
        assert_eq!(ClaimVerdict::all([Holds, Undecided]), Undecided);
        assert_eq!(ClaimVerdict::all([Holds, Holds]), Holds);
    }

    #[test]
    fn one_contrary_part_of_many_must_be_surer_than_one_alone() {
        let part = |p: f64, verdict| MethodComparison { words: String::new(), p, pairs: 10, verdict };
        let against = |p| part(p, ClaimVerdict::DoesNotHold);
        let open = part(0.3, ClaimVerdict::Undecided);
        let verdict = |parts: &[MethodComparison]| Claim::of("", "", parts).verdict;
        assert_eq!(verdict(&[against(0.02)]), ClaimVerdict::DoesNotHold);
        assert_eq!(verdict(&[against(0.02), open.clone()]), ClaimVerdict::DoesNotHold);
        assert_eq!(verdict(&[against(0.02), open.clone(), open.clone()]), ClaimVerdict::Undecided);
        assert_eq!(verdict(&[against(0.016), open.clone(), open]), ClaimVerdict::DoesNotHold);
        // What speaks for the claim does not make the contrary surer.
        let speaks_for = part(1e-9, ClaimVerdict::Holds);
        assert_eq!(verdict(&[against(0.02), speaks_for.clone(), speaks_for]), ClaimVerdict::Undecided);
    }

    #[test]
    fn numbers_are_short() {
        for (value, text) in [(0.0, "0"), (-6.25, "−6.25"), (0.01234, "0.0123"), (1266.167, "1266.2")] {
            assert_eq!(short(value), text);
        }
        assert!(median([]).is_nan());
        assert_eq!(median([3.0, 1.0, 2.0, 10.0]), 2.5);
    }
}
