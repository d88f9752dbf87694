//! A method by its name.
use crate::error::BenchError;
use arbora_evaluation::ensemble::{SlotRule, VoteLoss};
use arbora_model::GpSpec;
use arbora_model::infer::{InferenceSpec, Slice};
use arbora_search::maximize::SobolAnchors;
use arbora_search::strategy::BlindSpec;
use arbora_search::{MaximizerSpec, ModelSpec, SearchError, StrategySpec};

/// Members of an ensemble  [T18, §4.4].
const MEMBERS: usize = 12;

/// What a method is made of.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct EnsembleMethod {
    pub(super) strategy: StrategySpec,
    /// Members that are searched for or selected.
    pub(super) members: usize,
    /// The loss of the slots a search works for.
    pub(super) slots: Option<(VoteLoss, SlotRule)>,
    /// Is an ensemble selected afterwards?
    pub(super) selects: bool,
}

impl EnsembleMethod {
    pub(super) fn named(method: &str) -> Result<Self, BenchError> {
        let mut parts = method.split('-').peekable();
        let (family, aim) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let loss = match (family, aim) {
            ("rs" | "bo", "best" | "post") | ("cma", "best") => None,
            ("eo", "zo") => Some(VoteLoss::ZeroOne),
            ("eo", "c") => Some(VoteLoss::CBound),
            ("eo", "sqm" | "post") => Some(VoteLoss::SquaredMargin),
            ("eo", "sig") => Some(VoteLoss::Sigmoid),
            _ => return Err(unknown(method)),
        };
        let rule = match parts.next_if(|part| *part == "same" && loss.is_some()) {
            Some(_) => SlotRule::SameLoss,
            None => SlotRule::ZeroOne,
        };
        let has_members = loss.is_some() || aim == "post";
        let count = parts.next_if(|part| has_members && is_count(part));
        let members = count.and_then(|count| count.parse().ok()).unwrap_or(MEMBERS);
        let strategy = match (family, parts.next()) {
            ("rs", None) => "random".parse()?,
            ("cma", None) => "cma".parse()?,
            ("bo" | "eo", None) => "gp-matern-ls".parse()?,
            ("bo" | "eo", Some("raw")) => "gp-matern-noimpute".parse()?,
            ("bo" | "eo", Some("thesis")) => thesis()?,
            _ => return Err(unknown(method)),
        };
        if parts.next().is_some() {
            return Err(unknown(method));
        }
        let slots = loss.map(|loss| (loss, rule));
        Ok(Self { strategy, members, slots, selects: aim == "post" })
    }
}

fn is_count(part: &str) -> bool {
    part.parse::<usize>().is_ok_and(|count| count > 0)
}

/// Spearmint with half its grid, and a chain that never moves less than its draws.
fn thesis() -> Result<StrategySpec, BenchError> {
    let mut spec: StrategySpec = "spearmint".parse()?;
    if let Some(blind) = spec.get_mut::<BlindSpec>()
        && let Some(model) = blind.strategy.get_mut::<ModelSpec>()
    {
        model.maximizer = MaximizerSpec::new(SobolAnchors { points: 10_000, starts: 20 });
        if let Some(process) = model.surrogate.get_mut::<GpSpec>() {
            process.infer =
                InferenceSpec::new(Slice { draws: 10, burn_in: 100, width: 1.0, settled: usize::MAX });
        }
    }
    Ok(spec)
}

fn unknown(method: &str) -> BenchError {
    let problem = "a method is rs-, cma- or bo-, then best or post, or eo- and its loss; \
                   then -same, a number of members, and -raw or -thesis";
    SearchError::BadSetting { setting: "method", value: method.to_owned(), problem }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(method: &str) -> EnsembleMethod {
        EnsembleMethod::named(method).unwrap_or_else(|problem| panic!("{method}: {problem}"))
    }

    #[test]
    fn both_rules_and_both_sizes_have_names() {
        arbora_papers::register().unwrap();
        let (printed, same) = (named("eo-sqm"), named("eo-sqm-same"));
        assert_eq!(printed.slots, Some((VoteLoss::SquaredMargin, SlotRule::ZeroOne)));
        assert_eq!(same.slots, Some((VoteLoss::SquaredMargin, SlotRule::default())));
        assert_eq!((printed.members, same.members), (12, 12));
        assert_eq!(EnsembleMethod { members: 12, ..named("eo-sqm-same-13") }, same);
        assert_eq!((named("bo-post-13").members, named("bo-post-13").selects), (13, true));
    }

    #[test]
    fn the_thesis_has_its_own_process() {
        arbora_papers::register().unwrap();
        let (ours, raw, thesis) =
            (named("eo-sig-same"), named("eo-sig-same-raw"), named("eo-sig-same-thesis"));
        assert_eq!((ours.slots, ours.slots), (raw.slots, thesis.slots));
        let blind = thesis.strategy.get::<BlindSpec>().expect("it knows no conditions");
        assert!(blind.cube);
        let model = blind.strategy.get::<ModelSpec>().expect("a process");
        assert_eq!(model.maximizer, MaximizerSpec::new(SobolAnchors { points: 10_000, starts: 20 }));
        assert_ne!(raw.strategy, thesis.strategy);
    }

    #[test]
    fn what_makes_no_sense_is_no_method() {
        let wrong = [
            "eo",
            "eo-best",
            "bo-best-same",
            "bo-best-13",
            "rs-post-raw",
            "cma-post",
            "eo-sqm-0",
            "eo-sqm-raw-same",
            "eo-sqm-same-raw-13",
            "eo-sqm-thesis-raw",
            "",
        ];
        for method in wrong {
            assert!(EnsembleMethod::named(method).is_err(), "{method}");
        }
    }
}
