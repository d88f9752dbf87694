//! Tuning: a pool of workers asks for trials, runs a program for each, and tells what came out.
mod budget;
mod others;
mod progress;
mod pulse;
mod reporter;
mod signals;
mod summary;
mod worker_event;
mod worker_pool;

pub(crate) use budget::Budget;
pub(crate) use progress::Progress;
pub(crate) use signals::{install_wait_hooks, listen, words};
pub(crate) use summary::Summary;
pub(crate) use worker_event::{RunState, StopReason};
pub(crate) use worker_pool::{WorkerPool, worker_name};
