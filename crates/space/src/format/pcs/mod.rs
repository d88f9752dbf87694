//! PCS, the parameter files of algorithm configuration (`ParamILS`, SMAC): the old format, the new
//! one, or a mixture of both. Read-only; every error names its line.
//!
//! ```text
//! C [1e-5, 1e5] [1.0]l                     old: real, `i` for whole numbers, `l` for a log scale
//! depth integer [1, 30] [3] log            new: integer, real, categorical, ordinal
//! kernel categorical {rbf, poly} [rbf]
//! gamma | kernel in {rbf} && depth > 2     conditions; `&&` binds tighter than `||`, lines of one child conjoin
//! {kernel=poly, depth=30}                  forbidden, classic
//! {C * depth > 100 || kernel == poly}      forbidden, advanced
//! ```
//!
//! Alternatives are text even if they look like numbers, as in all readers of these files.
mod conditions;
mod forbidden;
mod line;
mod new;
mod old;

use super::description::{Description, Writer};
use super::view::Source;
use crate::error::SpaceError;
use crate::space::Space;
use crate::spec::{ExpressionSource, SpaceSpec};
use line::Line;

pub(super) const FORMAT: Description = Description {
    name: "pcs",
    extensions: &["pcs", "pcs_new"],
    recognizes: None,
    read: SpaceSpec::from_pcs,
    write: Writer::Nothing,
};

impl SpaceSpec {
    /// Reads a space from a PCS file.
    pub fn from_pcs(text: &str) -> Result<Self, SpaceError> {
        let source = Source { format: "pcs", text };
        let mut spec = SpaceSpec::default();
        let (mut conditions, mut forbidden) = (Vec::new(), Vec::new());
        for (i, written) in text.lines().enumerate() {
            let line = Line::new(source, i + 1, written);
            match line.text.as_str() {
                "" => {}
                heading if heading.ends_with(':') => {}
                clause if clause.starts_with('{') => forbidden.push(line),
                condition if condition.contains('|') => conditions.push(line),
                _ => spec.parameters.push(if old::is_old(&line) {
                    old::param(&line)?
                } else {
                    new::param(&line)?
                }),
            }
        }
        for line in &conditions {
            conditions::apply(line, &mut spec.parameters)?;
        }
        for line in &forbidden {
            spec.forbidden.push(ExpressionSource::Parsed(forbidden::clause(line, &spec.parameters)?));
        }
        Ok(spec)
    }
}

impl Space {
    /// Reads a space from a PCS file and builds it.
    pub fn from_pcs(text: &str) -> Result<Self, SpaceError> {
        Space::new(SpaceSpec::from_pcs(text)?)
    }
}
