//! A study in memory as text: its space, its settings and its events, which is all there is to it.
use crate::exception::Failure;
use arbora_search::{SearchError, StudyOptions};
use arbora_store::{DurableStudy, Event, MemoryStore, NewStudy, Store, StoreError, Stored, Timestamp};
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// The text of a study.
pub(crate) fn dump(study: &mut DurableStudy) -> Result<String, Failure> {
    study.sync()?;
    let store = Arc::clone(study.store());
    let Some(record) = store.study(study.name())? else {
        return Err(StoreError::StudyGone { name: study.name().to_owned() }.into());
    };
    let events = store.events(record.id, 0)?;
    let events: Vec<Json> = events.iter().map(|stored| json!([stored.at.0, stored.event])).collect();
    let document = json!({
        "name": record.name, "space": record.space, "options": record.options?, "events": events
    });
    Ok(document.to_string())
}

/// The study of a text, in a memory of its own.
pub(crate) fn restore(text: &str) -> Result<DurableStudy, Failure> {
    let document: Json = serde_json::from_str(text).map_err(|error| unreadable(&error))?;
    let field = |name: &str| document.get(name).cloned().unwrap_or(Json::Null);
    let name: String = serde_json::from_value(field("name")).map_err(|error| unreadable(&error))?;
    let space: String = serde_json::from_value(field("space")).map_err(|error| unreadable(&error))?;
    let options: StudyOptions = serde_json::from_value(field("options"))
        .map_err(|error| StoreError::bad_settings(&name, &error.to_string()))?;
    let events: Vec<(i64, Event)> =
        serde_json::from_value(field("events")).map_err(|error| unreadable(&error))?;
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let events: Vec<Stored> = (1..)
        .zip(events)
        .map(|(sequence, (at, event))| Stored { sequence, at: Timestamp(at), event })
        .collect();
    store.restore(&NewStudy { name: &name, space: &space, options: &options, at: Timestamp(0) }, &events)?;
    Ok(DurableStudy::load(store, &name)?)
}

fn unreadable(error: &serde_json::Error) -> Failure {
    SearchError::BadSpec { what: "study", problem: error.to_string() }.into()
}
