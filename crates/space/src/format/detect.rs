//! Which format a file is in, by its ending and, for JSON, by what it holds.
use super::json_tree;
use super::node::Data;
use super::view::Source;
use crate::error::SpaceError;
use crate::space::Space;
use crate::spec::SpaceSpec;

/// A format of space files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// The project's own TOML.
    Toml,
    /// The project's own JSON.
    Json,
    /// The JSON of the Python package `ConfigSpace`.
    ConfigSpace,
    /// PCS, old or new; read only.
    Pcs,
}

impl Format {
    /// The format of a file, from its name and its text.
    pub fn of(file_name: &str, text: &str) -> Result<Self, SpaceError> {
        let ending = file_name.rsplit_once('.').map_or("", |(_, ending)| ending);
        match ending.to_ascii_lowercase().as_str() {
            "toml" => Ok(Format::Toml),
            "json" if is_configspace(text) => Ok(Format::ConfigSpace),
            "json" => Ok(Format::Json),
            "pcs" | "pcs_new" => Ok(Format::Pcs),
            _ => Err(Source { format: "space file", text }
                .fail(format!("`{file_name}`"), "the ending tells the format: .toml, .json or .pcs")),
        }
    }

    /// Reads a space.
    pub fn read(self, text: &str) -> Result<SpaceSpec, SpaceError> {
        match self {
            Format::Toml => SpaceSpec::from_toml(text),
            Format::Json => SpaceSpec::from_json(text),
            Format::ConfigSpace => SpaceSpec::from_configspace(text),
            Format::Pcs => SpaceSpec::from_pcs(text),
        }
    }

    /// Writes a space.
    pub fn write(self, space: &Space) -> Result<String, SpaceError> {
        match self {
            Format::Toml => space.to_toml(),
            Format::Json => space.to_json(),
            Format::ConfigSpace => space.to_configspace(),
            Format::Pcs => {
                Err(Source { format: "pcs", text: "" }.fail("output", "PCS is read only; write TOML or JSON"))
            }
        }
    }
}

/// Their files have `hyperparameters` where ours have `parameters`.
fn is_configspace(text: &str) -> bool {
    match json_tree::parse(Source { format: "json", text }).map(|node| node.data) {
        Ok(Data::Table(entries)) => entries.iter().any(|e| e.name == "hyperparameters"),
        _ => false,
    }
}
