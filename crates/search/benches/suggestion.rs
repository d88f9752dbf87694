//! How long one suggestion takes, where the time goes, and how much memory it needs.
//!
//! `cargo bench -p arbora-search --bench suggestion [-- --sizes 50,200 --threads 1,2 --kernels conditional,dense]`
//!
//! The 14-parameter space of combined algorithm selection [Lévesque et al. 2017, §V], n random trials of a smooth
//! loss, 10 slice draws, local search with polish: the default strategy. Every case runs in a process of its own,
//! so that peak memory is its own. Times are medians over suggestions with a warm chain; CPU time is that of all
//! threads. `balanced` spreads the trials over the learners as random search does, `skewed` puts 60 % in one.
#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::unwrap_used)]
use arbora_model::kernel::{Categories, Matern52};
use arbora_model::{GpSpec, KernelSpec, Memory, SurrogateContext, SurrogateSpec, Workers};
use arbora_search::maximize::LocalSearch;
use arbora_search::{MaximizerSpec, ModelSpec, StrategySpec, Study, StudyOptions};
use arbora_space::{Configuration, Encoding, Rng};
use cash::{cash, draw, loss, median, peak_mib, timed};

mod cash;

struct Case {
    kernel: String,
    skewed: bool,
    n: usize,
    threads: usize,
}

fn spec(case: &Case) -> ModelSpec {
    if case.kernel == "conditional" {
        return ModelSpec::default();
    }
    let kernel = KernelSpec::new(Matern52 { categories: Categories::Index });
    let surrogate = SurrogateSpec::new(GpSpec { kernel, ..GpSpec::default() });
    ModelSpec { surrogate, ..ModelSpec::default() }
}

fn study(case: &Case, local_only: bool) -> Study {
    let space = cash();
    let mut model = spec(case);
    if local_only {
        model.maximizer = MaximizerSpec::new(LocalSearch { random: 1000, starts: 10 });
    }
    let strategy = StrategySpec::new(model);
    let options = StudyOptions { strategy, seed: 1, threads: case.threads, ..StudyOptions::default() };
    let mut study = Study::new(space.clone(), options).unwrap();
    let mut rng = Rng::new(11);
    for _ in 0..case.n {
        let drawn = draw(&space, case.skewed, &mut rng);
        study.add(drawn.clone(), loss(&space, &drawn)).unwrap();
    }
    study
}

/// Asks with a warm chain: `repeats` suggestions, each told.
fn asks(case: &Case, local_only: bool, repeats: usize) -> (f64, f64) {
    let mut study = study(case, local_only);
    let first = study.ask().unwrap();
    study.tell(first.number, loss(study.space(), &first.configuration)).unwrap();
    let (mut wall, mut cpu) = (Vec::new(), Vec::new());
    for _ in 0..repeats {
        let (w, c, trial) = timed(|| study.ask().unwrap());
        wall.push(w);
        cpu.push(c);
        study.tell(trial.number, loss(study.space(), &trial.configuration)).unwrap();
    }
    (median(wall), median(cpu))
}

/// The stages of one suggestion, by the parts' own doors: fit, then a thousand predictions.
fn stages(case: &Case, repeats: usize) -> (f64, f64) {
    let space = cash();
    let workers = Workers::new(case.threads);
    let recipe = spec(case).surrogate.build(SurrogateContext::new(space.layout(), &workers)).unwrap();
    let study = study(case, true);
    let data = study.history().dataset(&space, &Encoding::default()).unwrap().unwrap();
    let mut rng = Rng::new(5);
    let mut memory: Option<Memory> = None;
    let mut fits = Vec::new();
    let mut predictions = Vec::new();
    let candidates: Vec<Configuration> = (0..1000).map(|_| space.sample(&mut rng).unwrap()).collect();
    let points = space.encode(&candidates, &Encoding::default());
    for round in 0..=repeats {
        let (_, cpu, model) = timed(|| recipe.fit(&data, memory.as_ref(), &mut rng).unwrap());
        memory = model.memory().cloned();
        if round > 0 {
            fits.push(cpu);
            predictions.push(timed(|| model.predict(&points)).1);
        }
    }
    (median(fits), median(predictions))
}

fn run_case(case: &Case) {
    // A dense process of two thousand trials takes minutes to start: one suggestion must do, and no second study.
    let is_slow = case.kernel != "conditional" && case.n > 1000;
    let repeats = match case.n {
        _ if is_slow => 1,
        1001.. => 3,
        _ if case.kernel == "conditional" => 25,
        501.. => 3,
        _ => 9,
    };
    let (wall, cpu) = asks(case, false, repeats);
    let peak = peak_mib();
    let local = if is_slow { f64::NAN } else { asks(case, true, repeats).1 };
    let (fit, predict) = stages(case, if is_slow { 1 } else { repeats.min(9) });
    println!("{wall} {cpu} {local} {fit} {predict} {peak}");
}

