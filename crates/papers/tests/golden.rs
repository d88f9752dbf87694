//! Compatibility with stored studies: specs and suggestions as first recorded.
//!
//! The files beside this test are never recorded again: a study of an older release must be read as
//! the same strategy, be written as the same text and continue with the same suggestions. New kinds
//! are added at the end.
use arbora_search::testing::{assert_specifications_stay, assert_suggestions_stay};

#[test]
fn specifications_are_read_and_written_as_ever() {
    arbora_papers::register().expect("nobody else has these names");
    assert_specifications_stay(include_str!("golden/specs.txt"));
}

#[test]
fn suggestions_stay_bit_for_bit() {
    arbora_papers::register().expect("nobody else has these names");
    assert_suggestions_stay(include_str!("golden/suggestions.txt"));
}
