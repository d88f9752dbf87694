//! Events as JSON.
//!
//! Every kind of event is stored under its own name but one: a trial that ended is stored as
//! `told`, `failed`, `pruned` or `abandoned`. Files have had all but `pruned` from the first version
//! on, and each event's checksum covers its text, so old events are never rewritten. One shape on
//! disk is enough: the program joins them here.
use super::{Details, Event};
use arbora_search::Outcome;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Error, IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value as Json};
use std::fmt;

const KIND: &str = "kind";

impl Serialize for Event {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Event::Ended { trial, outcome, details } => {
                End::new(self.kind(), *trial, outcome, details).serialize(to)
            }
            // The derived one, for all other kinds.
            other => Event::serialize(other, to),
        }
    }
}

impl<'de> Deserialize<'de> for Event {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(ByKind)
    }
}

/// The end of a trial, to be written.
#[derive(Serialize)]
struct End<'a> {
    kind: &'static str,
    trial: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    loss: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<f64>,
    #[serde(flatten)]
    details: &'a Details,
}

impl<'a> End<'a> {
    fn new(kind: &'static str, trial: u64, outcome: &'a Outcome, details: &'a Details) -> Self {
        Self { kind, trial, loss: outcome.loss(), reason: outcome.reason(), cost: outcome.cost(), details }
    }
}

/// The same, as it is read.
#[derive(Deserialize)]
struct ReadEnd {
    trial: u64,
    loss: Option<f64>,
    reason: Option<String>,
    cost: Option<f64>,
    #[serde(flatten)]
    details: Details,
}

impl ReadEnd {
    fn event<E: Error>(self, kind: &str) -> Result<Event, E> {
        let Self { trial, loss, reason, cost, details } = self;
        let outcome = match kind {
            "told" => Outcome::Complete { loss: loss.ok_or_else(|| E::missing_field("loss"))?, cost },
            "failed" => Outcome::Failed { reason: reason.ok_or_else(|| E::missing_field("reason"))?, cost },
            "pruned" => Outcome::Pruned { reason: reason.ok_or_else(|| E::missing_field("reason"))?, cost },
            _ => Outcome::Abandoned { reason: reason.ok_or_else(|| E::missing_field("reason"))? },
        };
        Ok(Event::Ended { trial, outcome, details })
    }
}

struct ByKind;

impl<'de> Visitor<'de> for ByKind {
    type Value = Event;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an event")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Event, A::Error> {
        match fields.next_key::<String>()? {
            None => Err(A::Error::missing_field(KIND)),
            Some(first) if first == KIND => {
                let kind: String = fields.next_value()?;
                if matches!(kind.as_str(), "told" | "failed" | "pruned" | "abandoned") {
                    return ReadEnd::deserialize(MapAccessDeserializer::new(fields))?.event(&kind);
                }
                // The derived one, for all other kinds.
                Event::deserialize(MapAccessDeserializer::new(WithKind {
                    key: Some(KIND),
                    kind: Some(kind),
                    rest: fields,
                }))
            }
            Some(first) => {
                let value = fields.next_value()?;
                kind_first(first, value, fields)
                    .and_then(|map| serde_json::from_value(Json::Object(map)).map_err(A::Error::custom))
            }
        }
    }
}

/// We write the kind first; another program may not.
fn kind_first<'de, A: MapAccess<'de>>(
    first: String,
    value: Json,
    mut rest: A,
) -> Result<Map<String, Json>, A::Error> {
    let mut others = Map::from_iter([(first, value)]);
    while let Some((name, value)) = rest.next_entry()? {
        others.insert(name, value);
    }
    let kind = others.remove(KIND).ok_or_else(|| A::Error::missing_field(KIND))?;
    Ok(std::iter::once((KIND.to_owned(), kind)).chain(others).collect())
}

/// Fields whose kind was read already, as if it had not been.
struct WithKind<A> {
    key: Option<&'static str>,
    kind: Option<String>,
    rest: A,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for WithKind<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        match self.key.take() {
            Some(key) => seed.deserialize(key.into_deserializer()).map(Some),
            None => self.rest.next_key_seed(seed),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        match self.kind.take() {
            Some(kind) => seed.deserialize(kind.into_deserializer()),
            None => self.rest.next_value_seed(seed),
        }
    }
}
