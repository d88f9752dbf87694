//! Dual numbers: a value and its derivative with respect to one variable  [Clifford 1873].
use std::ops::{Add, Mul, Sub};

/// value + slope·ε with ε² = 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dual {
    /// The value.
    pub value: f64,
    /// The derivative.
    pub slope: f64,
}

impl Dual {
    /// A constant, with derivative zero.
    pub fn constant(value: f64) -> Self {
        Self { value, slope: 0.0 }
    }

    /// 1/x.
    #[must_use]
    pub fn recip(self) -> Self {
        let value = self.value.recip();
        Self { value, slope: -self.slope * value * value }
    }

    /// x².
    #[must_use]
    pub fn square(self) -> Self {
        self * self
    }

    /// sin x.
    #[must_use]
    pub fn sin(self) -> Self {
        Self { value: libm::sin(self.value), slope: self.slope * libm::cos(self.value) }
    }

    /// cos x.
    #[must_use]
    pub fn cos(self) -> Self {
        Self { value: libm::cos(self.value), slope: -self.slope * libm::sin(self.value) }
    }
}

impl Add for Dual {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { value: self.value + other.value, slope: self.slope + other.slope }
    }
}

impl Sub for Dual {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { value: self.value - other.value, slope: self.slope - other.slope }
    }
}

impl Mul for Dual {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self { value: self.value * other.value, slope: self.slope * other.value + self.value * other.slope }
    }
}

impl Mul<f64> for Dual {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self { value: self.value * factor, slope: self.slope * factor }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_central_differences() {
        let formula = |x: Dual| (x.sin() * x.recip() - x.cos() * 0.3).square() + Dual::constant(2.0) * x;
        for x in [-2.1, 0.4, 1.7] {
            let (step, at) = (1e-5, |x| formula(Dual::constant(x)).value);
            let difference = (at(x + step) - at(x - step)) / (2.0 * step);
            assert!((formula(Dual { value: x, slope: 1.0 }).slope - difference).abs() < 1e-8);
        }
    }
}
