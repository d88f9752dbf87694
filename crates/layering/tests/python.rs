//! Which module of the Python package's native half may import which, from the lowest up. The list stands here
//! because a test binary of that crate would need to link an interpreter.
use arbora_layering::Layers;

#[test]
fn modules_only_import_what_they_may() {
    Layers {
        manifest: concat!(env!("CARGO_MANIFEST_DIR"), "/../../python"),
        edges: &[
            ("details", &[]),
            ("failure", &["details"]),
            ("json", &[]),
            ("value", &[]),
            ("words", &[]),
            ("heartbeat", &[]),
            ("tree", &[]),
            ("waiting", &[]),
            ("work", &["failure", "waiting"]),
            ("command", &["work"]),
            ("copy", &["failure"]),
            ("covariance", &["failure"]),
            ("declaration", &["failure", "value"]),
            ("draft", &[]),
            ("expression", &["value"]),
            ("infer", &["json", "value", "work"]),
            ("listening", &[]),
            ("record", &["json", "value"]),
            ("plan", &["failure", "json", "work"]),
            ("selection", &["failure"]),
            ("settings", &["failure", "json"]),
            ("stats", &["work"]),
            ("telling", &["failure", "json"]),
            ("space", &["declaration", "draft", "failure", "json", "tree", "value", "work"]),
            (
                "study",
                &[
                    "copy",
                    "covariance",
                    "failure",
                    "heartbeat",
                    "json",
                    "listening",
                    "record",
                    "settings",
                    "space",
                    "telling",
                    "value",
                    "waiting",
                    "work",
                ],
            ),
            ("verdict", &["json", "study", "value"]),
            ("pool", &["failure", "listening", "plan", "record", "study", "telling", "work"]),
        ],
        libraries: &[("arbora_app", "command")],
        siblings_apart: &[],
        rings: &[],
        longest: 400,
    }
    .check();
}
