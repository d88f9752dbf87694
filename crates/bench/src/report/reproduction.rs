//! The page of claims: what the papers say, and whether it is so here.
use super::markdown::claims;
use super::{LabReport, Section};
use crate::claim::{ClaimOrigin, ClaimVerdict};

const HEAD: &str = "\
# Reproduction

What the papers say, their figures, ours, and whether it is so. Written by
`arbora bench report --reproduction`; nothing on this page is typed by hand. The plan of the runs is
[PAPERS.md](PAPERS.md).

Methods are compared by the test their paper uses, two-sided at 0.05:

* L17, J17, T18: Wilcoxon's signed-rank test. Pairs are data sets (means over seeds) where a claim is about
  several of them, and runs (function, seed) otherwise. Figures before p are medians; N counts pairs.
* E13: the U test of Mann and Whitney over runs. N counts the runs of each method.
* Z18, and where a paper speaks of mean ranks: mean ranks, which must differ by more than Nemenyi's critical
  difference CD. N counts runs or data sets.

A comparison *holds* if the difference is significant in the paper's direction, *does not hold* if it is
significant in the other, and is *not decided at this size* otherwise. A claim of no difference, or of being
no worse, holds if no contrary difference is found in at least ten pairs. A claim by several comparisons holds
if each of them does, and does not hold if one is significant against it after Holm's adjustment over them.
p-values are not adjusted for the number of claims. Each line rests on the runs named above it; where they are
fewer than the paper's, the size says what is less.

";

/// The page, in Markdown.
pub fn reproduction(report: &LabReport) -> String {
    let judged: Vec<&Section> = report.sections().iter().filter(|s| !s.claims.is_empty()).collect();
    let mut text = HEAD.to_owned();
    text += &format!(
        "Of the papers' claims {}.\nOf our own expectations, which no paper prints, {}.\n\n",
        counted(&judged, ClaimOrigin::Paper),
        counted(&judged, ClaimOrigin::Ours)
    );
    for section in judged {
        let (name, title, source) = (section.name.to_uppercase(), section.title, section.source);
        let extent = if section.runs.0 == 0 { "not run".to_owned() } else { section.extent() };
        text += &format!("## {name}: {title}\n\n{source}; {extent}\n\n{}", claims(&section.claims));
    }
    text.trim_end().to_owned() + "\n"
}

/// How many claims of an origin came out how.
fn counted(judged: &[&Section], origin: ClaimOrigin) -> String {
    let claims = || judged.iter().flat_map(|section| &section.claims).filter(|claim| claim.origin == origin);
    let count = |verdict: ClaimVerdict| claims().filter(|claim| claim.verdict == verdict).count();
    format!(
        "{} hold, {} do not, {} are not decided at this size, {} were not run",
        count(ClaimVerdict::Holds),
        count(ClaimVerdict::DoesNotHold),
        count(ClaimVerdict::Undecided),
        count(ClaimVerdict::NotRun)
    )
}
