//! L-BFGS-B: minimises a smooth function with a known gradient in a box.
//!
//! [Byrd, Lu, Nocedal & Zhu 1995; Morales & Nocedal 2011]: a limited-memory quadratic model is
//! minimised along the projected gradient, then over the free coordinates, followed by a
//! Moré–Thuente line search. Each iteration costs O(memory·d) besides one or two evaluations. A run
//! finds the nearest local minimum only, so start several. Not for noisy functions or functions
//! with kinks: the line search trusts the gradient.
//!
//! Only this file uses the optimisation library. It adds what likelihoods need: it steps away from
//! points where the value cannot be computed, keeps the evaluation budget exactly, and returns the
//! best point seen.
use basin::{
    BoxBounds, ConstraintDescription, ConstraintSet, Constraints, CostFunction, Executor, FirstOrderState,
    Gradient, Lbfgsb, State, StepOutcome,
};
use std::cell::RefCell;

/// Limits and tolerances. The defaults are those of the reference code and of `SciPy`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Descent {
    /// Number of curvature pairs in the quadratic model; at least 1.
    pub memory: usize,
    /// Maximum number of function evaluations. The start is always evaluated.
    pub evaluations: usize,
    /// Stops when every component of the projected gradient is at most this.
    pub gradient_tolerance: f64,
    /// Stops when a step improves by at most this, relative to max(|f|, 1).
    pub gain_tolerance: f64,
}

impl Default for Descent {
    fn default() -> Self {
        Self {
            memory: 10,
            evaluations: 15_000,
            gradient_tolerance: 1e-5,
            gain_tolerance: 2.220_446_049_250_313e-9,
        }
    }
}

/// The best point found.
#[derive(Clone, Debug, PartialEq)]
pub struct Minimum {
    /// Its coordinates, inside the box.
    pub point: Vec<f64>,
    /// Its function value, never above the value at the start; +∞ if no evaluation was finite.
    pub value: f64,
    /// Number of evaluations used.
    pub evaluations: usize,
}

impl Descent {
    /// Minimises `function`, which writes its gradient to the second argument, in the box `bounds`
    /// (pairs of lower and upper bound, infinite where open). Starts at `start`, clamped into the
    /// box. A point whose value or gradient is not finite is rejected.
    ///
    /// # Panics
    /// If `bounds` and `start` differ in length.
    pub fn minimize(
        &self,
        bounds: &[(f64, f64)],
        start: &[f64],
        function: impl FnMut(&[f64], &mut [f64]) -> f64,
    ) -> Minimum {
        assert_eq!(bounds.len(), start.len(), "one pair of bounds per coordinate");
        let start: Vec<f64> =
            start.iter().zip(bounds).map(|(&x, &(low, high))| x.max(low).min(high)).collect();
        let log = RefCell::new(Log::new(&start, self.evaluations.max(1), function));
        if start.is_empty() {
            let _ = log.borrow_mut().evaluate(&start, &mut []);
        } else {
            self.run(bounds, start, &log);
        }
        log.into_inner().lowest
    }

    /// Steps until the library stops, the budget is used up, or the library accepts a rejected
    /// point.
    fn run<F: FnMut(&[f64], &mut [f64]) -> f64>(
        &self,
        bounds: &[(f64, f64)],
        start: Vec<f64>,
        log: &RefCell<Log<F>>,
    ) {
        let (lower, upper) = bounds.iter().copied().unzip();
        let solver = Lbfgsb::new()
            .with_m_capacity(self.memory.max(1))
            .with_absolute_projected_gradient_tolerance(self.gradient_tolerance.max(0.0))
            .with_relative_cost_reduction_tolerance(self.gain_tolerance.max(0.0));
        // The budget counts evaluations; an iteration needs at least one.
        let executor = Executor::new(Boxed { log, lower, upper }, solver, FirstOrderState::new(start))
            .max_iter(self.evaluations as u64);
        let Ok(mut stepper) = executor.into_stepper() else { return };
        loop {
            let state = stepper.state();
            if !log.borrow_mut().accept(state.param()) || !matches!(stepper.step(), Ok(StepOutcome::Continue))
            {
                return;
            }
        }
    }
}

/// The evaluation budget is used up: ends the run.
struct BudgetExhausted;

/// A point with its finite value and gradient.
#[derive(Clone)]
struct Iterate {
    point: Vec<f64>,
    value: f64,
    gradient: Vec<f64>,
}

