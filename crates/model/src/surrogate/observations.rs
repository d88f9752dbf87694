//! The data a process is fitted to: a subset of the observations if there are many, with
//! standardised losses.
use super::{Scale, saturate};
use crate::dataset::Dataset;
use crate::error::FitError;
use std::borrow::Cow;

/// Observations and their standardised losses.
pub struct Observations<'a> {
    /// The observations with their original losses.
    pub data: Cow<'a, Dataset>,
    /// Standardised, one per observation.
    pub losses: Vec<f64>,
    /// Converts between original and standardised losses.
    pub scale: Scale,
}

impl<'a> Observations<'a> {
    /// Uses these rows, or all, scaled by their own mean and standard deviation. Points must have
    /// `width` columns.
    pub fn new(data: &'a Dataset, rows: Option<Vec<usize>>, width: usize) -> Result<Self, FitError> {
        if data.points().width() != width {
            return Err(FitError::WrongWidth { expected: width, found: data.points().width() });
        }
        let data = match rows {
            Some(rows) => Cow::Owned(data.select(&rows)?),
            None => Cow::Borrowed(data),
        };
        let raw: Vec<f64> = data.losses().iter().map(|&loss| saturate(loss)).collect();
        let scale = Scale::of(&raw);
        let losses = raw.iter().map(|&loss| scale.standardise(loss)).collect();
        Ok(Self { data, losses, scale })
    }

    /// Uses all rows, on the scale of a larger set.
    pub(super) fn scaled(data: &'a Dataset, scale: Scale) -> Self {
        let losses = data.losses().iter().map(|&loss| scale.standardise(saturate(loss))).collect();
        Self { data: Cow::Borrowed(data), losses, scale }
    }
}
