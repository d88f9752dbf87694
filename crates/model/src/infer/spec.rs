//! Inference as plain data: `{ kind = "slice", draws = 10 }`, `{ kind = "map", starts = 5 }` or
//! `{ kind = "fixed" }`.
use super::{Estimate, Fixed, GlobalSearch, Inference, Map, Slice};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How θ is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum InferenceSpec {
    /// Slice sampling.
    Slice {
        /// States kept at each fit.
        #[serde(default = "default_draws")]
        draws: usize,
        /// Iterations forgotten at a fresh start.
        #[serde(default = "default_burn_in")]
        burn_in: usize,
        /// Length of the first interval, in units of θ.
        #[serde(default = "default_width")]
        width: f64,
        /// Beyond so many observations the chain moves less and keeps more of what it has.
        #[serde(default = "default_settled")]
        settled: usize,
    },
    /// The most probable θ, by descents from several starts.
    Map {
        /// Descents.
        #[serde(default = "default_starts")]
        starts: usize,
        /// What is maximised.
        #[serde(default)]
        estimate: Estimate,
    },
    /// θ stays at its start.
    Fixed {},
    /// The most probable θ, by a search of the whole box.
    Direct {
        /// Evaluations of the search.
        #[serde(default = "default_evaluations")]
        evaluations: usize,
        /// Are they per hyper, or in all?
        #[serde(default = "default_per_hyper")]
        per_hyper: bool,
        /// What is maximised.
        #[serde(default = "default_estimate")]
        estimate: Estimate,
        /// Is the best point of the search improved by gradients?
        #[serde(default = "default_polish")]
        polish: bool,
    },
}

/// A setting no inference can be built from.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum InferenceError {
    /// A count of zero.
    #[error("inference `{kind}`: `{field}` must be at least 1, got {value}")]
    NotPositive {
        /// Which inference.
        kind: &'static str,
        /// Which setting.
        field: &'static str,
        /// Its value.
        value: usize,
    },
    /// A width that is no length.
    #[error("inference `slice`: `width` must be a positive number (1 suits log-scaled hypers), got {value}")]
    Width {
        /// Its value.
        value: f64,
    },
}

impl InferenceSpec {
    /// Checks every setting and returns the working inference.
    pub fn build(&self) -> Result<Box<dyn Inference>, InferenceError> {
        match *self {
            Self::Slice { draws, burn_in, width, settled } => {
                at_least_one("slice", "draws", draws)?;
                if !(width > 0.0 && width.is_finite()) {
                    return Err(InferenceError::Width { value: width });
                }
                at_least_one("slice", "settled", settled)?;
                Ok(Box::new(Slice { draws, burn_in, width, settled }))
            }
            Self::Map { starts, estimate } => {
                at_least_one("map", "starts", starts)?;
                Ok(Box::new(Map { starts, estimate, ..Map::default() }))
            }
            Self::Fixed {} => Ok(Box::new(Fixed)),
            Self::Direct { evaluations, per_hyper, estimate, polish } => {
                at_least_one("direct", "evaluations", evaluations)?;
                Ok(Box::new(GlobalSearch { evaluations, per_hyper, estimate, polish }))
            }
        }
    }
}

impl Default for InferenceSpec {
    fn default() -> Self {
        let Slice { draws, burn_in, width, settled } = Slice::default();
        Self::Slice { draws, burn_in, width, settled }
    }
}

fn at_least_one(kind: &'static str, field: &'static str, value: usize) -> Result<(), InferenceError> {
    if value == 0 { Err(InferenceError::NotPositive { kind, field, value }) } else { Ok(()) }
}

fn default_draws() -> usize {
    Slice::default().draws
}

fn default_burn_in() -> usize {
    Slice::default().burn_in
}

fn default_width() -> f64 {
    Slice::default().width
}

fn default_settled() -> usize {
    Slice::default().settled
}

fn default_evaluations() -> usize {
    GlobalSearch::default().evaluations
}

fn default_per_hyper() -> bool {
    GlobalSearch::default().per_hyper
}

fn default_estimate() -> Estimate {
    GlobalSearch::default().estimate
}

fn default_polish() -> bool {
    GlobalSearch::default().polish
}

fn default_starts() -> usize {
    Map::default().starts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<InferenceSpec, serde_json::Error> {
        serde_json::from_str(text)
    }

    #[test]
    fn what_is_left_out_takes_its_default() {
        assert_eq!(read(r#"{"kind":"slice"}"#).unwrap(), InferenceSpec::default());
        assert_eq!(
            read(r#"{"kind":"map","estimate":"likelihood"}"#).unwrap(),
            InferenceSpec::Map { starts: 5, estimate: Estimate::Likelihood }
        );
    }

    #[test]
    fn writing_and_reading_is_identity() {
        for spec in [
            InferenceSpec::Slice { draws: 3, burn_in: 0, width: 0.5, settled: 99 },
            InferenceSpec::Map { starts: 2, estimate: Estimate::Posterior },
            InferenceSpec::Fixed {},
        ] {
            assert_eq!(read(&serde_json::to_string(&spec).unwrap()).unwrap(), spec);
            assert!(spec.build().is_ok());
        }
    }

    #[test]
    fn unknown_kinds_and_fields_are_rejected() {
        for text in [
            r#"{"kind":"slice","drawz":1}"#,
            r#"{"kind":"fixed","draws":1}"#,
            r#"{"kind":"guess"}"#,
            r#"{"draws":1}"#,
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn settings_out_of_range_are_named() {
        let build = |text: &str| read(text).unwrap().build().err().unwrap().to_string();
        assert_eq!(
            build(r#"{"kind":"slice","draws":0}"#),
            "inference `slice`: `draws` must be at least 1, got 0"
        );
        assert_eq!(
            build(r#"{"kind":"map","starts":0}"#),
            "inference `map`: `starts` must be at least 1, got 0"
        );
        assert_eq!(
            build(r#"{"kind":"slice","width":-1.0}"#),
            "inference `slice`: `width` must be a positive number (1 suits log-scaled hypers), got -1"
        );
    }
}
