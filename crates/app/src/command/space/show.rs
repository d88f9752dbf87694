//! `arbora space show`: a space as a tree of decisions, or as a table of parameters.
use crate::error::{AppError, Exit};
use crate::files;
use crate::output::Output;
use crate::show::{self, Table};
use arbora_space::words::visible;
use arbora_space::{Role, Space};
use clap::Args;
use serde_json::json;
use std::fmt::Write;
use std::path::PathBuf;

/// Show a space as a tree of decisions
///
/// A parameter is listed below the choice that activates it, with its condition if there is more to it. Independent
/// choices are separate trees; alternatives that the constraints rule out are hidden. With --flat, prints one line per
/// parameter with its condition.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Space file
    file: PathBuf,
    /// Print one line per parameter instead of a tree
    #[arg(long)]
    flat: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub(super) fn run(&self, output: &mut Output<'_>) -> Result<Exit, AppError> {
        let space = files::space(&self.file)?;
        if self.json {
            return output.print_json(&json!(rows(&space).map(Row::json).collect::<Vec<_>>()));
        }
        let width = show::width(output.out_is_terminal);
        let body = if self.flat { flat(&space).show(width) } else { space.outline().to_string() };
        let mut constraints = String::new();
        for clause in &space.spec().forbidden {
            writeln!(constraints, "forbidden: {}", visible(&clause.to_string()))
                .expect("a string can be written");
        }
        for relation in &space.spec().required {
            writeln!(constraints, "required: {}", visible(&relation.to_string()))
                .expect("a string can be written");
        }
        let gap = if constraints.is_empty() { "" } else { "\n" };
        output.print(&format!("{}\n\n{body}{gap}{constraints}", super::summary(&space)))
    }
}

struct Row {
    name: String,
    domain: String,
    default: String,
    when: String,
}

impl Row {
    fn json(self) -> serde_json::Value {
        json!({"name": self.name, "domain": self.domain, "default": self.default, "when": self.when})
    }
}

/// Parameters as declared.
fn rows(space: &Space) -> impl Iterator<Item = Row> {
    let shown = space.ids().filter(|id| !matches!(space.parameter(*id).role(), Role::Switch { .. }));
    shown.map(|id| {
        let parameter = space.parameter(id);
        Row {
            name: parameter.name().to_owned(),
            domain: space.describe(id),
            default: show::value(parameter.default()),
            when: space.describe_when(id).unwrap_or_default(),
        }
    })
}

fn flat(space: &Space) -> Table {
    let mut table = Table::new(["parameter", "domain", "default", "when"]);
    for row in rows(space) {
        table.row([row.name, row.domain, row.default, row.when]);
    }
    table
}
