//! The same, from Python: what the façade in `package/arbora` stands on.
//!
//! Nothing here decides anything: objects come in, are turned into values, and the crates below do the work with the
//! interpreter's lock released. Errors leave as the exceptions that the façade declares, panics as `InternalError`.
mod command;
mod declaration;
mod detach;
mod details;
mod exception;
mod expression;
mod fork;
mod heartbeat;
mod infer;
mod json;
mod kernel_matrix;
mod panics;
mod plan;
mod pool;
mod pruner;
mod selection;
mod settings;
mod signals;
mod snapshot;
mod space;
mod space_builder;
mod stats;
mod strategy;
mod study;
mod tree;
mod trial_result;
mod trial_view;
mod unseen;
mod value;
mod verdict;
mod words;

/// The native half of the package `arbora`.
#[pyo3::pymodule]
mod _arbora {
    #[pymodule_export]
    use crate::command::main;
    #[pymodule_export]
    use crate::expression::{write_name, write_value};
    #[pymodule_export]
    use crate::fork::{after_fork, before_fork};
    #[pymodule_export]
    use crate::heartbeat::PyHeartbeat;
    #[pymodule_export]
    use crate::infer::infer_conditions;
    #[pymodule_export]
    use crate::plan::PySplits;
    #[pymodule_export]
    use crate::pool::{PyMeans, PyVotes, average, vote};
    #[pymodule_export]
    use crate::pruner::{pruners, race_bars, race_rival, race_settings};
    #[pymodule_export]
    use crate::selection::{confirmed, held_back, paired};
    #[pymodule_export]
    use crate::settings::check_settings;
    #[pymodule_export]
    use crate::signals::interrupted;
    #[pymodule_export]
    use crate::space::PySpace;
    #[pymodule_export]
    use crate::stats::{
        bootstrap_mean, critical_difference, friedman, holm, mann_whitney, nemenyi, nemenyi_of_ranks, ranks,
        wilcoxon,
    };
    #[pymodule_export]
    use crate::strategy::{register_strategy, strategies};
    #[pymodule_export]
    use crate::study::PyStudy;
    #[pymodule_export]
    use crate::unseen::PyUnseen;
    #[pymodule_export]
    use crate::verdict::{expected_best, verdict};
    #[pymodule_export]
    use crate::words::{guarded, parse_duration, similar, unguarded, visible};

    #[pymodule_init]
    #[allow(clippy::unnecessary_wraps, reason = "that is the shape of an initialiser")]
    fn init(_module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        arbora_papers::register().expect("nothing was registered before");
        crate::signals::listen();
        Ok(())
    }

    /// The version of the package.
    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "Python's own name for it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
