//! The stage of a trial: all that decides which events may follow.
use crate::event::Event;

/// The stage of a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Waiting,
    Running,
    Ended,
}

impl Stage {
    /// The stage of a trial after an event about it; `None` if the event cannot follow. Before the
    /// event that adds it, a trial has no stage.
    pub(crate) fn after(before: Option<Stage>, event: &Event) -> Option<Stage> {
        let Some(stage) = before else {
            return match event {
                Event::Asked { .. } => Some(Stage::Running),
                Event::Queued { .. } => Some(Stage::Waiting),
                Event::Added { .. } => Some(Stage::Ended),
                _ => None,
            };
        };
        match event {
            Event::Noted { .. } => Some(stage),
            _ if stage == Stage::Ended => None,
            Event::Reported { .. } | Event::Amended { .. } => Some(stage),
            Event::Claimed { .. } => Some(Stage::Running),
            Event::Released { .. } => Some(Stage::Waiting),
            Event::Ended { .. } => Some(Stage::Ended),
            Event::Asked { .. } | Event::Queued { .. } | Event::Added { .. } | Event::SpaceChanged { .. } => {
                None
            }
        }
    }
}
