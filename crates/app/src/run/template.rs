//! The command as the user wrote it, with places for values.
//!
//! `{name}` is the value of a parameter, `{{` and `}}` are braces. `{:json}` is the path of a file with the
//! configuration, `{:folder}` the folder of the trial, `{:trial}` its number, `{:share}` how much of an
//! evaluation is wanted (1 is all), `{:fold}` which fold (left out like an inactive parameter if all are). A value is always one argument or part of
//! one: no shell looks at it, whatever characters it holds.
//!
//! A word with a parameter that is inactive is left out, and a flag right before it goes with it: of
//! `--C {svm.C} --depth {forest.depth}` only the half that takes part remains. A flag is a word that begins with `-` and
//! holds neither `=` nor a placeholder; write `--depth={forest.depth}` where the flag before must stay.
use super::trial_env::TrialEnv;
use crate::error::AppError;
use arbora_space::Space;
use std::ffi::OsString;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Piece {
    Text(String),
    Parameter(String),
    Json,
    Folder,
    Trial,
    Share,
    Fold,
}

/// One argument to be.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Word {
    pub(super) pieces: Vec<Piece>,
}

/// A command to be: the program and its arguments.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    words: Vec<Word>,
}

impl Template {
    /// Reads a command; every placeholder must name a parameter of the space.
    pub(crate) fn parse(words: &[String], space: &Space) -> Result<Self, AppError> {
        let words = words.iter().map(|text| Word::parse(text, space)).collect::<Result<Vec<_>, _>>()?;
        if let Some(name) = words.first().and_then(|program| program.conditional(space)) {
            return Err(AppError::ConditionalProgram { name: name.to_owned() });
        }
        Ok(Self { words })
    }

    /// The program and its arguments for one trial.
    pub(crate) fn fill(&self, env: &TrialEnv<'_>) -> Vec<OsString> {
        let mut filled = Vec::with_capacity(self.words.len());
        let mut after_flag = false;
        for word in &self.words {
            if let Some(text) = word.fill(env) {
                filled.push(text);
                after_flag = filled.len() > 1 && word.is_flag();
            } else if std::mem::take(&mut after_flag) {
                filled.pop();
            }
        }
        filled
    }

    /// The program, if it is the same for all trials.
    pub(crate) fn program(&self) -> Option<&str> {
        match self.words.first()?.pieces.as_slice() {
            [Piece::Text(text)] => Some(text),
            _ => None,
        }
    }
}

impl Word {
    pub(super) fn parse(text: &str, space: &Space) -> Result<Self, AppError> {
        let bad = |problem| AppError::BadTemplate { word: text.to_owned(), problem };
        let (mut pieces, mut plain, mut rest) = (Vec::new(), String::new(), text);
        while let Some(at) = rest.find(['{', '}']) {
            plain.push_str(&rest[..at]);
            let brace = &rest[at..=at];
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix(brace) {
                plain.push_str(brace);
                rest = after;
                continue;
            }
            if brace == "}" {
                return Err(bad("a `}` stands alone; write `}}` for a brace"));
            }
            let end = rest.find('}').ok_or_else(|| bad("a `{` is never closed; write `{{` for a brace"))?;
            if !plain.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut plain)));
            }
            pieces.push(Piece::named(&rest[..end], text, space)?);
            rest = &rest[end + 1..];
        }
        plain.push_str(rest);
        if !plain.is_empty() || pieces.is_empty() {
            pieces.push(Piece::Text(plain));
        }
        Ok(Self { pieces })
    }

    /// `None` if a parameter in it is inactive.
    pub(super) fn fill(&self, env: &TrialEnv<'_>) -> Option<OsString> {
        let mut text = OsString::new();
        for piece in &self.pieces {
            text.push(piece.fill(env)?);
        }
        Some(text)
    }

    fn is_flag(&self) -> bool {
        match self.pieces.as_slice() {
            [Piece::Text(text)] => {
                text.starts_with('-') && text != "-" && text != "--" && !text.contains('=')
            }
            _ => false,
        }
    }

    /// A parameter in it that is not always there.
    fn conditional<'a>(&'a self, space: &Space) -> Option<&'a str> {
        let conditional =
            |name: &str| space.spec().parameters.iter().any(|p| p.name == name && !p.when.is_empty());
        self.pieces.iter().find_map(|piece| match piece {
            Piece::Parameter(name) if conditional(name) => Some(name.as_str()),
            _ => None,
        })
    }
}

