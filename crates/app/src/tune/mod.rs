//! Tuning: a crew of workers asks for trials, runs a program for each, and tells what came out.
mod budget;
mod crew;
mod news;
mod others;
mod progress;
mod pulse;
mod signals;
mod summary;

pub(crate) use budget::Budget;
pub(crate) use crew::{Crew, worker_name};
pub(crate) use news::{Cause, Course};
pub(crate) use progress::Progress;
pub(crate) use signals::{be_patient, listen, words};
pub(crate) use summary::Summary;
