//! Where a trial stands in its store: the little that decides whether an event may follow.
use crate::clock::Timestamp;
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
        match (before, event) {
            (None, Event::Asked { .. }) => Some(Stage::Running),
            (None, Event::Queued { .. }) => Some(Stage::Waiting),
            (None, Event::Added { .. }) => Some(Stage::Ended),
            (None, _) => None,
            (Some(stage), Event::Noted { .. }) => Some(stage),
            (Some(Stage::Ended), _) => None,
            (Some(_), Event::Claimed { .. }) => Some(Stage::Running),
            (Some(_), Event::Released { .. }) => Some(Stage::Waiting),
            (Some(stage), Event::Reported { .. } | Event::Amended { .. }) => Some(stage),
            (Some(_), Event::Told { .. } | Event::Failed { .. } | Event::Abandoned { .. }) => {
                Some(Stage::Ended)
            }
            (Some(_), _) => None,
        }
    }

    /// May it be handed out: does it wait, or has its lease lapsed?
    pub(crate) fn is_claimable(self, lease: Option<Timestamp>, at: Timestamp) -> bool {
        match self {
            Stage::Waiting => true,
            Stage::Running => lease.is_some_and(|until| until < at),
            Stage::Ended => false,
        }
    }
}