impl Piece {
    fn named(name: &str, word: &str, space: &Space) -> Result<Self, AppError> {
        match name {
            ":json" => Ok(Piece::Json),
            ":folder" => Ok(Piece::Folder),
            ":trial" => Ok(Piece::Trial),
            ":share" => Ok(Piece::Share),
            ":fold" => Ok(Piece::Fold),
            _ if space.spec().parameters.iter().any(|p| p.name == name) => {
                Ok(Piece::Parameter(name.to_owned()))
            }
            _ => Err(AppError::UnknownPlaceholder {
                name: name.to_owned(),
                word: word.to_owned(),
                known: space.spec().parameters.iter().map(|p| p.name.clone()).collect(),
            }),
        }
    }

    /// As it stands in the command.
    pub(super) fn as_written(&self) -> String {
        match self {
            Piece::Text(text) => text.clone(),
            Piece::Parameter(name) => format!("{{{name}}}"),
            Piece::Json => "{:json}".to_owned(),
            Piece::Folder => "{:folder}".to_owned(),
            Piece::Trial => "{:trial}".to_owned(),
            Piece::Share => "{:share}".to_owned(),
            Piece::Fold => "{:fold}".to_owned(),
        }
    }

    pub(super) fn fill(&self, env: &TrialEnv<'_>) -> Option<OsString> {
        match self {
            Piece::Text(text) => Some(text.into()),
            Piece::Parameter(name) => env.value(name).map(|value| value.to_string().into()),
            Piece::Json => Some(env.configuration_file().into()),
            Piece::Folder => Some(env.folder.into()),
            Piece::Trial => Some(env.trial.to_string().into()),
            Piece::Share => Some(env.share().into()),
            Piece::Fold => env.fold().map(Into::into),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbora_search::Effort;
    use arbora_space::{Named, Param, Value};
    use std::path::Path;

    fn space() -> Space {
        Space::new([
            Param::choice("model", ["svm", "forest"]),
            Param::real("C", 1e-5, 1e5).log().when("model == 'svm'"),
            Param::integer("depth", 1, 30).or_none().when("model == 'forest'"),
        ])
        .unwrap()
    }

    fn filled(words: &[&str], values: &[(&str, Value)]) -> Vec<String> {
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        let values: Named = values.iter().cloned().collect();
        let env = TrialEnv {
            study: "s",
            trial: 7,
            effort: Effort::Full,
            folder: Path::new("logs/7"),
            values: &values,
        };
        let template = Template::parse(&words, &space()).unwrap();
        template.fill(&env).into_iter().map(|word| word.into_string().unwrap()).collect()
    }

    #[test]
    fn values_take_their_places() {
        let words = ["./t", "--C", "{C}", "-m{model}", "{{{C}}}", "{:trial}", "{:json}", "{:folder}/out"];
        let expected =
            ["./t", "--C", "0.25", "-msvm", "{0.25}", "7", "logs/7/configuration.json", "logs/7/out"];
        assert_eq!(filled(&words, &[("model", "svm".into()), ("C", 0.25.into())]), expected);
    }

    #[test]
    fn what_is_inactive_goes_with_its_flag() {
        let words = ["t", "--C", "{C}", "--depth={depth}", "-v", "--depth", "{depth}", "{depth}", "end"];
        assert_eq!(
            filled(&words, &[("model", "svm".into()), ("C", 2.0.into())]),
            ["t", "--C", "2.0", "-v", "end"]
        );
        let forest = filled(&words, &[("model", "forest".into()), ("depth", Value::None)]);
        assert_eq!(forest, ["t", "--depth=none", "-v", "--depth", "none", "none", "end"]);
    }

    #[test]
    fn the_program_and_lone_dashes_are_no_flags() {
        assert_eq!(filled(&["-t", "{C}"], &[]), ["-t"]);
        assert_eq!(filled(&["t", "--", "{C}", "-", "{C}", "--a=b", "{C}"], &[]), ["t", "--", "-", "--a=b"]);
    }

    #[test]
    fn any_text_stays_one_argument() {
        let nasty = "a b; $(touch x) `id` '\"\n* {C} -rf";
        let values = Named::from_iter([("model", nasty)]);
        let env =
            TrialEnv { study: "s", trial: 0, effort: Effort::Full, folder: Path::new("f"), values: &values };
        let template = Template::parse(&["t".into(), "--m={model}".into()], &space()).unwrap();
        assert_eq!(template.fill(&env), ["t".into(), OsString::from(format!("--m={nasty}"))]);
    }

    #[test]
    fn mistakes_are_named() {
        let trouble =
            |word: &str| Template::parse(&["t".into(), word.into()], &space()).unwrap_err().to_string();
        assert!(trouble("{modell}").contains("did you mean `model`?"), "{}", trouble("{modell}"));
        assert!(trouble("{a").contains("never closed"));
        assert!(trouble("a}").contains("stands alone"));
        let program = Template::parse(&["{C}".into()], &space()).unwrap_err();
        assert!(matches!(program, AppError::ConditionalProgram { name } if name == "C"));
    }
}
