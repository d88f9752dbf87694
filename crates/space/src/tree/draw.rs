//! Prints an outline: aligned parameters, then each decision with its alternatives.
use super::outline::{Outline, OutlineItem, OutlineKind};
use crate::id::ParamId;
use crate::words::visible;
use std::collections::HashMap;
use std::fmt::{Display, Formatter, Result};

/// Deeper lines are not indented further, since lines would become longer and longer.
const DEEPEST: usize = 32;

/// What is below one alternative.
#[derive(Default)]
struct Below {
    /// Length of the longest name.
    longest: usize,
    has_decisions: bool,
}

impl Display for Outline {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let below = self.below();
        let last = self.last_alternatives();
        // The indentation below each alternative, with its depth.
        let mut indents: HashMap<usize, (String, usize)> = HashMap::new();
        let mut previous: Option<&OutlineItem> = None;
        for (at, item) in self.items().iter().enumerate() {
            let (indent, depth) =
                item.parent.and_then(|parent| indents.get(&parent)).cloned().unwrap_or_default();
            match &item.kind {
                OutlineKind::Parameter { name, domain, when, .. } => {
                    let Below { longest, has_decisions } = below[&item.parent];
                    let bar = match item.parent {
                        None => "",
                        Some(_) if has_decisions => "│ ",
                        Some(_) => "  ",
                    };
                    let (name, domain) = (visible(name), visible(domain));
                    writeln!(f, "{indent}{bar}{name:longest$}  {domain}{}", condition(when.as_ref()))?;
                }
                OutlineKind::Decision { decision, when } => {
                    if item.parent.is_none() && previous.is_some_and(|before| is_another(before, item)) {
                        writeln!(f)?;
                    }
                    let is_last = last[&(item.parent, decision.parameter())] == at;
                    let (corner, bar) = if is_last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
                    let text = visible(decision.text());
                    writeln!(f, "{indent}{corner}{text}{}", condition(when.as_ref()))?;
                    let deeper = if depth < DEEPEST { format!("{indent}{bar}") } else { indent };
                    indents.insert(at, (deeper, depth + 1));
                }
            }
            if item.parent.is_none() || previous.is_none() {
                previous = Some(item);
            }
        }
        Ok(())
    }
}

/// Does a top-level decision start a new tree?
fn is_another(before: &OutlineItem, item: &OutlineItem) -> bool {
    match (&before.kind, &item.kind) {
        (OutlineKind::Decision { decision: before, .. }, OutlineKind::Decision { decision, .. }) => {
            before.parameter() != decision.parameter()
        }
        _ => false,
    }
}

fn condition(when: Option<&String>) -> String {
    when.map(|when| format!("  when {}", visible(when))).unwrap_or_default()
}

impl Outline {
    fn below(&self) -> HashMap<Option<usize>, Below> {
        let mut found: HashMap<Option<usize>, Below> = HashMap::new();
        for item in self.items() {
            let here = found.entry(item.parent).or_default();
            match &item.kind {
                OutlineKind::Parameter { name, .. } => {
                    here.longest = here.longest.max(visible(name).chars().count());
                }
                OutlineKind::Decision { .. } => here.has_decisions = true,
            }
        }
        found
    }

    /// The last alternative of every decision.
    fn last_alternatives(&self) -> HashMap<(Option<usize>, ParamId), usize> {
        let decisions = self.items().iter().enumerate().filter_map(|(at, item)| match &item.kind {
            OutlineKind::Decision { decision, .. } => Some(((item.parent, decision.parameter()), at)),
            OutlineKind::Parameter { .. } => None,
        });
        decisions.collect()
    }
}
