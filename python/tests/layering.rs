//! Which module of the native half may import which, from the lowest up.
use arbora_layering::Layers;

#[test]
fn modules_only_import_what_they_may() {
    Layers {
        manifest: env!("CARGO_MANIFEST_DIR"),
        edges: &[
            ("details", &[]),
            ("draft", &[]),
            ("failure", &["details"]),
            ("fork", &[]),
            ("heartbeat", &[]),
            ("json", &[]),
            ("panics", &[]),
            ("signals", &[]),
            ("tree", &[]),
            ("value", &[]),
            ("words", &[]),
            ("declaration", &["failure", "value"]),
            ("expression", &["value"]),
            ("kernel_matrix", &["failure"]),
            ("selection", &["failure"]),
            ("settings", &["failure", "json"]),
            ("snapshot", &["failure"]),
            ("trial_result", &["failure", "json"]),
            ("trial_view", &["json", "value"]),
            ("work", &["failure", "panics", "signals"]),
            ("command", &["signals", "work"]),
            ("infer", &["json", "value", "work"]),
            ("stats", &["work"]),
            ("plan", &["failure", "json", "work"]),
            ("unseen", &["failure", "value", "work"]),
            ("space", &["declaration", "draft", "failure", "json", "tree", "unseen", "value", "work"]),
            ("strategy", &["draft", "json", "signals", "space", "unseen", "value"]),
            (
                "study",
                &[
                    "failure",
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
                    "work",
                ],
            ),
            ("verdict", &["json", "study", "value"]),
            ("pool", &["failure", "plan", "study", "trial_result", "trial_view", "work"]),
        ],
        libraries: &[],
        siblings_apart: &[],
        rings: &[],
        longest: 400,
    }
    .check();
}