fn list(arguments: &[String], name: &str, default: &str) -> Vec<String> {
    let at = arguments.iter().position(|a| a == name).and_then(|i| arguments.get(i + 1));
    at.map_or(default, String::as_str).split(',').map(str::to_owned).collect()
}

/// Milliseconds for one suggestion by the summed parts of a bare implementation, measured on one quiet core of
/// another machine of this kind: n, conditional kernel with eight equal blocks, dense kernel.
const FLOOR: [(&str, f64, f64); 6] = [
    ("50", 4.7, 27.0),
    ("100", 6.6, 63.0),
    ("200", 13.0, 210.0),
    ("500", 40.0, 1570.0),
    ("1000", 113.0, 8600.0),
    ("2000", 434.0, 63000.0),
];

fn floor(kernel: &str, n: &str) -> Option<f64> {
    FLOOR.iter().find(|row| row.0 == n).map(|row| if kernel == "conditional" { row.1 } else { row.2 })
}

/// Runs one case in a process of its own and prints its row; CPU milliseconds of a suggestion.
fn row(kernel: &str, history: &str, n: &str, threads: &str) -> Option<f64> {
    let exe = std::env::current_exe().unwrap();
    let out = std::process::Command::new(exe).args(["--case", kernel, history, n, threads]).output().unwrap();
    let text = String::from_utf8_lossy(&out.stdout);
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|w| w.parse().ok()).collect();
    let [wall, cpu, local, fit, predict, peak] = numbers[..] else {
        println!("{kernel} {history} {n} {threads}: {}", String::from_utf8_lossy(&out.stderr));
        return None;
    };
    let ratio = floor(kernel, n).map_or(String::new(), |f| format!("{:.2}", cpu / f));
    let search = cpu - fit;
    println!(
        "{kernel:<12} {history:<9} {n:>5} {threads:>3}  {wall:>9.2} {cpu:>9.2} {local:>9.2} {fit:>9.2} \
         {search:>9.2} {predict:>9.2} {peak:>8.1}  {ratio:>6}"
    );
    Some(cpu)
}

/// Other tools on the same space with as many trials, in the same run: their milliseconds and how many times ours.
fn peers(sizes: &[String], ours: &[(String, f64)]) {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let python = root.join(".venv-peers/bin/python");
    if !python.exists() {
        println!("\nother tools: not installed; `make .venv-peers/ready` installs them (6 GB)");
        return;
    }
    println!(
        "\none suggestion of other tools, CPU milliseconds, and how many times ours (conditional, balanced)"
    );
    let script = root.join("benchmarks/peers/latency.py");
    let sizes = sizes.join(",");
    let out = std::process::Command::new(python).arg(script).args(["--sizes", &sizes]).output().unwrap();
    for line in String::from_utf8_lossy(&out.stdout).lines() {
        let Ok(row) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        let (n, cpu) = (row["n"].to_string(), row["cpu_ms"].as_f64().unwrap_or(f64::NAN));
        let ratio = ours.iter().find(|(size, _)| *size == n).map_or(f64::NAN, |(_, ours)| cpu / ours);
        println!("{:<20} {n:>5}  {cpu:>10.1}  {ratio:>8.1}x", row["peer"].as_str().unwrap_or("?"));
    }
    print!("{}", String::from_utf8_lossy(&out.stderr));
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    if arguments.first().is_some_and(|a| a == "--case") {
        let [_, kernel, history, n, threads] = &arguments[..] else {
            panic!("--case kernel history n threads")
        };
        let (n, threads) = (n.parse().unwrap(), threads.parse().unwrap());
        return run_case(&Case { kernel: kernel.clone(), skewed: history == "skewed", n, threads });
    }
    println!("one suggestion, milliseconds (medians), and its CPU time as a multiple of the floor");
    println!(
        "{:<12} {:<9} {:>5} {:>3}  {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>8}  {:>6}",
        "kernel",
        "history",
        "n",
        "thr",
        "wall",
        "cpu",
        "cpu, ls",
        "fit",
        "search",
        "1000 pts",
        "peak MiB",
        "/floor"
    );
    let sizes = list(&arguments, "--sizes", "50,100,200,500,1000");
    let mut ours = Vec::new();
    for kernel in list(&arguments, "--kernels", "conditional,dense") {
        for history in list(&arguments, "--histories", "balanced,skewed") {
            for n in &sizes {
                for threads in list(&arguments, "--threads", "1,2") {
                    let cpu = row(&kernel, &history, n, &threads);
                    if let (Some(cpu), "conditional", "balanced", "1") = (cpu, &*kernel, &*history, &*threads)
                    {
                        ours.push((n.clone(), cpu));
                    }
                }
            }
        }
    }
    if arguments.iter().any(|a| a == "--peers") {
        peers(&sizes, &ours);
    }
}
