//! Which module of this crate may import which, from the lowest up.
use arbora_layering::Layers;

#[test]
fn modules_only_import_what_they_may() {
    Layers {
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
