//! `arbora-fuzz [TARGET …] [--minutes N] [--seed N]`: long campaigns, one target after the other, round and round.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a program: it reads clocks and files, and prints"
)]
use arbora_fuzz::{Campaign, Finding, TARGETS, Target, target};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// One input may take this long; longer is a hang.
const PATIENCE: Duration = Duration::from_mins(1);
/// Inputs of one round of one target.
const ROUND: usize = 500;
const USAGE: &str = "usage: arbora-fuzz [TARGET …] [--minutes N] [--seed N] [--keep FOLDER]";

struct Orders {
    targets: Vec<&'static Target>,
    minutes: f64,
    seed: u64,
    keep: PathBuf,
}

/// The input under way: its target, when it began, and the file that holds it.
static UNDER_WAY: Mutex<Option<(Instant, PathBuf)>> = Mutex::new(None);

fn main() -> ExitCode {
    match orders(std::env::args().skip(1)).and_then(|orders| fuzz(&orders)) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(trouble) => {
            eprintln!("error: {trouble}");
            ExitCode::from(2)
        }
    }
}

fn orders(mut arguments: impl Iterator<Item = String>) -> Result<Orders, String> {
    let mut orders =
        Orders { targets: Vec::new(), minutes: 1.0, seed: 0, keep: PathBuf::from("target/fuzz") };
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value; {USAGE}"));
        match argument.as_str() {
            "--minutes" => orders.minutes = value()?.parse().map_err(|_| USAGE.to_owned())?,
            "--seed" => orders.seed = value()?.parse().map_err(|_| USAGE.to_owned())?,
            "--keep" => orders.keep = value()?.into(),
            name => {
                let known = TARGETS.map(|target| target.name).join(", ");
                orders
                    .targets
                    .push(target(name).ok_or_else(|| format!("no target `{name}`; known are {known}"))?);
            }
        }
    }
    if orders.targets.is_empty() {
        orders.targets = TARGETS.iter().collect();
    }
    Ok(orders)
}

/// Returns how many inputs broke something.
fn fuzz(orders: &Orders) -> Result<usize, String> {
    fs::create_dir_all(&orders.keep).map_err(|trouble| trouble.to_string())?;
    std::panic::set_hook(Box::new(|_| {})); // Panics are findings: they are reported with their input.
    std::thread::spawn(watch);
    let begun = Instant::now();
    let mut totals = vec![(0, 0, 0); orders.targets.len()];
    for round in 0.. {
        for (target, total) in orders.targets.iter().zip(&mut totals) {
            if round > 0 && begun.elapsed().as_secs_f64() > 60.0 * orders.minutes {
                return Ok(summary(orders, &totals));
            }
            let campaign = Campaign { seed: orders.seed.wrapping_add(round), inputs: ROUND };
            let file = orders.keep.join(format!("{}.current", target.name));
            let report = campaign.run(target, &mut |input| begin(&file, input));
            *UNDER_WAY.lock().expect("nobody panics with it") = None;
            fs::remove_file(&file).ok();
            for finding in &report.findings {
                keep(&orders.keep, target, finding);
            }
            *total = (total.0 + report.tried, total.1 + report.accepted, total.2 + report.findings.len());
        }
    }
    unreachable!("rounds end by time");
}

/// Writes the input down before the reader sees it: it is there even if the process dies.
fn begin(file: &Path, input: &[u8]) {
    fs::write(file, input).ok();
    *UNDER_WAY.lock().expect("nobody panics with it") = Some((Instant::now(), file.to_owned()));
}

/// Ends the process when an input takes too long; its file stays.
fn watch() {
    loop {
        std::thread::sleep(Duration::from_secs(1));
        let under_way = UNDER_WAY.lock().expect("nobody panics with it").clone();
        if let Some((_, file)) = under_way.filter(|(begun, _)| begun.elapsed() > PATIENCE) {
            eprintln!("hang: no answer after {PATIENCE:?}; the input is {}", file.display());
            std::process::exit(3);
        }
    }
}

fn keep(folder: &Path, target: &Target, finding: &Finding) {
    let hash =
        finding.input.iter().fold(0_u64, |hash, byte| hash.wrapping_mul(31).wrapping_add((*byte).into()));
    let file = folder.join(format!("{}-{hash:016x}", target.name));
    println!("{}: {}\n  {}", target.name, finding.problem, file.display());
    if let Err(trouble) = fs::write(&file, &finding.input) {
        eprintln!("{}: {trouble}", file.display());
    }
}

fn summary(orders: &Orders, totals: &[(usize, usize, usize)]) -> usize {
    println!("{:12} {:>10} {:>10} {:>8}  what", "target", "inputs", "accepted", "broken");
    for (target, (tried, accepted, broken)) in orders.targets.iter().zip(totals) {
        println!("{:12} {tried:>10} {accepted:>10} {broken:>8}  {}", target.name, target.what);
    }
    totals.iter().map(|total| total.2).sum()
}
