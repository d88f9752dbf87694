//! Inference specs as written.
use super::*;

fn read(text: &str) -> Result<InferenceSpec, serde_json::Error> {
    serde_json::from_str(text)
}

#[test]
fn what_is_left_out_takes_its_default() {
    assert_eq!(read(r#"{"kind":"slice"}"#).unwrap(), InferenceSpec::default());
    assert_eq!(
        read(r#"{"kind":"map","estimate":"likelihood"}"#).unwrap(),
        InferenceSpec::new(Map { starts: 5, estimate: Estimate::Likelihood })
    );
}

#[test]
fn writing_and_reading_is_identity() {
    for spec in [
        InferenceSpec::new(Slice { draws: 3, burn_in: 0, width: 0.5, settled: 99 }),
        InferenceSpec::new(Persistent { draws: 3, few: 9, work: 2.5, width: 0.5 }),
        InferenceSpec::new(Map { starts: 2, estimate: Estimate::Posterior }),
        InferenceSpec::new(Fixed {}),
    ] {
        assert_eq!(read(&serde_json::to_string(&spec).unwrap()).unwrap(), spec);
        assert!(spec.build(()).is_ok());
    }
}

#[test]
fn unknown_kinds_and_fields_are_rejected() {
    for text in [
        r#"{"kind":"slice","drawz":1}"#,
        r#"{"kind":"fixed","draws":1}"#,
        r#"{"kind":"guess"}"#,
        r#"{"draws":1}"#,
    ] {
        assert!(read(text).is_err(), "{text}");
    }
}

#[test]
fn settings_out_of_range_are_named() {
    let build = |text: &str| read(text).unwrap().build(()).err().unwrap().to_string();
    assert_eq!(
        build(r#"{"kind":"slice","draws":0}"#),
        "inference `slice`: `draws` must be at least 1, got 0"
    );
    assert_eq!(build(r#"{"kind":"map","starts":0}"#), "inference `map`: `starts` must be at least 1, got 0");
    assert_eq!(
        build(r#"{"kind":"persistent","work":0.0}"#),
        "inference `persistent`: `work` must be a positive number, got 0"
    );
    assert_eq!(
        build(r#"{"kind":"slice","width":-1.0}"#),
        "inference `slice`: `width` must be a positive number (1 suits log-scaled hypers), got -1"
    );
}
