//! The page of claims: what the papers say, and whether it is so here.
use super::markdown::claims;
use super::{Report, Section};
use crate::claim::Verdict;

const HEAD: &str = "\
# Reproduction

What the papers say, their figures, ours, and whether it is so. Written by `arbora bench report --reproduction`; nothing on
this page is typed by hand.

A claim that one method is better than another is judged by Wilcoxon's signed-rank test, two-sided at 0.05: it *holds* if the
difference is significant in the paper's direction, *does not hold* if it is significant in the other, and is *not decided at
this size* otherwise. Pairs are data sets (means over seeds) where a claim is about several of them, as in the papers, and runs
(function, seed) otherwise. A claim of no difference holds if none is found in at least ten pairs. A claim by several comparisons
holds if each of them does, and does not hold if one is significant against it after Holm's adjustment over them.
p-values are not adjusted for the number of claims. Figures before p are medians; N counts pairs. What was not run at all
says so. Each line rests on the runs named above it, which may be fewer than the paper's.

";

/// The page, in Markdown.
pub fn reproduction(report: &Report) -> String {
    let judged: Vec<&Section> = report.sections().iter().filter(|s| !s.claims.is_empty()).collect();
    let count = |verdict: Verdict| {
        judged.iter().flat_map(|section| &section.claims).filter(|claim| claim.verdict == verdict).count()
    };
    let mut text = HEAD.to_owned();
    text += &format!(
        "{} claims hold, {} do not, {} are not decided at this size, {} were not run.\n\n",
        count(Verdict::Holds),
        count(Verdict::DoesNotHold),
        count(Verdict::Undecided),
        count(Verdict::NotRun)
    );
    for section in judged {
        let (name, title, source) = (section.name.to_uppercase(), section.title, section.source);
        let extent = if section.runs.0 == 0 { "not run".to_owned() } else { section.extent() };
        text += &format!("## {name}: {title}\n\n{source}; {extent}\n\n{}", claims(&section.claims));
    }
    text.trim_end().to_owned() + "\n"
}
