//! Which module of this crate may import which, from the lowest up.
use arbora_layering::Layers;

#[test]
fn modules_only_import_what_they_may() {
    Layers {
        manifest: env!("CARGO_MANIFEST_DIR"),
        edges: &[
            ("process", &[]),
            ("lease", &["process"]),
            ("clock", &["process"]),
            ("place", &[]),
            ("error", &["place"]),
            ("wait", &["error"]),
            ("suggest_lock", &["error", "wait"]),
            ("event", &["clock", "lease"]),
            ("stage", &["event"]),
            ("store", &["clock", "error", "event", "suggest_lock"]),
            ("verify", &["error", "event"]),
            ("memory", &["clock", "error", "event", "verify", "stage", "store", "suggest_lock"]),
            (
                "sqlite",
                &["clock", "error", "event", "wait", "place", "verify", "stage", "store", "suggest_lock"],
            ),
            ("open", &["error", "memory", "place", "sqlite", "store"]),
            ("copy", &["error", "open", "sqlite", "store"]),
            ("durable", &["clock", "error", "event", "lease", "process", "store"]),
            ("check", &["durable", "error", "open", "sqlite", "store"]),
            ("recover", &["durable", "error", "event", "open", "sqlite", "store"]),
        ],
        libraries: &[("rusqlite", "sqlite")],
        siblings_apart: &[],
        rings: &[
            // What is read is audited, and the audit reads.
            ("sqlite", &["audit", "head", "read"]),
            // A connection keeps its session, which says how it may be used.
            ("sqlite", &["connection", "session"]),
        ],
        longest: 400,
    }
    .check();
}
