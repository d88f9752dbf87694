//! Changes to the space of a running study.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod brute_force;
mod examples;
mod growth;
mod random;
