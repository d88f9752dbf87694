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
            ("importance", &["error", "history", "trial"]),
            ("missing", &["history", "trial"]),
            ("range", &["error"]),
            ("ladder", &["error", "trial"]),
            ("believed", &[]),
            ("cube", &[]),
            ("sobol", &[]),
            ("evolution", &[]),
            ("acquisition", &["believed", "error"]),
            ("maximize", &["acquisition", "cube", "error", "evolution", "sobol", "unseen"]),
            ("design", &["cube", "error", "sobol"]),
            (
                "strategy",
                &[
                    "acquisition",
                    "believed",
                    "cube",
                    "design",
                    "error",
                    "evolution",
                    "history",
                    "ladder",
                    "maximize",
                    "memo",
                    "trial",
                    "unseen",
                ],
            ),
            ("spec", &["acquisition", "design", "error", "maximize", "strategy"]),
            ("strategy_spec", &["cube", "design", "error", "ladder", "spec", "strategy"]),
            ("named", &["error", "evolution", "maximize", "spec", "strategy", "strategy_spec"]),
            ("study", &["error", "history", "memo", "range", "strategy", "strategy_spec", "trial"]),
        ],
        libraries: &[("sobol_burley", "sobol")],
        siblings_apart: &["strategy"],
        longest: 400,
    }
    .check();
}
