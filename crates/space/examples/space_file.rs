//! A space file on the command line, one JSON object per line in and out:
//!
//! ```text
//! space_file describe FILE               the parameters
//! space_file convert FILE FORMAT         the space as toml, json or configspace
//! space_file sample FILE COUNT SEED      random valid configurations
//! space_file accept FILE < lines         is each line exactly a configuration?
//! space_file judge FILE < lines          the configuration that each dense assignment stands for
//! ```
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "an example is an application: it reads files and prints"
)]
use arbora_space::format::Format;
use arbora_space::{Configuration, Domain, Named, Parameter, Rng, Space, SpaceError};
use serde_json::json;
use std::error::Error;
use std::io::{BufWriter, Write};

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> std::process::ExitCode {
    match run() {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(trouble) => {
            eprintln!("error: {trouble}");
            std::process::ExitCode::FAILURE
        }
    }
}

fn run() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut out = BufWriter::new(std::io::stdout().lock());
    match words.as_slice() {
        ["describe", file] => describe(&open(file)?, &mut out),
        ["convert", file, format] => convert(&open(file)?, format, &mut out),
        ["sample", file, count, seed] => sample(&open(file)?, count.parse()?, seed.parse()?, &mut out),
        ["accept", file] => answer(&open(file)?, Space::configuration, &mut out),
        ["judge", file] => answer(&open(file)?, Space::canonical, &mut out),
        _ => Err("usage: space_file describe|convert|sample|accept|judge FILE [arguments]".into()),
    }
}

fn open(file: &str) -> Outcome<Space> {
    let text = std::fs::read_to_string(file)?;
    Ok(Space::new(Format::of(file, &text)?.read(&text)?)?)
}

fn describe(space: &Space, out: &mut impl Write) -> Outcome<()> {
    for parameter in space.parameters() {
        writeln!(out, "{}", description(parameter))?;
    }
    Ok(())
}

fn description(parameter: &Parameter) -> serde_json::Value {
    let domain = match parameter.domain() {
        Domain::Real(d) => json!({"kind": "real", "low": d.low(), "high": d.high(), "log": d.is_log()}),
        Domain::Lattice(d) => {
            json!({"kind": "lattice", "low": d.value(0), "high": d.value(d.count() - 1), "log": d.is_log()})
        }
        Domain::Labels(d) => json!({"kind": "labels", "values": d.values(), "ordered": d.is_ordered()}),
    };
    json!({"name": parameter.name(), "default": parameter.default(), "domain": domain})
}

fn convert(space: &Space, format: &str, out: &mut impl Write) -> Outcome<()> {
    Ok(out.write_all(format.parse::<Format>()?.write(space)?.as_bytes())?)
}

fn sample(space: &Space, count: usize, seed: u64, out: &mut impl Write) -> Outcome<()> {
    let mut rng = Rng::new(seed);
    for _ in 0..count {
        let configuration = space.sample(&mut rng)?;
        writeln!(out, "{}", json!(space.named(&configuration)))?;
    }
    Ok(())
}

/// Reads assignments and prints the configuration of each, or why it is invalid.
fn answer(
    space: &Space,
    reading: impl Fn(&Space, Named) -> Result<Configuration, SpaceError>,
    out: &mut impl Write,
) -> Outcome<()> {
    for line in std::io::stdin().lines() {
        let verdict = match reading(space, serde_json::from_str(&line?)?) {
            Ok(configuration) => json!({"verdict": "valid", "configuration": space.named(&configuration)}),
            Err(SpaceError::ForbiddenConfiguration { constraint }) => {
                json!({"verdict": "forbidden", "by": constraint})
            }
            Err(other) => json!({"verdict": "invalid", "why": other.to_string()}),
        };
        writeln!(out, "{verdict}")?;
    }
    Ok(())
}
