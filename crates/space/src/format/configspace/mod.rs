//! The JSON of the Python package `ConfigSpace`: reads and writes format 0.4 of its versions 1.x,
//! and reads the older 0.x files.
//!
//! Both libraries agree that a test of an inactive parent is false, with one exception: in 1.x,
//! `NEQ` is true for an inactive parent when configurations are sampled or checked (but not when
//! the space is built). It is read as `!=`, which is false there; spaces are written so that the
//! case cannot occur.
//!
//! Not read: beta distributions. Not written: steps, none, retired alternatives, arithmetic, and
//! priors on a scale other than the parameter's own. Each is an error that names the parameter or
//! the constraint.
mod expand_order;
mod export_parameters;
mod export_rules;
mod import_parameters;
mod import_rules;

use super::description::{Description, Writer};
use super::json_tree;
use super::node::{Data, DocumentNode};
use super::view::{Source, View};
use crate::error::SpaceError;
use crate::space::Space;
use crate::spec::{ExpressionSource, Param, SpaceSpec};

const NAME: &str = "configspace";

pub(super) const FORMAT: Description = Description {
    name: NAME,
    extensions: &["json"],
    recognizes: Some(is_configspace),
    read: SpaceSpec::from_configspace,
    write: Writer::Space(Space::to_configspace),
};

/// Its files have `hyperparameters` instead of `parameters`.
fn is_configspace(text: &str) -> bool {
    match json_tree::parse(Source { format: "json", text }).map(|node| node.data) {
        Ok(Data::Table(entries)) => entries.iter().any(|e| e.name == "hyperparameters"),
        _ => false,
    }
}

impl SpaceSpec {
    /// Reads a space from the JSON of `ConfigSpace`.
    pub fn from_configspace(text: &str) -> Result<Self, SpaceError> {
        let source = Source { format: NAME, text };
        read(&View::new(source, &json_tree::parse(source)?))
    }
}

impl Space {
    /// Reads a space from the JSON of `ConfigSpace` and builds it.
    pub fn from_configspace(text: &str) -> Result<Self, SpaceError> {
        Space::new(SpaceSpec::from_configspace(text)?)
    }

    /// Writes the space as JSON that `ConfigSpace` 1.x reads.
    pub fn to_configspace(&self) -> Result<String, SpaceError> {
        let hyperparameters = export_parameters::items(self)?;
        // `ConfigSpace` creates the default configuration first, and rejects the file if it is
        // forbidden.
        self.canonical::<&str>([]).map_err(|e| {
            inexpressible(
                "default configuration",
                &format!("it must be valid there, but {e}; choose other defaults"),
            )
        })?;
        let document = DocumentNode::table([
            ("name", DocumentNode::null()),
            ("hyperparameters", DocumentNode::list(hyperparameters)),
            ("conditions", DocumentNode::list(export_rules::conditions(self))),
            ("forbiddens", DocumentNode::list(export_rules::forbiddens(self)?)),
            ("python_module_version", DocumentNode::scalar("1.2.0")),
            ("format_version", DocumentNode::scalar(0.4)),
        ]);
        json_tree::write(Source { format: NAME, text: "" }, &document)
    }
}

fn read(root: &View<'_>) -> Result<SpaceSpec, SpaceError> {
    let fields = root.fields()?;
    let mut spec = SpaceSpec::default();
    for item in fields.required("hyperparameters")?.list()? {
        spec.parameters.push(import_parameters::param(&item)?);
    }
    if let Some(items) = fields.present("conditions") {
        for item in items.list()? {
            let (child, condition) = import_rules::condition(&item)?;
            child_of(&mut spec.parameters, &item, child)?.when.push(ExpressionSource::Parsed(condition));
        }
    }
    if let Some(items) = fields.present("forbiddens") {
        for item in items.list()? {
            let clause = expand_order::expand_order(&import_rules::forbidden(&item)?, &spec.parameters);
            spec.forbidden.push(ExpressionSource::Parsed(clause));
        }
    }
    Ok(spec)
}

fn child_of<'p>(parameters: &'p mut [Param], at: &View<'_>, name: &str) -> Result<&'p mut Param, SpaceError> {
    let found = parameters.iter_mut().find(|p| p.name == name);
    found.ok_or_else(|| at.fail(format!("condition on `{name}`, which is not among the hyperparameters")))
}

/// The error for something that `ConfigSpace` cannot express.
fn inexpressible(place: &str, problem: &str) -> SpaceError {
    Source { format: NAME, text: "" }.fail(place, problem)
}
