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
            ("wire", &["error"]),
            ("pack", &["error", "problem", "run"]),
            ("ledger", &["error", "pack", "run"]),
            ("contender", &["error", "wire"]),
            ("session", &["error", "problem", "wire"]),
            ("race", &["clock", "contender", "error", "run", "session"]),
            ("workbench", &["contender", "error", "problem", "session", "wire"]),
            ("work", &["error", "problem", "race", "run", "session", "workbench"]),
            ("findings", &["error", "plan", "problem", "run", "stats"]),
            ("claim", &["findings", "stats"]),
            (
                "experiment",
                &["claim", "error", "findings", "plan", "problem", "run", "stats", "work", "workbench"],
            ),
            ("runner", &["error", "experiment", "ledger", "plan", "run", "workbench"]),
            ("chart", &[]),
            (
                "report",
                &[
                    "chart",
                    "claim",
                    "error",
                    "experiment",
                    "findings",
                    "ledger",
                    "plan",
                    "problem",
                    "run",
                    "stats",
                    "work",
                ],
            ),
        ],
        libraries: &[("statrs", "stats"), ("rustix", "clock")],
        siblings_apart: &[
            Apart { folder: "contender", shared: &[], exceptions: &[] },
            Apart { folder: "problem", shared: &[], exceptions: &[] },
            Apart { folder: "session", shared: &[], exceptions: &[] },
            Apart { folder: "work", shared: &[], exceptions: &[] },
        ],
        rings: &[],
        longest: 400,
    }
    .check();
}
