//! Errors for values outside the type or the space.
use crate::{Kernel, Learner};
use arbora::{Param, Space, SpaceError, TypedSpace, Value};

#[test]
fn values_outside_their_range_are_refused() {
    let space = Learner::space().unwrap();
    let outside = Learner::Forest { trees: 501, depth: None }.to_configuration(&space).unwrap_err();
    assert!(
        matches!(outside, SpaceError::ValueOutsideDomain { ref name, .. } if name == "learner.forest.trees")
    );
    let not_a_number = Learner::Svm { c: f64::NAN, kernel: Kernel::Linear }.to_configuration(&space);
    assert!(matches!(not_a_number, Err(SpaceError::ValueOutsideDomain { .. })));
}

#[test]
fn alternatives_without_a_variant_are_refused() {
    let space = Space::new([Param::choice("learner", ["svm", "mlp"])]).unwrap();
    let mlp = space.configuration([("learner", Value::from("mlp"))]).unwrap();
    let refused = Learner::from_configuration(&space, &mlp).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "parameter `learner`: value `mlp` is not in its domain, one of svm, forest, neighbours, naive"
    );
}

#[test]
fn a_space_without_the_parameters_of_the_type_is_refused() {
    let space = Space::new([Param::choice("learner", ["svm", "mlp"])]).unwrap();
    let svm = space.configuration([("learner", Value::from("svm"))]).unwrap();
    let missing = Learner::from_configuration(&space, &svm).unwrap_err();
    assert!(matches!(missing, SpaceError::UnknownParameter { ref name, .. } if name == "learner.svm.c"));
    let value = Learner::Svm { c: 1.0, kernel: Kernel::Linear };
    let missing = value.to_configuration(&space).unwrap_err();
    assert!(matches!(missing, SpaceError::UnknownParameter { ref name, .. } if name == "learner.svm.c"));
}

#[derive(Space, Debug)]
struct Small {
    #[space(low = 1, high = 50)]
    k: u8,
}

#[test]
fn numbers_that_the_field_cannot_hold_are_refused() {
    let space = Space::new([Param::integer("k", 1, 300)]).unwrap();
    let read =
        |k: i64| Small::from_configuration(&space, &space.configuration([("k", Value::from(k))]).unwrap());
    assert_eq!(read(255).unwrap().k, 255);
    let refused = read(300).unwrap_err();
    assert_eq!(refused.to_string(), "parameter `k`: value `300` is not in its domain, the values of `u8`");
}

#[derive(Space)]
struct Backwards {
    #[space(low = 2, high = 1)]
    x: f64,
}

#[derive(Space)]
struct Huge {
    #[space(low = 0, high = u64::MAX)]
    x: u64,
}

#[derive(Space)]
#[space(require = "x <")]
struct Unreadable {
    x: bool,
}

#[derive(Space)]
struct Nothing;

#[test]
fn mistakes_in_numbers_are_found_when_the_space_is_built() {
    assert!(matches!(Backwards::space(), Err(SpaceError::EmptyRange { .. })));
    assert!(matches!(Huge::space(), Err(SpaceError::GridTooFine { .. })));
    assert!(matches!(Unreadable::space(), Err(SpaceError::Syntax { .. })));
    assert!(matches!(Nothing::space(), Err(SpaceError::NoParameters)));
}
