//! Time of one suggestion, for every strategy.
//!
//! `cargo bench -p arbora-papers --bench strategies [-- --names auto,tpe --sizes 200,500]`
//!
//! The space of combined algorithm selection, with n random trials of a smooth loss added
//! beforehand, one thread. Reports CPU time: the median over five suggestions, each followed by a
//! tell, after a first one that fills what is stored between trials; and that first one, which a
//! study pays if it is given its history at once.
#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::unwrap_used)]
use arbora_search::{Study, StudyOptions, Trial, presets};
use arbora_space::Rng;
use cash::{cash, draw, loss, median, peak_mib, timed};

#[path = "../../search/benches/cash/mod.rs"]
mod cash;

const SUGGESTIONS: usize = 5;

fn study(name: &str, n: usize) -> Study {
    let space = cash();
    let options = StudyOptions { strategy: name.parse().unwrap(), seed: 1, ..StudyOptions::default() };
    let mut study = Study::new(space.clone(), options).unwrap();
    let mut rng = Rng::new(11);
    for _ in 0..n {
        let drawn = draw(&space, false, &mut rng);
        study.add(drawn.clone(), loss(&space, &drawn)).unwrap();
    }
    study
}

fn ask(study: &mut Study) -> f64 {
    let (_, cpu, trial): (f64, f64, Trial) = timed(|| study.ask().unwrap());
    study.tell(trial.number, loss(study.space(), &trial.configuration)).unwrap();
    cpu
}

fn listed(arguments: &[String], flag: &str) -> Option<Vec<String>> {
    let at = arguments.iter().position(|argument| argument == flag)?;
    Some(arguments.get(at + 1)?.split(',').map(str::to_owned).collect())
}

fn main() {
    arbora_papers::register().unwrap();
    let arguments: Vec<String> = std::env::args().collect();
    let names = listed(&arguments, "--names")
        .unwrap_or_else(|| presets().map(|preset| preset.name.to_owned()).collect());
    let sizes = listed(&arguments, "--sizes").unwrap_or_else(|| vec!["200".to_owned()]);
    println!("{:<20} {:>6} {:>12} {:>12} {:>10}", "strategy", "n", "CPU ms", "first, ms", "peak MiB");
    for size in &sizes {
        for name in &names {
            let mut study = study(name, size.parse().unwrap());
            let first = ask(&mut study);
            let later = median((0..SUGGESTIONS).map(|_| ask(&mut study)).collect());
            println!("{name:<20} {size:>6} {later:>12.2} {first:>12.2} {:>10.1}", peak_mib());
        }
    }
}
