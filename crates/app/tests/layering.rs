//! Which module of this crate may import which, from the lowest up.
use arbora_layering::Layers;

#[test]
fn modules_only_import_what_they_may() {
    Layers {
        manifest: env!("CARGO_MANIFEST_DIR"),
        edges: &[
            ("error", &[]),
            ("duration", &[]),
            ("output", &["error"]),
            ("files", &["error"]),
            ("program", &["error"]),
            ("study_args", &["error", "files"]),
            ("show", &["duration"]),
            ("run", &["duration", "error", "show"]),
            ("exchange", &["error", "files"]),
            ("tune", &["duration", "error", "run", "show", "output"]),
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
                    "study_args",
                    "output",
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
