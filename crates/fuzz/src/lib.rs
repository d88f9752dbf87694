//! Does every reader survive broken input? A fuzzer that runs on stable Rust.
//!
//! ```
//! use arbora_fuzz::{Campaign, target};
//! let campaign = Campaign { seed: 1, inputs: 50 };
//! let report = campaign.run(target("expression").unwrap(), &mut |_| {});
//! assert_eq!(report.findings, []);
//! assert!(report.accepted > 0, "some inputs are still valid");
//! ```
//!
//! A *target* is a reader and the laws it must keep: no panic, and what it accepts it can write and read again. Its
//! *corpus* is a folder of inputs, one file each. A *campaign* changes inputs of the corpus at random and collects
//! what broke. The smoke test (`tests/smoke.rs`) runs a short campaign on every target; `cargo run --release -p
//! arbora-fuzz -- --minutes 10` runs long ones and keeps each input on disk while it runs, so that even an abort or an
//! endless loop leaves its input behind.
#![allow(clippy::disallowed_methods, reason = "it reads its corpus and writes files for readers of files")]
mod campaign;
mod corpus;
mod mutate;
mod target;

pub use campaign::{Campaign, Finding, Report};
pub use corpus::corpus;
pub use mutate::Mutator;
pub use target::{TARGETS, Target, Verdict, target};
