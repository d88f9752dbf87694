//! Events survive being written as text.
use super::*;
use crate::process::Process;
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
            terms: Some(LeaseTerms {
                lease: Duration::from_mins(1),
                host: "h".into(),
                place: Some("p".into()),
                since: Duration::from_millis(trial % 100_000),
                process: Some(Process::this()),
            }),
        };
        prop_assert_eq!(&through_text(&asked), &asked);
        let details = Details { duration: Some(loss.abs()), ..Details::default() };
        let told = Event::Ended { trial, outcome: Outcome::Complete { loss, cost: None }, details };
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

fn ended(trial: u64, outcome: Outcome, details: Details) -> Event {
    Event::Ended { trial, outcome, details }
}

#[test]
fn the_written_form_is_the_one_agreed_on() {
    let full = || Details {
        duration: Some(1.5),
        trace: Some("t".into()),
        attributes: Attributes::from_iter([("a".to_owned(), 1.into())]),
    };
    let reason = || "r".to_owned();
    for (event, text) in [
        (
            ended(4, Outcome::Complete { loss: 0.5, cost: None }, Details::default()),
            r#"{"kind":"told","trial":4,"loss":0.5}"#,
        ),
        (
            ended(4, Outcome::Complete { loss: 0.5, cost: Some(2.0) }, full()),
            r#"{"kind":"told","trial":4,"loss":0.5,"cost":2.0,"duration":1.5,"trace":"t","attributes":{"a":1}}"#,
        ),
        (
            ended(4, Outcome::Failed { reason: reason(), cost: Some(2.0) }, full()),
            r#"{"kind":"failed","trial":4,"reason":"r","cost":2.0,"duration":1.5,"trace":"t","attributes":{"a":1}}"#,
        ),
        (
            ended(4, Outcome::Pruned { reason: reason(), cost: Some(2.0) }, full()),
            r#"{"kind":"pruned","trial":4,"reason":"r","cost":2.0,"duration":1.5,"trace":"t","attributes":{"a":1}}"#,
        ),
        (
            ended(4, Outcome::Abandoned { reason: reason() }, Details::default()),
            r#"{"kind":"abandoned","trial":4,"reason":"r"}"#,
        ),
    ] {
        assert_eq!(serde_json::to_string(&event).unwrap(), text);
        assert_eq!(serde_json::from_str::<Event>(text).unwrap(), event);
    }
    let queued = Event::Queued {
        trial: 5,
        configuration: Named(vec![("z".into(), "svm".into()), ("a".into(), Value::Real(1.0))]),
    };
    let text = r#"{"kind":"queued","trial":5,"configuration":{"z":"svm","a":1.0}}"#;
    assert_eq!(serde_json::to_string(&queued).unwrap(), text);
    assert_eq!(serde_json::from_str::<Event>(text).unwrap(), queued);
    let shuffled = r#"{"trial":5,"configuration":{"z":"svm","a":1.0},"kind":"queued"}"#;
    assert_eq!(serde_json::from_str::<Event>(shuffled).unwrap(), queued);
    let problem = |text| serde_json::from_str::<Event>(text).unwrap_err().to_string();
    assert!(problem(r#"{"kind":"unheard_of","trial":5}"#).contains("unheard_of"));
    assert!(problem(r#"{"kind":"told","trial":5}"#).contains("missing field `loss`"));
    assert!(problem(r#"{"kind":"abandoned","trial":5}"#).contains("missing field `reason`"));
    assert!(problem(r#"{"kind":"queued","trial":5}"#).contains("missing field `configuration`"));
    assert!(problem(r#"{"trial":5}"#).contains("missing field `kind`"));
}

/// One event of every kind.
fn every_kind() -> Vec<Event> {
    let (configuration, details) = (Named::default(), Details::default());
    let outcomes = [
        Outcome::Complete { loss: 0.1, cost: None },
        Outcome::Failed { reason: "r".into(), cost: None },
        Outcome::Pruned { reason: "r".into(), cost: None },
        Outcome::Abandoned { reason: "r".into() },
    ];
    let mut all: Vec<Event> =
        outcomes.iter().map(|outcome| ended(1, outcome.clone(), details.clone())).collect();
    all.extend([
        Event::Asked {
            trial: 1,
            configuration: configuration.clone(),
            effort: Effort::Full,
            memo: Memo::new(),
            seen: 0,
            worker: "w".into(),
            lease: None,
            terms: None,
        },
        Event::Queued { trial: 1, configuration: configuration.clone() },
        Event::Released { trial: 1 },
        Event::Claimed { trial: 1, worker: "w".into(), lease: None, terms: None },
        Event::Noted { trial: None, attributes: Attributes::new() },
        Event::Reported { trial: 1, step: 1, value: 0.5 },
        Event::SpaceChanged { space: SpaceSpec::default() },
        Event::Amended { trial: 1, configuration: configuration.clone(), space: SpaceSpec::default() },
        Event::Added { trial: 1, configuration, outcome: outcomes[0].clone(), details },
    ]);
    all
}

#[test]
fn kinds_are_written_as_they_are_called() {
    let mut kinds = std::collections::BTreeSet::new();
    for event in every_kind() {
        let kind = event.kind();
        assert!(kinds.insert(kind));
        assert_eq!(serde_json::to_value(&event).unwrap()["kind"], kind);
        assert_eq!(through_text(&event), event);
        let is = |kinds: &[&str]| kinds.contains(&kind);
        assert_eq!(event.adds_trial(), is(&["asked", "queued", "added"]));
        assert_eq!(event.changes_space(), is(&["space_changed", "amended"]));
        assert_eq!(event.invalidates_suggestions(), event.adds_trial() || event.changes_space());
        let frees = ["asked", "claimed", "added", "told", "failed", "pruned", "abandoned", "released"];
        assert_eq!(event.changes_holder(), is(&frees), "{kind}");
        assert_eq!(event.is_end(), is(&["added", "told", "failed", "pruned", "abandoned"]));
    }
    assert_eq!(kinds.len(), 13);
}
