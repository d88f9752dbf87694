//! Are large spaces fast? Uses one of Auto-WEKA's size: 786 parameters, 784 of them conditional,
//! three decisions deep, 296 continuous and 490 discrete  [Eggensperger et al. 2013, table 1]. The
//! sizes are those of the paper; the tree is made up: 51 methods with 15 or 16 settings each.
//!
//! Prints microseconds per operation, medians over batches, and how far they are below the bound of
//! tens of microseconds. Run with `cargo bench -p arbora-space --bench scale`.
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a benchmark reads the clock and prints")]

use arbora_space::{Branching, Configuration, Imputation, Param, Points, Reach, Rng, Space, SpaceError};
use std::hint::black_box;
use std::time::Instant;

const LEARNERS: usize = 39;
const SELECTORS: usize = 12;
const METHODS: usize = LEARNERS + SELECTORS;
const CONDITIONAL: usize = 784;
const CONTINUOUS: usize = 296;
/// The bound for "tens of microseconds".
const BOUND: f64 = 50.0;

/// One setting of one method. Slot 0 decides about some of the others, and slot 2 about the deepest
/// ones.
fn setting(method: usize, slot: usize) -> Param {
    let (root, owner) = if method < LEARNERS {
        ("learner", format!("l{method}"))
    } else {
        ("selector", format!("s{}", method - LEARNERS))
    };
    let name = format!("{owner}.{slot}");
    // The last slots are continuous in as many methods as needed to match the paper's count.
    let is_continuous = slot % 3 == 1 && slot < 15 || slot == 14 && method < CONTINUOUS - 5 * METHODS;
    let param = if is_continuous {
        Param::real(name, 1e-4, 10.0).log()
    } else {
        match slot % 4 {
            0 => Param::choice(name, ["a", "b", "c"]),
            1 => Param::boolean(name),
            2 => Param::choice(name, ["x", "y"]),
            _ => Param::integer(name, 1, 100),
        }
    };
    match slot {
        0 | 1 | 5 | 9 | 12 => param.when(format!("{root} == '{owner}'")),
        2 | 3 | 6 | 10 | 13 => param.when(format!("{owner}.0 in ['a', 'b']")),
        _ => param.when(format!("{owner}.2 == 'x'")),
    }
}

fn auto_weka() -> Result<Space, SpaceError> {
    let learner = Param::choice("learner", (0..LEARNERS).map(|i| format!("l{i}")));
    let selector = Param::choice("selector", (0..SELECTORS).map(|i| format!("s{i}")));
    let settings = (0..CONDITIONAL).map(|i| setting(i % METHODS, i / METHODS));
    Space::new([learner, selector].into_iter().chain(settings))
}

/// Checks that the space has the size of the paper's.
fn assert_size(space: &Space) {
    let columns = &space.layout().columns;
    let count = |is: fn(&arbora_space::Column) -> bool| columns.iter().filter(|c| is(c)).count();
    assert_eq!(columns.len(), CONDITIONAL + 2);
    assert_eq!(count(|c| c.is_conditional), CONDITIONAL);
    assert_eq!(count(|c| c.levels.is_none()), CONTINUOUS);
}

/// Median microseconds per item of a batch operation, over 31 batches.
fn microseconds(items: usize, mut batch: impl FnMut()) -> f64 {
    batch();
    let mut times: Vec<f64> = (0..31)
        .map(|_| {
            let start = Instant::now();
            batch();
            start.elapsed().as_secs_f64() * 1e6 / items as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn print_row(what: &str, each: f64) {
    println!("{what:<12} {each:>9.3} µs   {:>7.1} × below {BOUND} µs", BOUND / each);
}

fn main() -> Result<(), SpaceError> {
    let start = Instant::now();
    let space = auto_weka()?;
    let built = start.elapsed().as_secs_f64() * 1e3;
    assert_size(&space);
    let drawn: Vec<Configuration> =
        (0..500).map(|i| space.sample(&mut Rng::new(i))).collect::<Result<_, _>>()?;
    let active = drawn.iter().map(Configuration::len).sum::<usize>() as f64 / drawn.len() as f64;
    println!("{} parameters, built in {built:.1} ms, {active:.1} active on average\n", CONDITIONAL + 2);

    print_row("sample", sampling(&space));
    print_row("encode", encoding(&space, &drawn));
    print_row("check", checking(&space, &drawn));
    let (list, count) = listing_neighbours(&space, &drawn);
    print_row("neighbour", list / count);
    println!("{:<12} {list:>9.3} µs   ({count:.1} neighbours)", "their list");
    Ok(())
}

fn sampling(space: &Space) -> f64 {
    let (mut rng, count) = (Rng::new(7), 500);
    microseconds(count, || {
        for _ in 0..count {
            black_box(space.sample(&mut rng)).expect("a space without constraints can always be sampled");
        }
    })
}

fn encoding(space: &Space, drawn: &[Configuration]) -> f64 {
    let imputed = space.imputed_values(&Imputation::Midpoint);
    let mut rows = Points::new(space.parameters().len());
    microseconds(drawn.len(), || {
        rows.clear();
        for configuration in drawn {
            space.encode_row(configuration, &imputed, Branching::Literal, &mut rows);
        }
        black_box(&rows);
    })
}

fn checking(space: &Space, drawn: &[Configuration]) -> f64 {
    microseconds(drawn.len(), || {
        for configuration in drawn {
            black_box(space.check(configuration)).expect("a sampled configuration is valid");
        }
    })
}

/// Microseconds per list of neighbours, and the number of neighbours in it.
fn listing_neighbours(space: &Space, drawn: &[Configuration]) -> (f64, f64) {
    let (mut rng, mut found) = (Rng::new(7), 0);
    let list = microseconds(drawn.len(), || {
        let lists = drawn.iter().map(|c| black_box(space.neighbours(c, Reach::default(), &mut rng)));
        found = lists.map(|list| list.len()).sum();
    });
    (list, found as f64 / drawn.len() as f64)
}
