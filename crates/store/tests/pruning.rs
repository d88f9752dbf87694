//! Intermediate values and pruned trials, shared by workers and kept. Over every store.
#![allow(clippy::unwrap_used)]
mod stores;

use arbora_search::{Direction, Report, SearchError, StudyOptions};
use arbora_space::{Param, Space};
use arbora_store::{AskRequest, DurableStudy, StoreError, TrialState};
use stores::over_every_store;

fn space() -> Space {
    Space::new([Param::real("x", 0.0, 1.0)]).unwrap()
}

fn random() -> StudyOptions {
    StudyOptions { strategy: "random".parse().unwrap(), seed: 1, ..StudyOptions::default() }
}

/// Two workers report; each sees what the other reported, and what was pruned comes back with its curve.
#[test]
fn trials_are_pruned_by_what_all_workers_report() {
    over_every_store(|store| {
        let pruner = serde_json::from_str(r#"{"kind":"median","startup_trials":3}"#).unwrap();
        let options = StudyOptions { pruner, direction: Direction::Maximize, ..random() };
        let open = || DurableStudy::load_or_create(store(), "p", space(), options.clone()).unwrap();
        let (mut one, mut two) = (open(), open());
        for level in [0.7, 0.8, 0.9] {
            let trial = one.ask(&AskRequest::by("one")).unwrap().number();
            one.report(trial, 1, level).unwrap();
            assert_eq!(one.should_prune(trial).unwrap(), None);
            one.tell(trial, level).unwrap();
        }
        let trial = two.ask(&AskRequest::by("two")).unwrap().number();
        two.report(trial, 1, 0.1).unwrap();
        let reason = two.should_prune(trial).unwrap().expect("worse than the median of the other worker's");
        assert_eq!(one.should_prune(trial).unwrap().as_ref(), Some(&reason));
        let back = two.report(trial, 1, 0.1).unwrap_err();
        assert!(matches!(back, StoreError::Search(SearchError::StepBack { step: 1, last: 1, .. })), "{back}");
        two.tell(trial, Report::Pruned(reason.clone())).unwrap();
        assert!(two.should_prune(trial).is_err() && two.report(trial, 2, 0.1).is_err(), "it has ended");

        let again = DurableStudy::load(store(), "p").unwrap();
        let record = again.trial(trial).unwrap();
        assert_eq!((record.state(), record.reason()), (TrialState::Pruned, Some(reason.as_str())));
        assert!(record.loss().is_none() && record.duration.is_some());
        assert_eq!(record.intermediate, [(1, 0.1)]);
        assert_eq!(again.study().history(), two.study().history());
        assert_eq!(again.options(), &options);
        assert_eq!(again.best().unwrap().value(), Some(0.9));
        let other = StudyOptions { pruner: serde_json::from_str("\"asha\"").unwrap(), ..options.clone() };
        let refused = DurableStudy::load_or_create(store(), "p", space(), other);
        let problem = refused.err().expect("another pruner").to_string();
        assert!(problem.contains("pruner") && problem.contains("median"), "{problem}");
    });
}

/// A trial whose worker died begins again, or goes on from a checkpoint: both may report.
#[test]
fn a_trial_that_is_handed_out_again_may_report_again() {
    over_every_store(|store| {
        let mut study = DurableStudy::create(store(), "s", space(), random()).unwrap();
        let trial = study.ask(&AskRequest::by("w")).unwrap().number();
        for step in 1..4 {
            study.report(trial, step, 0.5).unwrap();
        }
        study.release(trial).unwrap();
        assert_eq!(study.ask(&AskRequest::by("w")).unwrap().number(), trial);
        study.report(trial, 2, 0.4).unwrap();
        assert!(study.report(trial, 2, 0.4).is_err());
        let back = DurableStudy::load(store(), "s").unwrap();
        for known in [&study, &back] {
            assert_eq!(known.study().history().trials()[0].curve.points(), [(1, 0.5), (2, 0.4)]);
            // All that was ever reported is kept beside.
            assert_eq!(known.trial(trial).unwrap().intermediate.len(), 4);
        }
    });
}
