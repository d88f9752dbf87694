//! Which room of this crate may look into which, from the lowest up.
use arbora_rooms::Rooms;

#[test]
fn rooms_only_look_where_they_may() {
    Rooms {
        manifest: env!("CARGO_MANIFEST_DIR"),
        edges: &[
            ("types", &[]),
            ("names", &[]),
            ("literal", &["types"]),
            ("attributes", &["names"]),
            ("field", &["attributes", "literal", "types"]),
            ("input", &["attributes", "field", "names"]),
            ("expand", &["attributes", "field", "input", "literal"]),
        ],
        libraries: &[],
        siblings_apart: &[],
        rings: &[],
        longest: 400,
    }
    .check();
}
