//! Files of other tools: tables of trials go out, studies of others come in.
//!
//! Out: CSV and Parquet, both from the same columns. In: the `SQLite` files of Optuna and the run histories of SMAC3.
mod columns;
mod csv;
mod imported;
mod optuna;
mod parquet;
mod smac;

pub(crate) use columns::columns;
pub(crate) use csv::csv;
pub(crate) use imported::Imported;
pub(crate) use optuna::read as read_optuna;
pub(crate) use parquet::parquet;
pub(crate) use smac::read as read_smac;
