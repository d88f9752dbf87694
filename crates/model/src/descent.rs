//! Descent in a box: minimises a smooth function whose gradient is known.
//!
//! L-BFGS-B  [Byrd, Lu, Nocedal & Zhu 1995; Morales & Nocedal 2011]: a limited-memory quadratic model, its
//! minimum along the projected gradient, then over the free coordinates, then a Moré–Thuente line search. Per
//! iteration O(memory·d) beside the one or two evaluations; a run finds the nearest basin only, so start
//! several. Not for noisy functions, and not for kinks: the line search trusts the gradient.
//!
//! This file is the only one that knows the library behind it, and adds what a likelihood needs: values that
//! cannot be computed are stepped away from, the budget is exact, and the best point seen is what comes back.
use basin::{
    BoxBounds, ConstraintDescription, ConstraintSet, Constraints, CostFunction, Executor, FirstOrderState,
    Gradient, Lbfgsb, State, StepOutcome,
};
use std::cell::RefCell;

/// How far a descent goes. The defaults are those of the reference code and of `SciPy`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Descent {
    /// Curvature pairs the quadratic model remembers; at least 1.
    pub memory: usize,
    /// Most evaluations of the function; the start is always evaluated.
    pub evaluations: usize,
    /// Stops when no component of the projected gradient is larger.
    pub gradient_tolerance: f64,
    /// Stops when a step gains no more than this, relative to max(|f|, 1).
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

/// The best point of a descent.
#[derive(Clone, Debug, PartialEq)]
pub struct Lowest {
    /// Inside the box.
    pub point: Vec<f64>,
    /// The function there, never above its value at the start; +∞ if no evaluation was finite.
    pub value: f64,
    /// Evaluations spent.
    pub evaluations: usize,
}

impl Descent {
    /// Minimises `function`, which writes its gradient to the second argument, in the box `bounds` (pairs of
    /// lowest and highest, infinite where open), from `start` moved into the box. A value or gradient that is
    /// not finite rejects its point.
    ///
    /// # Panics
    /// If `bounds` and `start` differ in length.
    pub fn minimize(
        &self,
        bounds: &[(f64, f64)],
        start: &[f64],
        function: impl FnMut(&[f64], &mut [f64]) -> f64,
    ) -> Lowest {
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

    /// Steps until the library stops, the budget ends, or an accepted point turns out to be a rejected one.
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
        // Evaluations are the budget; an iteration costs at least one.
        let executor = Executor::new(Boxed { log, lower, upper }, solver, FirstOrderState::new(start))
            .max_iter(self.evaluations as u64);
        let Ok(mut stepper) = executor.into_stepper() else { return };
        loop {
            let state = stepper.state();
            if !log.borrow_mut().stand_at(state.param())
                || !matches!(stepper.step(), Ok(StepOutcome::Continue))
            {
                return;
            }
        }
    }
}

/// The budget is spent: ends the run.
struct Spent;

/// A point with its finite value and gradient.
#[derive(Clone)]
struct Footing {
    point: Vec<f64>,
    value: f64,
    gradient: Vec<f64>,
}

impl Footing {
    fn move_to(&mut self, point: &[f64], value: f64, gradient: &[f64]) {
        self.point.copy_from_slice(point);
        self.value = value;
        self.gradient.copy_from_slice(gradient);
    }
}

/// Every evaluation passes here.
struct Log<F> {
    function: F,
    budget: usize,
    lowest: Lowest,
    /// Where the line search set out.
    base: Footing,
    /// The latest evaluation that was not rejected.
    latest: Footing,
}

impl<F: FnMut(&[f64], &mut [f64]) -> f64> Log<F> {
    fn new(start: &[f64], budget: usize, function: F) -> Self {
        let nowhere =
            Footing { point: start.to_vec(), value: f64::INFINITY, gradient: vec![0.0; start.len()] };
        let lowest = Lowest { point: start.to_vec(), value: f64::INFINITY, evaluations: 0 };
        Self { function, budget, lowest, base: nowhere.clone(), latest: nowhere }
    }

    fn evaluate(&mut self, point: &[f64], gradient: &mut [f64]) -> Result<f64, Spent> {
        if self.lowest.evaluations == self.budget {
            return Err(Spent);
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
            Ok(self.wall(point, gradient))
        }
    }

    /// What the line search is told about a rejected point. An infinite value would break its interpolation,
    /// so it sees the parabola through the base, with the slope there, that has its minimum a quarter of the
    /// way to the point.
    fn wall(&self, point: &[f64], gradient: &mut [f64]) -> f64 {
        let Footing { point: base, value, gradient: slopes } = &self.base;
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

    /// Moves the base to where the library stands. False if the line search gave up at a rejected point.
    fn stand_at(&mut self, point: &[f64]) -> bool {
        if self.latest.point == point {
            self.base.clone_from(&self.latest);
        }
        self.base.point == point
    }
}

/// The logged function in its box, as the library sees it.
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
    type Error = Spent;

    fn cost(&self, point: &Vec<f64>) -> Result<f64, Spent> {
        self.cost_and_gradient(point).map(|(value, _)| value)
    }
}

impl<F: FnMut(&[f64], &mut [f64]) -> f64> Gradient for Boxed<'_, F> {
    type Gradient = Vec<f64>;

    fn gradient(&self, point: &Vec<f64>) -> Result<Vec<f64>, Spent> {
        self.cost_and_gradient(point).map(|(_, gradient)| gradient)
    }

    fn cost_and_gradient(&self, point: &Vec<f64>) -> Result<(f64, Vec<f64>), Spent> {
        let mut gradient = vec![0.0; point.len()];
        let value = self.log.borrow_mut().evaluate(point, &mut gradient)?;
        Ok((value, gradient))
    }

    fn cost_and_gradient_into(&self, point: &Vec<f64>, gradient: &mut Vec<f64>) -> Result<f64, Spent> {
        self.log.borrow_mut().evaluate(point, gradient)
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "what is exact is claimed exactly")]
mod tests;
