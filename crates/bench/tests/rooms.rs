//! Which room of this crate may look into which, from the lowest up.
use arbora_rooms::Rooms;

#[test]
fn rooms_only_look_where_they_may() {
    Rooms {
        manifest: env!("CARGO_MANIFEST_DIR"),
        edges: &[("error", &[]), ("stats", &["error"]), ("problem", &["error"])],
        libraries: &[("statrs", "stats")],
        siblings_apart: &["problem"],
        longest: 400,
    }
    .check();
}
