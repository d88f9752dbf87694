//! Which room of this crate may look into which, from the lowest up.
use arbora_rooms::Rooms;

#[test]
fn rooms_only_look_where_they_may() {
    Rooms {
        manifest: env!("CARGO_MANIFEST_DIR"),
        edges: &[
            ("error", &[]),
            ("memo", &[]),
            ("trial", &["memo"]),
            ("history", &["error", "memo", "trial"]),
            ("unseen", &["error", "history", "trial"]),
            ("acquisition", &["error"]),
            ("maximize", &["acquisition", "error", "unseen"]),
            ("design", &["error"]),
            (
                "strategy",
                &["acquisition", "design", "error", "history", "maximize", "memo", "trial", "unseen"],
            ),
            ("spec", &["acquisition", "design", "error", "maximize", "strategy"]),
            ("named", &["error", "spec"]),
            ("study", &["error", "history", "memo", "spec", "strategy", "trial"]),
        ],
        libraries: &[("sobol_burley", "design")],
        siblings_apart: &["strategy"],
        longest: 400,
    }
    .check();
}
