//! What Optuna says a parameter may be, as JSON beside every value.
use arbora_space::{DomainSpec, Param, Value};
use serde_json::Value as Json;

/// What a parameter may be.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Distribution {
    Real { low: f64, high: f64, log: bool, step: Option<f64> },
    Integer { low: i64, high: i64, log: bool, step: i64 },
    Choice(Vec<Value>),
}

impl Distribution {
    /// Reads the JSON of today and that of the names before version 3.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let document: Json = serde_json::from_str(text).ok()?;
        let of = |key: &str| &document["attributes"][key];
        let flag = |key: &str| of(key).as_bool().unwrap_or(false);
        let name = document["name"].as_str()?;
        match name {
            "FloatDistribution"
            | "UniformDistribution"
            | "LogUniformDistribution"
            | "DiscreteUniformDistribution" => Some(Distribution::Real {
                low: of("low").as_f64()?,
                high: of("high").as_f64()?,
                log: flag("log") || name.starts_with("Log"),
                step: of("step").as_f64().or_else(|| of("q").as_f64()),
            }),
            "IntDistribution" | "IntUniformDistribution" | "IntLogUniformDistribution" => {
                Some(Distribution::Integer {
                    low: of("low").as_i64()?,
                    high: of("high").as_i64()?,
                    log: flag("log") || name.starts_with("IntLog"),
                    step: of("step").as_i64().unwrap_or(1),
                })
            }
            "CategoricalDistribution" => {
                let choices =
                    of("choices").as_array()?.iter().map(|choice| serde_json::from_value(choice.clone()));
                Some(Distribution::Choice(choices.collect::<Result<_, _>>().ok()?))
            }
            _ => None,
        }
    }

    /// The value behind a stored number: a choice is stored as its position.
    pub(super) fn value(&self, stored: f64) -> Option<Value> {
        match self {
            Distribution::Real { .. } => Some(stored.into()),
            Distribution::Integer { .. } => Some(Value::Int(stored.round() as i64)),
            Distribution::Choice(choices) => choices.get(stored as usize).cloned(),
        }
    }

    /// The range that holds both; steps that do not agree are given up.
    pub(super) fn joined(&self, other: &Distribution) -> Option<Distribution> {
        use Distribution::{Choice, Integer, Real};
        match (self, other) {
            (a, b) if a == b => Some(a.clone()),
            (
                Real { low, high, log, step },
                Real { low: other_low, high: other_high, log: other_log, step: other_step },
            ) => Some(Real {
                low: low.min(*other_low),
                high: high.max(*other_high),
                log: *log && *other_log,
                step: step.filter(|_| step == other_step && low == other_low),
            }),
            (
                Integer { low, high, log, step },
                Integer { low: other_low, high: other_high, log: other_log, step: other_step },
            ) => Some(Integer {
                low: *low.min(other_low),
                high: *high.max(other_high),
                log: *log && *other_log,
                step: if step == other_step && low == other_low { *step } else { 1 },
            }),
            (Choice(a), Choice(b)) => {
                let new = b.iter().filter(|value| !a.contains(value)).cloned();
                Some(Choice(a.iter().cloned().chain(new).collect()))
            }
            _ => None,
        }
    }

    /// As a parameter that is always there.
    pub(super) fn parameter(&self, name: &str) -> Param {
        let scaled = |param: Param, log: bool| if log { param.log() } else { param };
        match self {
            Distribution::Real { low, high, log, step } => {
                let param = scaled(Param::real(name, *low, *high), *log);
                step.map_or(param.clone(), |step| param.step(step))
            }
            Distribution::Integer { low, high, log, step } => {
                let param = scaled(Param::integer(name, *low, *high), *log);
                if *step == 1 { param } else { param.step(*step as f64) }
            }
            Distribution::Choice(choices) => Param::new(name, DomainSpec::Choice(choices.clone())),
        }
    }
}
