//! What a store takes can be read again: it is written and read back before anybody is told that it
//! is safe.
//!
//! JSON has limits that values in memory do not have: numbers that are not finite become `null`,
//! and readers give up where values are nested too deeply. What would not come back as it is, is
//! refused when it is given.
use crate::error::StoreError;
use crate::event::{Attributes, Event};
use arbora_search::StudyOptions;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

/// How deep values of attributes may be nested. Reading gives up at 128, and an event has levels of
/// its own.
pub(crate) const DEEPEST: usize = 100;
/// The longest event or space, in bytes; more would be a file, to be named in an attribute.
pub(crate) const LONGEST: usize = 1 << 28;

/// The text of an event, which reads back as that event.
pub(crate) fn verified(event: &Event) -> Result<String, StoreError> {
    for (name, value) in event.attributes().into_iter().flatten() {
        if is_deeper(value, DEEPEST) {
            let problem = format!("it is nested more than {DEEPEST} deep; keep it as text, or flatten it");
            return Err(StoreError::Unwritable { what: format!("attribute `{name}`"), problem });
        }
    }
    written_and_read(event, || format!("event `{}`", event.kind()))
}

/// The text of settings, which reads back as those settings.
pub(crate) fn verified_options(study: &str, options: &StudyOptions) -> Result<String, StoreError> {
    written_and_read(options, || format!("the settings of study `{study}`"))
}

fn written_and_read<T: Serialize + DeserializeOwned>(
    value: &T,
    what: impl Fn() -> String,
) -> Result<String, StoreError> {
    let refused = |problem: String| StoreError::Unwritable { what: what(), problem };
    let text = serde_json::to_string(value).map_err(|error| refused(error.to_string()))?;
    if text.len() > LONGEST {
        let problem =
            format!("it takes {} bytes, more than {LONGEST}; keep it in a file of its own", text.len());
        return Err(refused(problem));
    }
    let unread = |problem| refused(format!("it could be written but not be read again: {problem}"));
    let back: T = serde_json::from_str(&text).map_err(|error| unread(error.to_string()))?;
    // Compared as text: a value that is not a number is not equal to itself.
    match serde_json::to_string(&back) {
        Ok(again) if again == text => Ok(text),
        _ => Err(unread("it comes back as something else".to_owned())),
    }
}

/// Looks at most that deep, so that it needs no deep stack itself.
fn is_deeper(value: &Json, levels: usize) -> bool {
    match value {
        Json::Array(items) => levels == 0 || items.iter().any(|item| is_deeper(item, levels - 1)),
        Json::Object(items) => levels == 0 || items.values().any(|item| is_deeper(item, levels - 1)),
        _ => false,
    }
}

impl Event {
    /// What users keep by it, if anything.
    fn attributes(&self) -> Option<&Attributes> {
        match self {
            Event::Added { details, .. } | Event::Ended { details, .. } => Some(&details.attributes),
            Event::Noted { attributes, .. } => Some(attributes),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Details;
    use arbora_search::Outcome;

    fn nested(levels: usize) -> Json {
        (0..levels).fold(Json::from(1), |inner, i| {
            if i % 2 == 0 { Json::from(vec![inner]) } else { serde_json::json!({ "a": inner }) }
        })
    }

    fn noted(value: Json) -> Event {
        Event::Noted { trial: None, attributes: [("deep".to_owned(), value)].into_iter().collect() }
    }

    #[test]
    fn whatever_is_taken_reads_back_and_the_rest_is_named() {
        for levels in 0..140 {
            match verified(&noted(nested(levels))) {
                Ok(text) => assert!(levels <= DEEPEST && serde_json::from_str::<Event>(&text).is_ok()),
                Err(error) => assert!(levels > DEEPEST && error.to_string().contains("attribute `deep`")),
            }
        }
        let told = |loss| Event::Ended {
            trial: 0,
            outcome: Outcome::Complete { loss, cost: None },
            details: Details::default(),
        };
        assert!(verified(&told(0.5)).is_ok());
        assert!(matches!(verified(&told(f64::NAN)), Err(StoreError::Unwritable { .. })));
        let reported = Event::Reported { trial: 0, step: 1, value: f64::NAN };
        assert!(verified(&reported).is_ok(), "any double may be reported");
    }
}
