//! Events survive being written as text.
use super::*;
use crate::life::Process;
use arbora_space::Value;
use proptest::prelude::*;
use std::time::Duration;

fn through_text(event: &Event) -> Event {
    serde_json::from_str(&serde_json::to_string(event).unwrap()).unwrap()
}

fn values() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::None),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::Int),
        any::<f64>().prop_filter("configurations hold numbers", |x| x.is_finite()).prop_map(Value::Real),
        ".{0,8}".prop_map(|text| Value::from(text.as_str())),
    ]
}

proptest! {
    #[test]
    fn configurations_and_losses_keep_every_bit(
        entries in proptest::collection::vec(("[a-z.]{1,6}", values()), 0..6),
        loss in any::<f64>().prop_filter("losses are finite", |x| x.is_finite()),
        trial in any::<u64>(),
    ) {
        let asked = Event::Asked {
            trial,
            configuration: Named(entries),
            effort: Effort::Share(0.25),
            memo: Memo::new().with("theta", &vec![loss]),
            seen: 3,
            worker: "w".into(),
            lease: Some(Timestamp(7)),
            hold: Some(Hold {
                lease: Duration::from_mins(1),
                host: "h".into(),
                place: Some("p".into()),
                since: Duration::from_millis(trial % 100_000),
                process: Some(Process::this()),
            }),
        };
        prop_assert_eq!(&through_text(&asked), &asked);
        let details = Details { duration: Some(loss.abs()), ..Details::default() };
        let told = Event::Told { trial, loss, cost: None, details };
        prop_assert_eq!(&through_text(&told), &told);
    }
}

#[test]
fn intermediate_values_may_be_any_double() {
    for value in [0.1, f64::INFINITY, f64::NEG_INFINITY] {
        let event = Event::Reported { trial: 1, step: 2, value };
        assert_eq!(through_text(&event), event);
    }
    let Event::Reported { value, .. } = through_text(&Event::Reported { trial: 1, step: 2, value: f64::NAN })
    else {
        panic!("another kind of event");
    };
    assert!(value.is_nan());
}

#[test]
fn the_written_form_is_the_one_agreed_on() {
    let told = Event::Told { trial: 4, loss: 0.5, cost: None, details: Details::default() };
    assert_eq!(serde_json::to_string(&told).unwrap(), r#"{"kind":"told","trial":4,"loss":0.5}"#);
    let queued = Event::Queued {
        trial: 5,
        configuration: Named(vec![("z".into(), "svm".into()), ("a".into(), Value::Real(1.0))]),
    };
    let text = r#"{"kind":"queued","trial":5,"configuration":{"z":"svm","a":1.0}}"#;
    assert_eq!(serde_json::to_string(&queued).unwrap(), text);
    assert_eq!(serde_json::from_str::<Event>(text).unwrap(), queued);
    assert!(serde_json::from_str::<Event>(r#"{"kind":"unheard_of","trial":5}"#).is_err());
}

#[test]
fn kinds_are_written_as_they_are_called() {
    let events = [
        Event::Released { trial: 1 },
        Event::Abandoned { trial: 1, reason: "r".into() },
        Event::Claimed { trial: 1, worker: "w".into(), lease: None, hold: None },
        Event::Noted { trial: None, attributes: Attributes::new() },
        Event::SpaceChanged { space: serde_json::json!({"parameters": {}}) },
        Event::Amended {
            trial: 1,
            configuration: Named::default(),
            space: serde_json::json!({"parameters": {}}),
        },
        Event::Failed { trial: 1, reason: "r".into(), cost: None, details: Details::default() },
        Event::Added {
            trial: 1,
            configuration: Named::default(),
            outcome: Outcome::Complete { loss: 0.1, cost: None },
            details: Details::default(),
        },
    ];
    for event in events {
        let written = serde_json::to_value(&event).unwrap();
        assert_eq!(written["kind"], event.kind());
        assert_eq!(through_text(&event), event);
        assert_eq!(event.is_taking(), matches!(event.kind(), "added" | "space_changed" | "amended"));
        assert_eq!(event.is_revision(), matches!(event, Event::SpaceChanged { .. } | Event::Amended { .. }));
        let frees =
            matches!(event.kind(), "asked" | "claimed" | "added" | "failed" | "abandoned" | "released");
        assert_eq!(event.changes_holder(), frees, "{}", event.kind());
        assert_eq!(event.is_end(), matches!(event.kind(), "added" | "failed" | "abandoned"));
    }
}
