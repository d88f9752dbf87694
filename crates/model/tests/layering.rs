//! Which module of this crate may import which, from the lowest up.
use arbora_layering::{Apart, Layers};

#[test]
fn modules_only_import_what_they_may() {
    Layers {
        manifest: env!("CARGO_MANIFEST_DIR"),
        edges: &[
            ("component", &[]),
            ("interrupt", &[]),
            ("special", &[]),
            ("prior", &["special"]),
            ("hyper", &["prior"]),
            ("descent", &[]),
            ("infer", &["component", "hyper", "prior", "descent"]),
            ("error", &["infer"]),
            ("workers", &[]),
            ("dataset", &["error"]),
            ("parzen", &[]),
            ("prediction", &[]),
            ("linalg", &["error"]),
            ("hyper_spec", &["error", "hyper", "prior"]),
            ("kernel", &["hyper_spec", "component", "error", "hyper", "linalg", "prior"]),
            ("gram", &["error", "kernel", "linalg"]),
            ("subsample", &["dataset", "error", "kernel"]),
            (
                "surrogate",
                &[
                    "hyper_spec",
                    "component",
                    "dataset",
                    "error",
                    "gram",
                    "hyper",
                    "infer",
                    "interrupt",
                    "kernel",
                    "linalg",
                    "subsample",
                    "prediction",
                    "prior",
                    "workers",
                ],
            ),
        ],
        libraries: &[("faer", "linalg"), ("pulp", "linalg"), ("rayon", "workers"), ("basin", "descent")],
        siblings_apart: &[
            Apart {
                folder: "kernel",
                shared: &["stationary"],
                exceptions: &[
                    // Builds the layout without the context column.
                    ("context", &["additive"]),
                ],
            },
            Apart {
                folder: "infer",
                // Every search for the mode returns an estimate.
                shared: &["differences", "error", "map", "chain"],
                exceptions: &[],
            },
            Apart {
                folder: "surrogate",
                shared: &["memory", "observations", "scale"],
                // Several Gaussian processes: one per branch, or one per kernel.
                exceptions: &[
                    ("model_average", &["gp"]),
                    ("per_branch", &["gp"]),
                    ("observations", &["scale"]),
                ],
            },
        ],
        rings: &[],
        longest: 400,
    }
    .check();
}
