//! A command for the shell, when the user asks for one.
//!
//! The shell never reads a value as code: each placeholder becomes a quoted variable, and what a variable holds is not
//! parsed again. An inactive parameter is an empty word. Inside single quotes a placeholder stays as it is, as every
//! variable of the shell would.
use super::offer::Offer;
use super::template::{Piece, Word};
use crate::error::AppError;
use arbora_space::Space;
use std::ffi::OsString;

/// A script to be.
#[derive(Clone, Debug)]
pub(crate) struct Script {
    word: Word,
}

impl Script {
    /// Reads a script; words are joined by blanks.
    pub(crate) fn parse(words: &[String], space: &Space) -> Result<Self, AppError> {
        Ok(Self { word: Word::parse(&words.join(" "), space)? })
    }

    /// What to run for one trial.
    pub(crate) fn command(&self) -> Vec<OsString> {
        let variable = |(i, piece): (usize, &Piece)| match piece {
            Piece::Text(text) => text.clone(),
            _ => format!("\"${{{}-}}\"", variable(i)),
        };
        let script: String = self.word.pieces.iter().enumerate().map(variable).collect();
        vec!["sh".into(), "-c".into(), script.into()]
    }

    /// The values behind the variables.
    pub(crate) fn environment(&self, offer: &Offer<'_>) -> Vec<(String, OsString)> {
        let pieces =
            self.word.pieces.iter().enumerate().filter(|(_, piece)| !matches!(piece, Piece::Text(_)));
        pieces.map(|(i, piece)| (variable(i), piece.fill(offer).unwrap_or_default())).collect()
    }
}

fn variable(i: usize) -> String {
    format!("ARBORA_PLACE_{i}")
}
