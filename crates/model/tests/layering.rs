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
            ("direct", &["descent"]),
            ("infer", &["hyper", "prior", "descent", "direct"]),
            ("error", &["infer"]),
            ("workers", &[]),
            ("dataset", &["error"]),
            ("parzen", &[]),
            ("prediction", &[]),
            ("linalg", &["error"]),
            ("belief", &["error", "hyper", "prior"]),
            ("kernel", &["belief", "hyper", "linalg", "prior"]),
            ("gram", &["error", "kernel", "linalg"]),
            ("matter", &["dataset", "error", "kernel"]),
            (
                "surrogate",
                &[
                    "belief",
                    "dataset",
                    "error",
                    "gram",
                    "hyper",
                    "infer",
                    "interrupt",
                    "kernel",
                    "linalg",
                    "matter",
                    "prediction",
                    "prior",
                    "workers",
                ],
            ),
            ("spec", &["belief", "error", "infer", "kernel", "prior", "surrogate", "workers"]),
        ],
        libraries: &[("faer", "linalg"), ("pulp", "linalg"), ("rayon", "workers"), ("basin", "descent")],
        siblings_apart: &[
            Apart { folder: "kernel", shared: &["stationary", "rule"], exceptions: &[] },
            Apart {
                folder: "infer",
                // An estimate is what every search for the mode returns.
                shared: &["differences", "map"],
                // The spec builds them all.
                exceptions: &[("spec", &["direct", "fixed", "slice"])],
            },
            Apart {
                folder: "surrogate",
                shared: &["memory", "scale"],
                // One Gaussian process per branch.
                exceptions: &[("per_branch", &["gp"])],
            },
        ],
        // Halves of one computation that call each other; to be divided by what they hold.
        rings: &[
            ("kernel/hierarchical", &["laid", "moving"]),
            ("kernel/stationary", &["batch", "work"]),
            ("surrogate/kriging", &["augmented", "definite", "known", "spectral"]),
        ],
        longest: 400,
    }
    .check();
}
