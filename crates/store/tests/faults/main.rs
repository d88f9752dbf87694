//! Real faults: processes killed by signal, many processes at once, a file system without room,
//! files cut short. Every test prints what it counted.
//!
//! `ARBORA_FAULT_ROUNDS=200 cargo test -p arbora-store --test faults -- --ignored --nocapture` runs
//! the long loops.
#![cfg(all(feature = "sqlite", unix))]
#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::print_stdout)]
mod beside;
mod cut;
mod full;
mod kill;
mod log;
mod many;
mod worker;

use arbora_search::StudyOptions;
use arbora_space::{Param, Space};
use arbora_store::{DurableStudy, SqliteStore};
use std::path::Path;
use std::sync::Arc;

fn space() -> Space {
    Space::new([
        Param::choice("model", ["svm", "forest"]),
        Param::real("C", 1e-3, 1e3).log().when("model == 'svm'"),
        Param::real("share", 0.0, 1.0),
    ])
    .unwrap()
}

fn study(path: &Path) -> DurableStudy {
    let store = Arc::new(SqliteStore::open(path).unwrap());
    let options = StudyOptions { strategy: "random".parse().unwrap(), seed: 11, ..StudyOptions::default() };
    DurableStudy::load_or_create(store, "s", space(), options).unwrap()
}

/// Rounds of the long loops.
fn rounds() -> usize {
    std::env::var("ARBORA_FAULT_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(100)
}
