//! A command for the shell, when the user asks for one.
//!
//! The shell never reads a value as code: each placeholder becomes a variable that is quoted as its place in the script
//! demands, see [`quoting`](super::quoting). An inactive parameter is an empty word. What the programs of the
//! script do with their arguments is theirs: `sh -c "… {x}"` reads a value as code.
use super::quoting::{Scanner, Spot};
use super::template::{Piece, Word};
use super::trial_env::TrialEnv;
use crate::error::AppError;
use arbora_space::{Domain, Space, Value};
use std::ffi::OsString;

/// A script to be.
#[derive(Clone, Debug)]
pub(crate) struct Script {
    text: String,
    /// Placeholders, with the variables behind them.
    places: Vec<(String, Piece)>,
}

impl Script {
    /// Reads a script; words are joined by blanks.
    pub(crate) fn parse(words: &[String], space: &Space) -> Result<Self, AppError> {
        let word = Word::parse(&words.join(" "), space)?;
        let (mut scanner, mut text, mut places) = (Scanner::new(), String::new(), Vec::new());
        let refused = |piece: Option<&Piece>, problem| AppError::NoPlace {
            placeholder: piece
                .map_or_else(|| "the script".to_owned(), |piece| format!("`{}`", piece.as_written())),
            problem,
        };
        for piece in word.pieces {
            if let Piece::Text(between) = &piece {
                scanner.text(between).map_err(|problem| refused(None, problem))?;
                text.push_str(between);
                continue;
            }
            let spot = scanner.placeholder(is_number(&piece, space));
            let spot = spot.map_err(|problem| refused(Some(&piece), problem))?;
            let variable = format!("ARBORA_PLACE_{}", places.len());
            let quote = if spot == Spot::Open { "\"" } else { "" };
            text.extend([quote, "${", &variable, "-}", quote]);
            places.push((variable, piece));
        }
        Ok(Self { text, places })
    }

    /// What to run for one trial.
    pub(crate) fn command(&self) -> Vec<OsString> {
        vec!["sh".into(), "-c".into(), self.text.clone().into()]
    }

    /// The values behind the variables.
    pub(crate) fn environment(&self, env: &TrialEnv<'_>) -> Vec<(String, OsString)> {
        let value = |piece: &Piece| piece.fill(env).unwrap_or_default();
        self.places.iter().map(|(variable, piece)| (variable.clone(), value(piece))).collect()
    }
}

/// Is the value always a number, which no shell reads as code?
fn is_number(piece: &Piece, space: &Space) -> bool {
    match piece {
        Piece::Trial | Piece::Share | Piece::Fold => true,
        Piece::Text(_) | Piece::Json | Piece::Folder => false,
        Piece::Parameter(name) => space.id(name).is_some_and(|id| match space.parameter(id).domain() {
            Domain::Real(_) | Domain::Lattice(_) => true,
            Domain::Labels(labels) => {
                labels.values().iter().all(|value| matches!(value, Value::Int(_) | Value::Real(_)))
            }
        }),
    }
}

#[cfg(test)]
mod tests;
