//! Which module of the native half may import which, from the lowest up.
use arbora_layering::Layers;

#[test]
fn modules_only_import_what_they_may() {
    Layers {
        manifest: env!("CARGO_MANIFEST_DIR"),
        edges: &[
            ("details", &[]),
            ("space_builder", &[]),
            ("exception", &["details"]),
            ("fork", &[]),
            ("heartbeat", &[]),
            ("json", &[]),
            ("panics", &[]),
            ("pruner", &[]),
            ("signals", &[]),
            ("tree", &[]),
            ("value", &[]),
            ("words", &[]),
            ("declaration", &["exception", "value"]),
            ("expression", &["value"]),
            ("kernel_matrix", &["exception"]),
            ("selection", &["exception"]),
            ("settings", &["exception", "json"]),
            ("snapshot", &["exception"]),
            ("trial_result", &["exception", "json"]),
            ("trial_view", &["json", "value"]),
            ("detach", &["exception", "panics", "signals"]),
            ("command", &["signals", "detach"]),
            ("infer", &["json", "value", "detach"]),
            ("stats", &["detach"]),
            ("plan", &["exception", "json", "detach"]),
            ("unseen", &["exception", "value", "detach"]),
            (
                "space",
                &["declaration", "space_builder", "exception", "json", "tree", "unseen", "value", "detach"],
            ),
            ("strategy", &["space_builder", "json", "signals", "space", "unseen", "value"]),
            (
                "study",
                &[
                    "exception",
                    "heartbeat",
                    "json",
                    "kernel_matrix",
                    "settings",
                    "signals",
                    "snapshot",
                    "space",
                    "trial_result",
                    "trial_view",
                    "value",
                    "detach",
                ],
            ),
            ("verdict", &["json", "study", "value"]),
            ("pool", &["exception", "plan", "study", "trial_result", "trial_view", "detach"]),
        ],
        libraries: &[],
        siblings_apart: &[],
        rings: &[],
        longest: 400,
    }
    .check();
}
