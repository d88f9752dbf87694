//! Which module of this crate may import which, from the lowest up.
use arbora_layering::{Apart, Layers};

#[test]
fn modules_only_import_what_they_may() {
    Layers {
        manifest: env!("CARGO_MANIFEST_DIR"),
        edges: &[
            ("error", &[]),
            ("clock", &[]),
            ("run", &[]),
            ("plan", &["error", "run"]),
            ("stats", &["error"]),
            ("problem", &["error"]),
            ("json_process", &["error"]),
            ("compact", &["error", "problem", "run"]),
            ("run_log", &["error", "compact", "run"]),
            ("optimizer", &["error", "json_process"]),
            ("task", &["error", "problem", "json_process"]),
            ("run_one", &["clock", "optimizer", "error", "run", "task"]),
            ("context", &["optimizer", "error", "problem", "task", "json_process"]),
            ("job", &["error", "problem", "run_one", "run", "task", "context"]),
            ("results", &["error", "plan", "problem", "run", "stats"]),
            ("claim", &["results", "stats"]),
            ("experiment", &["claim", "error", "job", "plan", "problem", "results", "run", "stats"]),
            ("worker_pool", &["context", "error", "experiment", "job", "plan", "run", "run_log"]),
            ("chart", &[]),
            (
                "report",
                &[
                    "chart",
                    "claim",
                    "error",
                    "experiment",
                    "results",
                    "run_log",
                    "plan",
                    "problem",
                    "run",
                    "stats",
                    "job",
                ],
            ),
        ],
        libraries: &[("statrs", "stats"), ("rustix", "clock")],
        siblings_apart: &[
            Apart { folder: "optimizer", shared: &[], exceptions: &[] },
            Apart { folder: "problem", shared: &[], exceptions: &[] },
            Apart { folder: "task", shared: &[], exceptions: &[] },
            Apart { folder: "job", shared: &[], exceptions: &[] },
        ],
        rings: &[],
        longest: 400,
    }
    .check();
}
