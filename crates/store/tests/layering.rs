//! Which module of this crate may import which, from the lowest up.
use arbora_layering::Layers;

#[test]
fn modules_only_import_what_they_may() {
    Layers {
        manifest: env!("CARGO_MANIFEST_DIR"),
        edges: &[
            ("life", &[]),
            ("hold", &["life"]),
            ("clock", &["life"]),
            ("error", &[]),
            ("patience", &["error"]),
            ("turn", &["error", "patience"]),
            ("event", &["clock", "hold"]),
            ("stage", &["event"]),
            ("store", &["clock", "error", "event", "turn"]),
            ("proof", &["error", "event"]),
            ("memory", &["clock", "error", "event", "proof", "stage", "store", "turn"]),
            ("sqlite", &["clock", "error", "event", "patience", "proof", "stage", "store", "turn"]),
            ("open", &["error", "memory", "sqlite", "store"]),
            ("copy", &["error", "sqlite", "store"]),
            ("durable", &["clock", "error", "event", "hold", "life", "store"]),
            ("examine", &["durable", "error", "sqlite", "store"]),
            ("salvage", &["durable", "error", "event", "sqlite", "store"]),
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
