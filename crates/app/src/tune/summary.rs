//! What came out, and what to do next.
use super::worker_event::{RunState, StopReason};
use crate::duration;
use crate::show::{self, Table, count, short};
use arbora_search::Missing;
use arbora_space::words::visible;
use arbora_store::{DurableStudy, TrialState};
use serde_json::{Value as Json, json};
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

/// The end of a run.
pub(crate) struct Summary<'a> {
    pub(crate) study: &'a DurableStudy,
    pub(crate) storage: &'a str,
    pub(crate) logs: &'a Path,
    pub(crate) state: &'a RunState,
    pub(crate) reason: StopReason,
    pub(crate) took: Duration,
}

impl Summary<'_> {
    /// For machines.
    pub(crate) fn json(&self) -> Json {
        let counts: serde_json::Map<String, Json> =
            self.counts().into_iter().map(|(state, count)| (state.name().to_owned(), count.into())).collect();
        json!({
            "study": self.study.name(),
            "storage": self.storage,
            "ended_by": self.reason.name(),
            "trials": counts,
            "evaluated": self.state.ended,
            "seconds": self.took.as_secs_f64(),
            "best": self.study.best().map(|best| show::record(self.study.space(), &best)),
        })
    }

    /// For people.
    pub(crate) fn text(&self) -> String {
        let states: Vec<String> =
            self.counts().iter().map(|(state, count)| format!("{count} {state}")).collect();
        let mut text = format!(
            "study `{}` in {}: {} ({})\n{} in this run, {}\n",
            self.study.name(),
            self.storage,
            count(self.study.trials().len(), "trial", "trials"),
            if states.is_empty() { "none yet".to_owned() } else { states.join(", ") },
            count(self.state.ended, "trial", "trials"),
            duration::show(self.took),
        );
        self.write_cause(&mut text);
        self.write_best(&mut text);
        self.write_failure(&mut text);
        text
    }

    fn write_cause(&self, text: &mut String) {
        let line = match (self.reason, &self.state.exhausted) {
            (StopReason::Interrupted, _) => {
                let waiting = count(self.state.released, "unfinished trial", "unfinished trials");
                format!("interrupted: {waiting} put back; --resume goes on with them")
            }
            (StopReason::Exhausted, Some(nothing)) => nothing.to_string(),
            (StopReason::GaveUp, _) => {
                "gave up: every trial failed; mend the command, then go on with --resume (--give-up 0 never stops)".to_owned()
            }
            _ => return,
        };
        writeln!(text, "{line}").expect("a string can be written");
    }

    fn write_best(&self, text: &mut String) {
        let Some(best) = self.study.best() else { return self.write_missing(text) };
        let value = best.value().map(short).unwrap_or_default();
        writeln!(text, "\nbest {value} (trial {})", best.number()).expect("a string can be written");
        let mut table = Table::new(["  parameter", "value"]);
        for (name, value) in self.study.space().named(best.configuration()) {
            table.row([format!("  {name}"), show::value(&value)]);
        }
        text.push_str(&table.show(None));
    }

    /// Losses are there, but none of a full evaluation: say so, since `best` would find nothing.
    fn write_missing(&self, text: &mut String) {
        if let Some(missing @ Missing::FullEvaluation { .. }) = self.study.study().history().missing() {
            writeln!(text, "\nno best yet: {missing}").expect("a string can be written");
        }
    }

    /// The last failure, if it is all there is to look at.
    fn write_failure(&self, text: &mut String) {
        let Some(failure) = self.state.last_failure.as_ref().filter(|_| self.study.best().is_none()) else {
            return;
        };
        let reason = failure.reason().unwrap_or("no reason given");
        writeln!(text, "\nlast failure, trial {}: {}", failure.number(), visible(reason))
            .expect("a string can be written");
        for line in failure.trace.iter().flat_map(|trace| trace.lines()) {
            writeln!(text, "  | {line}").expect("a string can be written");
        }
        writeln!(text, "outputs are in {}", self.logs.display()).expect("a string can be written");
    }

    fn counts(&self) -> Vec<(TrialState, usize)> {
        use TrialState::{Abandoned, Complete, Failed, Pruned, Running, Stale, Waiting};
        let of = |state| self.study.trials().filter(|trial| trial.state() == state).count();
        let states = [Complete, Failed, Pruned, Running, Waiting, Stale, Abandoned];
        let counts = states.map(|state| (state, of(state)));
        counts.into_iter().filter(|(_, count)| *count > 0).collect()
    }
}
