//! Where a trial stands in its store: the little that decides whether an event may follow.
use crate::event::Event;

/// Where a trial stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Waiting,
    Running,
    Ended,
}

impl Stage {
    /// Where a trial stands after an event about it; `None` if the event cannot follow. Before its birth a trial
    /// stands nowhere.
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
