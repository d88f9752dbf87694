//! How far it has come: a bar on a terminal, a line per trial elsewhere.
use super::budget::Budget;
use super::worker_event::{RunState, WorkerEvent};
use crate::duration;
use crate::output::Output;
use crate::show::{self, short};
use arbora_search::Effort;
use arbora_space::Space;
use arbora_space::words::visible;
use arbora_store::{TrialRecord, TrialState};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::{Duration, Instant};

/// Failures told one by one above the bar; the rest are counted.
const FAILURES_SHOWN: usize = 3;

/// Watches a run.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    quiet: bool,
    budget: Budget,
    space: Space,
    /// Trials of the study that had ended before.
    before: usize,
    maximize: bool,
    begun: Instant,
    pub(crate) state: RunState,
}

impl Progress {
    /// Begins to watch a study.
    pub(crate) fn new(
        study: &arbora_store::DurableStudy,
        budget: Budget,
        output: &Output<'_>,
        quiet: bool,
    ) -> Self {
        let before = study.trials().filter(|trial| trial.state().is_ended() && !is_abandoned(trial)).count();
        let bar = (output.err_is_terminal && !quiet).then(|| bar(budget.trials));
        let best = study.best().and_then(|best| Some((best.value()?, best.number())));
        let progress = Self {
            bar,
            quiet,
            budget,
            space: study.space().clone(),
            before,
            maximize: study.options().direction == arbora_search::Direction::Maximize,
            begun: Instant::now(),
            state: RunState { best, ..RunState::default() },
        };
        progress.tick();
        progress
    }

    /// Takes in events from a worker and shows them.
    pub(crate) fn take(&mut self, events: WorkerEvent, output: &mut Output<'_>) {
        match events {
            WorkerEvent::Started => self.state.running += 1,
            WorkerEvent::Released => {
                self.state.running = self.state.running.saturating_sub(1);
                self.state.released += 1;
            }
            WorkerEvent::Ended(trial) => self.ended(trial, output),
            WorkerEvent::Said(line) => self.say(&line, output),
            WorkerEvent::Exhausted(nothing) => self.state.exhausted = Some(nothing),
            WorkerEvent::GaveUp => self.state.gave_up = true,
            // The first says why; the others followed from it.
            WorkerEvent::Trouble(trouble) => self.state.trouble = self.state.trouble.take().or(Some(trouble)),
        }
        self.tick();
    }

    fn ended(&mut self, trial: Box<TrialRecord<'static>>, output: &mut Output<'_>) {
        self.state.running = self.state.running.saturating_sub(1);
        self.state.ended += 1;
        // A share of an evaluation is never the best.
        let competes = !matches!(trial.effort(), Effort::Share(_));
        let is_best = competes && trial.value().is_some_and(|value| self.is_better(value));
        if let (Some(value), true) = (trial.value(), is_best) {
            self.state.best = Some((value, trial.number()));
        }
        let has_failed = trial.state() == TrialState::Failed;
        if has_failed {
            self.state.failed += 1;
        }
        if let Some(line) = self.line(&trial, is_best) {
            self.say(&line, output);
        }
        if has_failed {
            self.state.last_failure = Some(trial);
        }
    }

    fn is_better(&self, value: f64) -> bool {
        match self.state.best {
            None => true,
            Some((best, _)) if self.maximize => value > best,
            Some((best, _)) => value < best,
        }
    }

    /// Above a bar only what is worth a line: a new incumbent, the first failures.
    fn line(&self, trial: &TrialRecord<'_>, is_best: bool) -> Option<String> {
        let took = trial.duration.map(|took| format!(" in {}", duration::show(took))).unwrap_or_default();
        let what = match (trial.value(), trial.reason()) {
            (Some(value), _) => format!("{}{took}", short(value)),
            (None, reason) => format!("{}{took}: {}", trial.state(), reason.unwrap_or("no reason given")),
        };
        let number = trial.number();
        if self.bar.is_none() {
            let best = self
                .state
                .best
                .map_or(String::new(), |(best, by)| format!(", best {} (trial {by})", short(best)));
            return Some(format!("[{}] trial {number}: {what}{best}", self.done()));
        }
        if is_best {
            let configuration = show::assignment(&self.space, trial.configuration());
            return Some(format!("trial {number}: new best {what}  {configuration}"));
        }
        let is_shown = trial.state() == TrialState::Failed && self.state.failed <= FAILURES_SHOWN;
        let more =
            if self.state.failed == FAILURES_SHOWN { "; further failures are only counted" } else { "" };
        is_shown.then(|| format!("trial {number}: {what}{more}"))
    }

    fn done(&self) -> String {
        let done = self.before + self.state.ended;
        self.budget.trials.map_or_else(|| done.to_string(), |most| format!("{done}/{most}"))
    }

    /// A line of its own, above the bar where there is one; not for those who want none.
    pub(crate) fn say(&self, line: &str, output: &mut Output<'_>) {
        if !self.quiet {
            self.warn(line, output);
        }
    }

    /// A line that everybody must see.
    pub(crate) fn warn(&self, line: &str, output: &mut Output<'_>) {
        match &self.bar {
            Some(bar) => {
                let width = show::width(true).unwrap_or(80);
                bar.println(show::cut(&visible(line), Some(width)));
            }
            None => output.message(&format!("{}\n", visible(line))),
        }
    }

    /// Draws the bar as of now.
    pub(crate) fn tick(&self) {
        if let Some(bar) = &self.bar {
            bar.set_position((self.before + self.state.ended) as u64);
            bar.set_message(self.message());
            bar.tick();
        }
    }

    fn message(&self) -> String {
        let mut parts = Vec::new();
        if let Some((best, trial)) = self.state.best {
            parts.push(format!("best {} (trial {trial})", short(best)));
        }
        match self.left().map(|left| left.as_secs()) {
            Some(0) => {}
            Some(left) => parts.push(format!("{} left", duration::show_seconds(left))),
            None => parts.push(duration::show_seconds(self.begun.elapsed().as_secs())),
        }
        parts.push(format!("{} running", self.state.running));
        if self.state.failed > 0 {
            parts.push(format!("{} failed", self.state.failed));
        }
        parts.join(", ")
    }

    /// At the pace so far, and not beyond the time given.
    fn left(&self) -> Option<Duration> {
        let missing = self.budget.trials.map(|most| most.saturating_sub(self.before + self.state.ended));
        let by_pace = match (missing, self.state.ended) {
            (Some(missing), 1..) => {
                let each = self.begun.elapsed().as_secs_f64() / self.state.ended as f64;
                Some(Duration::from_secs((each * missing as f64).round() as u64))
            }
            _ => None,
        };
        by_pace.into_iter().chain(self.budget.left()).min()
    }

    /// Takes the bar away; what was said above it stays.
    pub(crate) fn finish(self) -> (RunState, Duration) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        (self.state, self.begun.elapsed())
    }
}

fn is_abandoned(trial: &TrialRecord<'_>) -> bool {
    trial.state() == TrialState::Abandoned
}

fn bar(trials: Option<usize>) -> ProgressBar {
    let (bar, template) = match trials {
        Some(most) => (ProgressBar::new(most as u64), "{bar:10} {pos}/{len}  {wide_msg}"),
        None => (ProgressBar::new_spinner(), "{spinner} {pos} trials  {wide_msg}"),
    };
    bar.set_draw_target(ProgressDrawTarget::stderr());
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style.progress_chars("━╸ ")),
        Err(_) => bar,
    }
}
