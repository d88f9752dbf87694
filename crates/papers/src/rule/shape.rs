//! The gaps that rules are sums of, between two rows with two numbers each.

/// One gap. Single-number gaps read the first number only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// (a₀ − b₀)².
    Square,
    /// √((a₀ − b₀)² + (a₁ − b₁)²).
    Root,
    /// a₀·b₀·(a₁ − b₁)²: the first number is 1 if the second is active.
    Gate,
    /// a₀·b₀·1[a₁ ≠ b₁].
    Differs,
}

impl Shape {
    /// The gap between two rows.
    #[inline(always)]
    pub fn between(self, a: [f64; 2], b: [f64; 2]) -> f64 {
        match self {
            Shape::Square => (a[0] - b[0]) * (a[0] - b[0]),
            Shape::Root => ((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])).sqrt(),
            Shape::Gate => a[0] * b[0] * ((a[1] - b[1]) * (a[1] - b[1])),
            Shape::Differs => a[0] * b[0] * f64::from(a[1] != b[1]),
        }
    }

    /// The derivative if the numbers change by `da` and `db`; gates and categories do not change.
    /// Zero at the kink of a root.
    #[inline(always)]
    pub fn slope(self, (a, da): ([f64; 2], [f64; 2]), (b, db): ([f64; 2], [f64; 2])) -> f64 {
        match self {
            Shape::Square => 2.0 * (a[0] - b[0]) * (da[0] - db[0]),
            Shape::Root => {
                let gap = self.between(a, b);
                let move_along = (a[0] - b[0]) * (da[0] - db[0]) + (a[1] - b[1]) * (da[1] - db[1]);
                if gap == 0.0 { 0.0 } else { move_along / gap }
            }
            Shape::Gate => 2.0 * a[0] * b[0] * (a[1] - b[1]) * (da[1] - db[1]),
            Shape::Differs => 0.0,
        }
    }
}
