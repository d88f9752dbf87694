//! What a process does around a fork.
use pyo3::prelude::*;

/// Before a process forks: closes all files and keeps other threads away from them.
#[pyfunction]
pub(crate) fn before_fork() {
    arbora_store::before_fork();
}

/// After a fork, in the parent and in the child.
#[pyfunction]
pub(crate) fn after_fork() {
    arbora_store::after_fork();
}
