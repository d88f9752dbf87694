//! Alternatives, ordered or not.
//!
//! Unordered: alternative i of k is encoded as i/(k−1), the index coding of the papers; kernels for
//! categories only ask whether two codes are equal. Ordered: (i + ½)/k, as for a grid.
use crate::error::SpaceError;
use crate::value::Value;
use std::collections::HashMap;

/// Alternatives, ordered or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Labels {
    values: Vec<Value>,
    ordered: bool,
    retired: Vec<bool>,
    /// Position of each alternative by its meaning; empty if a linear search is faster.
    places: HashMap<Value, usize>,
}

/// Up to this many alternatives, a linear search is faster than hashing.
const FEW: usize = 16;

/// The canonical form of values with the same meaning: an integer if a real has no fraction.
fn meaning(value: &Value) -> Value {
    match value {
        Value::Real(x) => {
            Some(Value::Int(*x as i64)).filter(|whole| whole.means(value)).unwrap_or(value.clone())
        }
        other => other.clone(),
    }
}

impl Labels {
    pub(super) fn new(
        name: &str,
        values: Vec<Value>,
        ordered: bool,
        retired_values: &[Value],
    ) -> Result<Self, SpaceError> {
        if values.is_empty() {
            return Err(SpaceError::NoChoices { name: name.to_owned() });
        }
        let mut places = HashMap::new();
        for (i, value) in values.iter().enumerate() {
            if value.as_f64().is_some_and(|x| !x.is_finite()) {
                let value = value.as_f64().unwrap_or(f64::NAN);
                return Err(SpaceError::BoundNotFinite { name: name.to_owned(), value });
            }
            if places.insert(meaning(value), i).is_some() {
                return Err(SpaceError::DuplicateChoice { name: name.to_owned(), value: value.to_string() });
            }
        }
        if values.len() <= FEW {
            places.clear();
        }
        let mut labels = Self { retired: vec![false; values.len()], values, ordered, places };
        for value in retired_values {
            let Some(i) = labels.find(value) else {
                return Err(SpaceError::ValueOutsideDomain {
                    name: name.to_owned(),
                    value: value.to_string(),
                    domain: labels.to_string(),
                });
            };
            labels.retired[i] = true;
        }
        if labels.offered().next().is_none() {
            return Err(SpaceError::NoChoices { name: name.to_owned() });
        }
        Ok(labels)
    }

    /// Number of alternatives, including retired ones.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Always false: an empty choice is an error.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Are the alternatives ordered?
    pub fn is_ordered(&self) -> bool {
        self.ordered
    }

    /// The i-th alternative.
    pub fn value(&self, i: usize) -> &Value {
        &self.values[i]
    }

    /// All alternatives, in the order of declaration.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// Positions of the alternatives that are not retired.
    pub fn offered(&self) -> impl Iterator<Item = usize> + '_ {
        self.retired.iter().enumerate().filter(|(_, retired)| !**retired).map(|(i, _)| i)
    }

    /// Is the i-th alternative kept for old trials only?
    pub fn is_retired(&self, i: usize) -> bool {
        self.retired[i]
    }

    /// The position of a value in canonical form.
    pub fn index_of(&self, value: &Value) -> Option<usize> {
        if self.places.is_empty() {
            return self.values.iter().position(|v| v == value);
        }
        self.find(value).filter(|i| self.values[*i] == *value)
    }

    /// The position of a value; an integer equals a real of the same value.
    pub fn find(&self, value: &Value) -> Option<usize> {
        if self.places.is_empty() {
            return self.values.iter().position(|v| v.means(value));
        }
        self.places.get(&meaning(value)).copied()
    }

    /// The code of the i-th alternative.
    pub fn encode(&self, i: usize) -> f64 {
        match (self.values.len(), self.ordered) {
            (1, _) => 0.5,
            (k, true) => (i as f64 + 0.5) / k as f64,
            (k, false) => i as f64 / (k - 1) as f64,
        }
    }

    /// The position of the alternative nearest to a code.
    pub fn decode(&self, u: f64) -> usize {
        let k = self.values.len();
        let u = if u.is_nan() { 0.0 } else { u.clamp(0.0, 1.0) };
        if self.ordered {
            ((u * k as f64) as usize).min(k - 1)
        } else {
            (u * (k - 1) as f64).round() as usize
        }
    }
}

impl std::fmt::Display for Labels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const SHOWN: usize = 12;
        f.write_str(if self.ordered { "the ordered alternatives " } else { "one of " })?;
        for (i, value) in self.values.iter().take(SHOWN).enumerate() {
            write!(f, "{}{value}", if i > 0 { ", " } else { "" })?;
        }
        if self.values.len() > SHOWN {
            write!(f, " … ({} in all)", self.values.len())?;
        }
        Ok(())
    }
}
