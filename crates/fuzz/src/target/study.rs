//! Readers of what a store holds. A study that loads can be asked, and settings survive writing and reading.
use super::Verdict;
use arbora_search::StudyOptions;
use arbora_store::{
    AskRequest, Batch, DurableStudy, Event, MemoryStore, NewStudy, Precondition, Store, Timestamp,
};
use serde_json::Value;
use std::sync::Arc;

pub(super) fn options(input: &[u8]) -> Result<Verdict, String> {
    name_everything()?;
    let Ok(options) = serde_json::from_slice::<StudyOptions>(input) else { return Ok(Verdict::Refused) };
    let text = serde_json::to_string(&options).map_err(|trouble| format!("cannot be written: {trouble}"))?;
    match serde_json::from_str::<StudyOptions>(&text) {
        Ok(again) if again == options => Ok(Verdict::Accepted),
        Ok(_) => Err(format!("read as other settings: {text}")),
        Err(trouble) => Err(format!("what was written cannot be read: {trouble}")),
    }
}

/// Settings may name the methods of the papers too, as in the binary.
fn name_everything() -> Result<(), String> {
    arbora_papers::register().map_err(|taken| taken.to_string())
}

/// `{"space": …, "options": …, "events": […]}`.
pub(super) fn study(input: &[u8]) -> Result<Verdict, String> {
    name_everything()?;
    let Ok(document) = serde_json::from_slice::<Value>(input) else { return Ok(Verdict::Refused) };
    let Ok(options) = serde_json::from_value::<StudyOptions>(document["options"].clone()) else {
        return Ok(Verdict::Refused);
    };
    let Ok(events) = serde_json::from_value::<Vec<Event>>(document["events"].clone()) else {
        return Ok(Verdict::Refused);
    };
    let store = Arc::new(MemoryStore::new());
    let space = document["space"].to_string();
    let new = NewStudy { name: "s", space: &space, options: &options, at: Timestamp(0) };
    let Ok(id) = store.create(&new) else { return Ok(Verdict::Refused) };
    for event in &events {
        let events = std::slice::from_ref(event);
        let batch = Batch { at: Timestamp(0), events, precondition: Precondition::Always };
        if store.append(id, batch).is_err() {
            return Ok(Verdict::Refused);
        }
    }
    go_on(store)
}

/// Loads the study and takes one more trial.
fn go_on(store: Arc<dyn Store>) -> Result<Verdict, String> {
    let Ok(mut study) = DurableStudy::load(store, "s") else { return Ok(Verdict::Refused) };
    let Ok(trial) = study.ask(&AskRequest::by("w")) else { return Ok(Verdict::Refused) };
    study
        .tell(trial.number(), 0.5)
        .map_err(|trouble| format!("a trial just asked cannot be told: {trouble}"))?;
    Ok(Verdict::Accepted)
}
