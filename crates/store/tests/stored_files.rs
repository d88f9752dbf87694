//! Files of earlier versions open and mean what they meant. `every_event.db` holds events of every
//! kind that there was when a trial's end was still three kinds of events in the program;
//! `every_event.json` is what that version read from it, with the suggestion that it would have
//! made next.
#![cfg(feature = "sqlite")]
#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "files are copied")]
use arbora_search::Trial;
use arbora_store::{AskRequest, DurableStudy, Store, TrialRecord, check_file, open, recover_file};
use serde_json::{Map, Value as Json, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn stored(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn expected() -> Map<String, Json> {
    serde_json::from_str(&std::fs::read_to_string(stored("every_event.json")).unwrap()).unwrap()
}

/// A copy that may be written.
fn copy(folder: &tempfile::TempDir) -> PathBuf {
    let path = folder.path().join("s.db");
    std::fs::copy(stored("every_event.db"), &path).unwrap();
    path
}

fn studies(path: &Path) -> Map<String, Json> {
    let store = open(path.to_str().unwrap()).unwrap();
    let names = store.studies().unwrap().into_iter().map(|record| record.name);
    names.map(|name| (name.clone(), shown(&store, &name))).collect()
}

fn shown(store: &Arc<dyn Store>, name: &str) -> Json {
    let study = DurableStudy::load(store.clone(), name).unwrap();
    let memo = |trial: &Trial| json!(trial.memo);
    let next = study.study().suggest().unwrap().configuration;
    json!({
        "attributes": study.attributes(),
        "sequence": study.sequence(),
        "best": study.best().map(|best| best.number()),
        "space": study.space().spec(),
        "memos": study.study().history().trials().iter().map(memo).collect::<Vec<_>>(),
        "next": format!("{:?}", study.space().named(&next).0),
        "trials": study.trials().map(|trial| shown_trial(&study, &trial)).collect::<Vec<_>>(),
    })
}

fn shown_trial(study: &DurableStudy, trial: &TrialRecord<'_>) -> Json {
    let terms = trial.terms.as_ref();
    let reports = trial.intermediate.iter().map(|(step, value)| json!([step, value.to_string()]));
    json!({
        "number": trial.number(),
        "configuration": study.space().named(trial.configuration()),
        "effort": trial.effort(),
        "origin": trial.origin,
        "state": trial.state(),
        "loss": trial.loss(),
        "value": trial.value(),
        "cost": trial.cost(),
        "duration": trial.duration.map(|duration| duration.as_secs_f64()),
        "asked_at": trial.asked_at,
        "started_at": trial.started_at,
        "ended_at": trial.ended_at,
        "worker": trial.worker,
        "lease": trial.lease.as_ref().map(|lease| json!([lease.worker, lease.until])),
        "hold": terms.map(|terms| {
            json!({"lease": terms.lease.as_secs_f64(), "place": terms.place, "since": terms.since.as_secs_f64()})
        }),
        "former": trial.former.len(),
        "attempts": trial.attempts,
        "reason": trial.reason(),
        "trace": trial.trace,
        "attributes": trial.attributes,
        "intermediate": reports.collect::<Vec<_>>(),
    })
}

#[test]
fn a_file_with_every_kind_of_event_means_what_it_meant() {
    let folder = tempfile::tempdir().unwrap();
    let path = copy(&folder);
    assert_eq!(studies(&path), expected());
    let report = check_file(&path).unwrap();
    assert!(report.studies.iter().all(|study| study.problem.is_none()), "its checksums hold: {report:?}");
}

#[test]
fn it_goes_on_and_what_was_there_keeps_its_checksums() {
    let folder = tempfile::tempdir().unwrap();
    let path = copy(&folder);
    for name in expected().keys() {
        let mut study = DurableStudy::load(open(path.to_str().unwrap()).unwrap(), name).unwrap();
        for _ in 0..2 {
            let trial = study.ask(&AskRequest::by("w")).unwrap();
            study.tell(trial.number(), 0.5).unwrap();
        }
    }
    let report = check_file(&path).unwrap();
    assert!(report.studies.iter().all(|study| study.problem.is_none()), "{report:?}");
}

#[test]
fn what_is_saved_or_copied_of_it_is_the_same_study() {
    let folder = tempfile::tempdir().unwrap();
    let (path, saved, copied) =
        (copy(&folder), folder.path().join("saved.db"), folder.path().join("copied.db"));
    recover_file(&path, &saved).unwrap();
    arbora_store::copy(&path, &copied, None).unwrap();
    // Leases are as they were given, without the signs of life since.
    let without_leases = |mut studies: Map<String, Json>| {
        for trial in studies.values_mut().flat_map(|study| study["trials"].as_array_mut().unwrap()) {
            trial["lease"] = Json::Null;
        }
        studies
    };
    for file in [saved, copied] {
        assert_eq!(without_leases(studies(&file)), without_leases(expected()));
    }
}
