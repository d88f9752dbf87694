//! Which module of this crate may import which, from the lowest up.
use arbora_layering::Layers;

#[test]
fn modules_only_import_what_they_may() {
    Layers {
        manifest: env!("CARGO_MANIFEST_DIR"),
        edges: &[
            ("error", &[]),
            ("rows", &["error"]),
            ("resample", &["error", "rows"]),
            ("plan", &["error", "resample", "rows"]),
            ("select", &["error"]),
            ("verdict", &["error", "select"]),
            ("ensemble", &["error"]),
        ],
        libraries: &[],
        siblings_apart: &[],
        rings: &[],
        longest: 400,
    }
    .check();
}
