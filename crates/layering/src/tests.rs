use super::*;
use std::fs;

const THIS: Layers = Layers {
    manifest: env!("CARGO_MANIFEST_DIR"),
    edges: &[],
    libraries: &[],
    siblings_apart: &[],
    rings: &[],
    longest: 400,
};

/// What the rules say of sources that are given as text.
fn violations(layers: &Layers, files: &[(&str, &str)]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    for (file, text) in files {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    layers.violations(&Tree::read(folder.path()))
}

const TWO: Layers = Layers { edges: &[("b", &[]), ("c", &[])], ..THIS };

#[test]
#[should_panic(expected = "`a` may not import `b`")]
fn looking_up_the_list_is_refused() {
    Layers { edges: &[("a", &["b"]), ("b", &[])], ..THIS }.check_order();
}

#[test]
fn an_edge_that_is_not_listed_is_refused() {
    let said = violations(&TWO, &[("b.rs", "pub struct B;"), ("c.rs", "use crate::b::B;")]);
    assert_eq!(said, ["c.rs imports `b` by `crate::b::B`"]);
}

#[test]
fn a_group_hides_no_edge() {
    let said = violations(&TWO, &[("b.rs", "pub struct B;"), ("c.rs", "use crate::{\n    b::{B},\n};")]);
    assert_eq!(said, ["c.rs imports `b` by `crate::b::B`"]);
}

#[test]
fn the_root_of_the_crate_hides_no_edge() {
    let files = [("lib.rs", "pub use b::B;"), ("b.rs", "pub struct B;"), ("c.rs", "use crate::B;")];
    assert_eq!(violations(&TWO, &files), ["c.rs imports `b` by `crate::B`"]);
}

#[test]
fn going_up_to_the_crate_hides_no_edge() {
    let said = violations(&TWO, &[("b.rs", "pub fn f() {}"), ("c/d.rs", "fn g() { super::super::b::f() }")]);
    assert_eq!(said, ["c/d.rs imports `b` by `super::super::b::f`"]);
}

#[test]
fn a_library_belongs_to_one_module() {
    let layers = Layers { libraries: &[("faer", "b")], ..TWO };
    let said = violations(&layers, &[("b.rs", "use faer::Mat;"), ("c.rs", "use {faer::Mat};")]);
    assert_eq!(said, ["c.rs imports `faer`, which belongs to `b`"]);
}

const APART: Layers = Layers {
    edges: &[("m", &[])],
    siblings_apart: &[Apart { folder: "m", shared: &["base"], exceptions: &[("third", &["first"])] }],
    ..THIS
};
const PARENT: (&str, &str) =
    ("m/mod.rs", "mod first; mod second; mod third; pub use first::First; pub trait T {}");

const FIRST: (&str, &str) = ("m/first.rs", "pub struct First;");
const THIRD: (&str, &str) = ("m/third.rs", "use super::first::First;");

#[test]
fn a_reexport_by_the_parent_hides_no_sibling() {
    let files = [PARENT, FIRST, THIRD, ("m/second.rs", "use super::{First, T};")];
    assert_eq!(violations(&APART, &files), ["m/second.rs imports its sibling `first` by `super::First`"]);
}

#[test]
fn a_sibling_by_its_full_name_is_a_sibling() {
    let files = [PARENT, FIRST, THIRD, ("m/second/deep.rs", "use crate::m::first::First;")];
    assert_eq!(
        violations(&APART, &files),
        ["m/second/deep.rs imports its sibling `first` by `crate::m::first::First`"]
    );
}

#[test]
fn exceptions_are_by_name_and_children_are_no_siblings() {
    let files = [
        PARENT,
        ("m/first.rs", "mod part; use part::P; pub struct First;"),
        ("m/first/part.rs", "use super::First; pub struct P;"),
        THIRD,
    ];
    assert_eq!(violations(&APART, &files), Vec::<String>::new());
}

#[test]
fn an_exception_that_is_not_needed_is_refused() {
    let said = violations(&APART, &[PARENT, FIRST, ("m/third.rs", "")]);
    assert_eq!(said, ["m/third no longer imports its sibling `first`: strike it out"]);
}

#[test]
fn what_siblings_share_names_none_of_them() {
    let users = ("m/second.rs", "use super::base::Base;");
    let files = [PARENT, FIRST, THIRD, users, ("m/base.rs", "use super::First; pub struct Base;")];
    assert_eq!(violations(&APART, &files), ["m/base.rs imports its sibling `first` by `super::First`"]);
}

#[test]
fn a_ring_of_siblings_is_refused_in_every_folder() {
    let layers = Layers { edges: &[("m", &[])], ..THIS };
    let files = [
        ("m/mod.rs", "mod x; mod y; mod z;"),
        ("m/x.rs", "use super::y::Y; pub struct X;"),
        ("m/y.rs", "use super::z::Z; pub struct Y;"),
        ("m/z.rs", "fn f(x: &super::x::X) {} pub struct Z;"),
    ];
    assert_eq!(violations(&layers, &files), ["src/m: siblings need each other: x, y, z"]);
    let known = Layers { rings: &[("m", &["x", "y", "z"])], ..layers };
    assert_eq!(violations(&known, &files), Vec::<String>::new());
    assert_eq!(violations(&known, &files[..2]), ["src/m: the ring x, y, z is gone: strike it out"]);
}

#[test]
fn tests_import_anything() {
    let code = "pub struct B;\n#[cfg(test)]\nmod tests {\n    use crate::c::C;\n}";
    let files = [("b.rs", code), ("c.rs", "pub struct C;"), ("b/tests.rs", "use crate::c::C;")];
    assert_eq!(violations(&TWO, &files), Vec::<String>::new());
}

#[test]
fn a_long_file_and_a_new_module_are_refused() {
    let layers = Layers { longest: 2, ..TWO };
    let said = violations(&layers, &[("b.rs", "\n\n\n"), ("d.rs", "")]);
    assert_eq!(
        said,
        [
            "b.rs has 3 lines before its tests: look for the second idea",
            "d.rs is a new module: list it in tests/layering.rs"
        ]
    );
}