impl Iterate {
    fn move_to(&mut self, point: &[f64], value: f64, gradient: &[f64]) {
        self.point.copy_from_slice(point);
        self.value = value;
        self.gradient.copy_from_slice(gradient);
    }
}

/// Wraps the function and records every evaluation.
struct Log<F> {
    function: F,
    budget: usize,
    lowest: Minimum,
    /// Where the current line search started.
    base: Iterate,
    /// The latest evaluation that was not rejected.
    latest: Iterate,
}

impl<F: FnMut(&[f64], &mut [f64]) -> f64> Log<F> {
    fn new(start: &[f64], budget: usize, function: F) -> Self {
        let nowhere =
            Iterate { point: start.to_vec(), value: f64::INFINITY, gradient: vec![0.0; start.len()] };
        let lowest = Minimum { point: start.to_vec(), value: f64::INFINITY, evaluations: 0 };
        Self { function, budget, lowest, base: nowhere.clone(), latest: nowhere }
    }

    fn evaluate(&mut self, point: &[f64], gradient: &mut [f64]) -> Result<f64, BudgetExhausted> {
        if self.lowest.evaluations == self.budget {
            return Err(BudgetExhausted);
        }
        self.lowest.evaluations += 1;
        let value = (self.function)(point, gradient);
        if value.is_finite() && value < self.lowest.value {
            self.lowest.value = value;
            self.lowest.point.copy_from_slice(point);
        }
        if value.is_finite() && gradient.iter().all(|slope| slope.is_finite()) {
            self.latest.move_to(point, value, gradient);
            Ok(value)
        } else {
            Ok(self.barrier(point, gradient))
        }
    }

    /// Replacement value and gradient for a rejected point. An infinite value would break the line
    /// search's interpolation, so we return the parabola through the base, with the base's slope,
    /// whose minimum lies a quarter of the way to the point.
    fn barrier(&self, point: &[f64], gradient: &mut [f64]) -> f64 {
        let Iterate { point: base, value, gradient: slopes } = &self.base;
        if value.is_infinite() {
            return f64::INFINITY;
        }
        let steps = || point.iter().zip(base).map(|(to, from)| to - from);
        let length: f64 = steps().map(|step| step * step).sum();
        let drop = steps().zip(slopes).map(|(step, slope)| step * slope).sum::<f64>().abs();
        for ((entry, slope), step) in gradient.iter_mut().zip(slopes).zip(steps()) {
            *entry = slope + 4.0 * drop * step / length;
        }
        value + drop
    }

    /// Moves the base to the library's current point. False if the line search ended at a rejected
    /// point.
    fn accept(&mut self, point: &[f64]) -> bool {
        if self.latest.point == point {
            self.base.clone_from(&self.latest);
        }
        self.base.point == point
    }
}

/// The recorded function and its box, as a problem for the library.
struct Boxed<'a, F> {
    log: &'a RefCell<Log<F>>,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl<F> Constraints for Boxed<'_, F> {
    type Set = ConstraintSet<BoxBounds<Vec<f64>>>;

    fn constraints(&self) -> <Self::Set as ConstraintDescription>::Borrowed<'_> {
        ConstraintSet::new().with_bounds(BoxBounds::new(Some(&self.lower), Some(&self.upper)))
    }
}

impl<F: FnMut(&[f64], &mut [f64]) -> f64> CostFunction for Boxed<'_, F> {
    type Param = Vec<f64>;
    type Output = f64;
    type Error = BudgetExhausted;

    fn cost(&self, point: &Vec<f64>) -> Result<f64, BudgetExhausted> {
        self.cost_and_gradient(point).map(|(value, _)| value)
    }
}

impl<F: FnMut(&[f64], &mut [f64]) -> f64> Gradient for Boxed<'_, F> {
    type Gradient = Vec<f64>;

    fn gradient(&self, point: &Vec<f64>) -> Result<Vec<f64>, BudgetExhausted> {
        self.cost_and_gradient(point).map(|(_, gradient)| gradient)
    }

    fn cost_and_gradient(&self, point: &Vec<f64>) -> Result<(f64, Vec<f64>), BudgetExhausted> {
        let mut gradient = vec![0.0; point.len()];
        let value = self.log.borrow_mut().evaluate(point, &mut gradient)?;
        Ok((value, gradient))
    }

    fn cost_and_gradient_into(
        &self,
        point: &Vec<f64>,
        gradient: &mut Vec<f64>,
    ) -> Result<f64, BudgetExhausted> {
        self.log.borrow_mut().evaluate(point, gradient)
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "exact results are compared exactly")]
mod tests;
