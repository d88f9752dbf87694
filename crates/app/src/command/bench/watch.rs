//! How far an experiment has come, and how long it will take.
use crate::duration;
use crate::error::AppError;
use crate::output::Output;
use arbora_bench::worker_pool::Progress;
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Lines of progress are this far apart where nobody watches.
const APART: Duration = Duration::from_secs(30);
/// And so on a terminal.
const NEAR: Duration = Duration::from_millis(200);

/// Shows progress now and then.
pub(super) struct Watch {
    name: &'static str,
    is_terminal: bool,
    begun: Instant,
    shown: Option<Instant>,
}

impl Watch {
    pub(super) fn new(name: &'static str, is_terminal: bool) -> Self {
        Self { name, is_terminal, begun: Instant::now(), shown: None }
    }

    fn take(&mut self, progress: &Progress, output: &mut Output<'_>) {
        let apart = if self.is_terminal { NEAR } else { APART };
        let is_due = self.shown.is_none_or(|shown| shown.elapsed() > apart);
        if progress.wanted == 0 || progress.done > 0 && !is_due && progress.done < progress.wanted {
            return;
        }
        self.shown = Some(Instant::now());
        let line = self.line(progress);
        if self.is_terminal {
            output.redraw(&line);
        } else {
            output.message(&format!("{line}\n"));
        }
    }

    fn line(&self, progress: &Progress) -> String {
        let Progress { done, wanted, before, .. } = *progress;
        let mut line = format!("{}: {done}/{wanted} runs", self.name);
        if before > 0 {
            line += &format!(", {before} cached");
        }
        if done > 0 && done < wanted {
            let each = self.begun.elapsed().as_secs_f64() / done as f64;
            let left = (each * (wanted - done) as f64).round() as u64;
            line += &format!(", {} left", duration::show_seconds(left));
        }
        if let Some(key) = &progress.ended {
            line += &format!(" ({} by {}, seed {})", key.problem, key.method, key.seed);
        }
        line
    }
}

/// Does the work in another thread and shows how far it has come.
pub(super) fn follow<T: Send>(
    watch: &mut Watch,
    output: &mut Output<'_>,
    work: impl FnOnce(&(dyn Fn(&Progress) + Sync)) -> Result<T, AppError> + Send,
) -> Result<T, AppError> {
    let (tell, told) = mpsc::channel();
    let done = std::thread::scope(|scope| {
        let worker = scope.spawn(move || {
            // Nobody listening is no reason to stop working.
            work(&|progress: &Progress| drop(tell.send(progress.clone())))
        });
        for progress in told {
            watch.take(&progress, output);
        }
        worker.join().expect("the crew hands its errors back")
    });
    if watch.is_terminal && watch.shown.is_some() {
        output.message("\n");
    }
    done
}
