//! `arbora space check`: is this file a space, and if not, what all is wrong with it?
use crate::error::{AppError, Exit};
use crate::files;
use crate::output::Output;
use arbora_space::format::Format;
use arbora_space::words::visible;
use arbora_space::{Param, Rng, Space, SpaceError, SpaceSpec};
use clap::Args;
use serde_json::json;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Check space files and report every problem
///
/// Prints one line per problem, with file and line number. Exit code 2 if there are any, or if no valid configuration
/// is found with reasonable effort.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Files to check
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What is wrong, and in which line if that is known.
struct Problem {
    line: Option<usize>,
    text: String,
}

impl Arguments {
    pub(super) fn run(&self, output: &mut Output<'_>) -> Result<Exit, AppError> {
        let mut worst = Exit::Fine;
        let mut report = Vec::new();
        for path in &self.files {
            let (summary, problems) = check(path)?;
            if !problems.is_empty() {
                worst = Exit::Usage;
            }
            let shown = path.display();
            if self.json {
                let listed: Vec<_> =
                    problems.iter().map(|p| json!({"line": p.line, "problem": p.text})).collect();
                report.push(
                    json!({"file": shown.to_string(), "valid": problems.is_empty(), "problems": listed}),
                );
                continue;
            }
            if let Some(summary) = summary {
                output.print(&format!("{shown}: in order: {summary}\n"))?;
            }
            for problem in problems {
                let line = problem.line.map(|line| format!("{line}:")).unwrap_or_default();
                output.message(&format!("{shown}:{line} {}\n", visible(&problem.text)));
            }
        }
        if self.json {
            output.print_json(&json!(report))?;
        }
        Ok(worst)
    }
}

fn check(path: &Path) -> Result<(Option<String>, Vec<Problem>), AppError> {
    let text = files::read(path)?;
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let spec = match Format::of(&name, &text).and_then(|format| format.read(&text)) {
        Ok(spec) => spec,
        Err(trouble) => return Ok((None, vec![Problem { line: None, text: trouble.to_string() }])),
    };
    match Space::new(spec.clone()) {
        // Whether constraints leave anything is not always known of a new space; a draw finds out what a study would.
        Ok(space) => match space.sample(&mut Rng::new(0)) {
            Ok(_) => Ok((Some(super::summary(&space)), Vec::new())),
            Err(trouble) => Ok((None, vec![Problem { line: None, text: trouble.to_string() }])),
        },
        Err(trouble) => Ok((None, problems(&spec, &trouble, &text))),
    }
}

/// A space says the first thing that is wrong. Each part on its own says the others: every parameter alone, then
/// every condition and every constraint over parameters that are always there.
fn problems(spec: &SpaceSpec, first: &SpaceError, text: &str) -> Vec<Problem> {
    let mut found: Vec<Problem> = Vec::new();
    let mut note = |name: Option<&str>, trouble: &SpaceError| {
        let text_of = trouble.to_string();
        if found.iter().all(|problem| problem.text != text_of) {
            found.push(Problem { line: name.and_then(|name| line_of(text, name)), text: text_of });
        }
    };
    let free = |param: &Param| Param { when: Vec::new(), ..param.clone() };
    for param in &spec.parameters {
        if let Err(trouble) = Space::new([free(param)]) {
            note(Some(&param.name), &trouble);
        }
    }
    let whole: Vec<Param> =
        spec.parameters.iter().filter(|param| Space::new([free(param)]).is_ok()).cloned().collect();
    for param in whole.iter().filter(|param| !param.when.is_empty()) {
        let others = deciders(&whole, param).into_iter().map(free).chain([param.clone()]);
        if let Err(trouble) = Space::new(SpaceSpec::new(others)) {
            note(Some(&param.name), &trouble);
        }
    }
    for constraint in parts(spec) {
        let alone = SpaceSpec { parameters: whole.iter().map(free).collect(), ..constraint };
        if let Err(trouble) = Space::new(alone) {
            note(None, &trouble);
        }
    }
    note(None, first);
    found
}

/// The parameters that a condition names; all others if it names one that is not there, which may be misspelt.
fn deciders<'p>(among: &'p [Param], of: &Param) -> Vec<&'p Param> {
    let read: Vec<_> = of.when.iter().filter_map(|written| written.read().ok()).collect();
    let names: HashSet<&str> = read.iter().flat_map(|condition| condition.parameters()).collect();
    let others = || among.iter().filter(|param| param.name != of.name);
    let found: Vec<&Param> = others().filter(|param| names.contains(param.name.as_str())).collect();
    let wanted = names.len() - usize::from(names.contains(of.name.as_str()));
    if found.len() == wanted { found } else { others().collect() }
}

/// Every constraint in a specification of its own.
fn parts(spec: &SpaceSpec) -> Vec<SpaceSpec> {
    let empty = || SpaceSpec::new([]);
    let forbidden = spec.forbidden.iter().map(|clause| empty().forbid(clause.clone()));
    let required = spec.required.iter().map(|relation| empty().require(relation.clone()));
    forbidden.chain(required).collect()
}

/// The line that declares a parameter: `[parameters.NAME]`, `"NAME":` or, in PCS, `NAME `.
fn line_of(text: &str, name: &str) -> Option<usize> {
    let quoted = [format!("\"{name}\""), format!("'{name}'")];
    let declares = |line: &str| {
        let line = line.trim_start();
        let word = line.trim_start_matches("[parameters.").split([']', ' ', '\t', '{', '=', '.']).next();
        line.starts_with(&format!("[parameters.{name}]"))
            || quoted.iter().any(|quoted| line.contains(quoted.as_str()))
            || word == Some(name)
    };
    text.lines().position(declares).map(|index| index + 1)
}
