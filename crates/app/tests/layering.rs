//! Which module of this crate may import which, from the lowest up.
use arbora_layering::Layers;

#[test]
fn modules_only_import_what_they_may() {
    Layers {
        manifest: env!("CARGO_MANIFEST_DIR"),
        edges: &[
            ("error", &[]),
            ("duration", &[]),
            ("surroundings", &["error"]),
            ("files", &["error"]),
            ("program", &["error"]),
            ("studies", &["error", "files"]),
            ("show", &["duration"]),
            ("run", &["duration", "error", "show"]),
            ("exchange", &["error", "files"]),
            ("tune", &["duration", "error", "run", "show", "surroundings"]),
            (
                "command",
                &[
                    "duration",
                    "error",
                    "exchange",
                    "files",
                    "program",
                    "run",
                    "show",
                    "studies",
                    "surroundings",
                    "tune",
                ],
            ),
            ("main", &[]),
        ],
        libraries: &[("rusqlite", "exchange"), ("ctrlc", "tune"), ("indicatif", "tune")],
        siblings_apart: &[],
        rings: &[],
        longest: 400,
    }
    .check();
}
