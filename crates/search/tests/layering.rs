//! Which module of this crate may import which, from the lowest up.
use arbora_layering::{Apart, Layers};

#[test]
fn modules_only_import_what_they_may() {
    Layers {
        manifest: env!("CARGO_MANIFEST_DIR"),
        edges: &[
            ("component", &[]),
            ("error", &[]),
            ("memo", &[]),
            ("curve", &[]),
            ("forecast", &[]),
            ("trial", &["curve", "memo"]),
            ("history", &["error", "forecast", "memo", "trial"]),
            ("pruner", &["component", "curve", "error", "history", "trial"]),
            ("unseen", &["error", "history", "trial"]),
            ("importance", &["error", "history", "trial"]),
            ("missing", &["history", "trial"]),
            ("range", &["error"]),
            ("ladder", &["error", "trial"]),
            ("believed", &[]),
            ("cube", &[]),
            ("sobol", &[]),
            ("evolution", &[]),
            ("acquisition", &["believed", "component", "error"]),
            ("maximize", &["acquisition", "component", "cube", "error", "evolution", "sobol", "unseen"]),
            ("design", &["component", "cube", "error", "sobol"]),
            (
                "strategy",
                &[
                    "acquisition",
                    "believed",
                    "component",
                    "cube",
                    "design",
                    "error",
                    "evolution",
                    "history",
                    "ladder",
                    "maximize",
                    "memo",
                    "pruner",
                    "trial",
                    "unseen",
                ],
            ),
            ("presets", &["component", "design", "error", "maximize", "strategy"]),
            ("study", &["error", "history", "memo", "pruner", "range", "strategy", "trial"]),
        ],
        libraries: &[("sobol_burley", "sobol")],
        siblings_apart: &[
            Apart {
                folder: "strategy",
                // What others are made of, and the model that facts speak of.
                shared: &["spec", "random", "model_based"],
                exceptions: &[
                    // It is the default, and made of them.
                    ("by_width", &["then"]),
                    // The model that a strategy asks.
                    ("spec", &["model_based"]),
                ],
            },
            Apart {
                folder: "acquisition",
                // Every rule is averaged over draws of θ.
                shared: &["improvement", "integrated"],
                exceptions: &[
                    // A bound is a confidence bound averaged over draws of θ.
                    ("bound", &["lcb"]),
                    // Beyond its range it is the plain expected improvement.
                    ("log_normal", &["ei"]),
                ],
            },
            Apart {
                folder: "maximize",
                shared: &["pool", "random", "descend"],
                exceptions: &[
                    // They compose maximizers.
                    ("branch_first", &["combined", "local"]),
                    ("by_opinion", &["combined", "local"]),
                    ("combined", &["local"]),
                ],
            },
            Apart { folder: "design", shared: &[], exceptions: &[] },
            // When they look, what a ladder of rungs is, and a test.
            Apart { folder: "pruner", shared: &["interval", "rungs", "signed_rank"], exceptions: &[] },
        ],
        rings: &[],
        longest: 400,
    }
    .check();
}
