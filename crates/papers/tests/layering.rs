//! Which module of this crate may import which, from the lowest up.
use arbora_layering::{Apart, Layers};

#[test]
fn modules_only_import_what_they_may() {
    Layers {
        manifest: env!("CARGO_MANIFEST_DIR"),
        edges: &[
            ("direct", &[]),
            ("rule", &[]),
            ("hierarchical", &["rule"]),
            ("mondrian", &[]),
            ("global_search", &["direct"]),
            ("kriging", &["global_search", "hierarchical"]),
            ("maximize", &["direct"]),
            ("presets", &["global_search", "hierarchical", "kriging", "maximize", "mondrian", "rule"]),
        ],
        libraries: &[],
        siblings_apart: &[
            Apart {
                folder: "rule",
                shared: &["dual", "shape"],
                // Two rules combine others; categories use the arc instead of a wedge.
                exceptions: &[("imp_arc", &["arc", "imp"]), ("wedge", &["arc"])],
            },
            Apart { folder: "maximize", shared: &["dense"], exceptions: &[] },
            Apart { folder: "presets", shared: &[], exceptions: &[] },
        ],
        rings: &[],
        longest: 400,
    }
    .check();
}
