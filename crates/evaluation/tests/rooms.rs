//! Which room of this crate may look into which, from the lowest up.
use arbora_rooms::Rooms;

#[test]
fn rooms_only_look_where_they_may() {
    Rooms {
        manifest: env!("CARGO_MANIFEST_DIR"),
        edges: &[
            ("error", &[]),
            ("rows", &["error"]),
            ("resample", &["error", "rows"]),
            ("plan", &["error", "resample", "rows"]),
            ("select", &["error"]),
            ("verdict", &["error", "select"]),
            ("ensemble", &["error"]),
        ],
        libraries: &[],
        siblings_apart: &[],
        rings: &[],
        longest: 400,
    }
    .check();
}
