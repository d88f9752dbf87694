//! A panic in the native half is caught and keeps its message. The module needs no interpreter, so the test has none.
#[path = "../src/panics.rs"]
mod panics;

use panics::caught;

#[test]
fn work_without_a_panic_keeps_its_result() {
    assert_eq!(caught(|| 3), Ok(3));
}

#[test]
fn a_panic_becomes_its_message() {
    assert_eq!(caught(|| -> u8 { panic!("plain") }), Err("plain".to_owned()));
    assert_eq!(caught(|| -> u8 { panic!("number {}", 3) }), Err("number 3".to_owned()));
    assert_eq!(caught(|| -> u8 { std::panic::panic_any(3) }), Err("no message".to_owned()));
}
