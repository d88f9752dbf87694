//! A learning curve: what a trial reported on its way, as losses.
//!
//! A step counts epochs, folds, minutes: whatever the objective counts. Steps are distinct and in ascending order
//! here, in whatever order they came; the last one is the greatest. A value is any double: one that is not a number is
//! kept, for it says that the trial has gone wrong.
//!
//! A trial whose worker died is handed out again and may begin again, or go on from where it was. So what is reported
//! first after that replaces what was known from its step on, and keeps what came before.

/// The intermediate losses of a trial, by step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    points: Vec<(u64, f64)>,
    /// Was the trial handed out again since the last report?
    is_reopened: bool,
}

impl Curve {
    /// Steps and losses, ascending by step.
    pub fn points(&self) -> &[(u64, f64)] {
        &self.points
    }

    /// How many steps were reported.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Nothing was reported.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// The furthest step and its loss.
    pub fn last(&self) -> Option<(u64, f64)> {
        self.points.last().copied()
    }

    /// The loss at a step, if it was reported there.
    pub fn at(&self, step: u64) -> Option<f64> {
        self.points.binary_search_by_key(&step, |point| point.0).ok().map(|i| self.points[i].1)
    }

    /// The loss at a step, or at the last one reported before it; `None` if the curve does not reach so far. Curves
    /// that report every second epoch can be compared with those that report each.
    pub fn reaching(&self, step: u64) -> Option<f64> {
        if self.last()?.0 < step {
            return None;
        }
        let after = self.points.partition_point(|point| point.0 <= step);
        after.checked_sub(1).map(|i| self.points[i].1)
    }

    /// The first step that is at least this far, and its loss.
    pub fn first_from(&self, step: u64) -> Option<(u64, f64)> {
        self.points.get(self.points.partition_point(|point| point.0 < step)).copied()
    }

    /// The least loss of all steps, leaving out what is no number; `None` if nothing is left.
    pub fn least(&self) -> Option<f64> {
        self.points.iter().map(|point| point.1).filter(|loss| !loss.is_nan()).reduce(f64::min)
    }

    /// May this step come next, if steps only go forward? Otherwise the one it does not pass.
    pub(crate) fn passes(&self, step: u64) -> Result<(), u64> {
        match self.points.last() {
            Some(&(last, _)) if step <= last && !self.is_reopened => Err(last),
            _ => Ok(()),
        }
    }

    /// Takes in a report. One of the same step replaces the earlier one.
    pub(crate) fn push(&mut self, step: u64, loss: f64) {
        let at = self.points.partition_point(|point| point.0 < step);
        if std::mem::take(&mut self.is_reopened) {
            self.points.truncate(at);
        }
        match self.points.get_mut(at) {
            Some(point) if point.0 == step => point.1 = loss,
            _ => self.points.insert(at, (step, loss)),
        }
    }

    /// The trial was handed out again.
    pub(crate) fn reopen(&mut self) {
        self.is_reopened = !self.points.is_empty();
    }
}

impl FromIterator<(u64, f64)> for Curve {
    fn from_iter<I: IntoIterator<Item = (u64, f64)>>(reports: I) -> Self {
        let mut curve = Self::default();
        for (step, loss) in reports {
            curve.push(step, loss);
        }
        curve
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_sorted_and_the_later_report_of_a_step_counts() {
        let curve: Curve = [(4, 0.4), (1, 0.9), (4, 0.3), (2, 0.5)].into_iter().collect();
        assert_eq!(curve.points(), [(1, 0.9), (2, 0.5), (4, 0.3)]);
        assert_eq!((curve.at(2), curve.at(3)), (Some(0.5), None));
        assert_eq!((curve.reaching(3), curve.reaching(0), curve.reaching(5)), (Some(0.5), None, None));
        assert_eq!((curve.first_from(3), curve.first_from(5)), (Some((4, 0.3)), None));
        assert_eq!(curve.passes(4), Err(4));
        assert_eq!(curve.passes(5), Ok(()));
    }

    #[test]
    fn a_trial_that_is_handed_out_again_goes_on_where_it_reports_next() {
        for (next, left) in [(1, vec![(1, 0.0)]), (3, vec![(1, 0.9), (2, 0.5), (3, 0.0)])] {
            let mut curve: Curve = [(1, 0.9), (2, 0.5), (4, 0.3)].into_iter().collect();
            curve.reopen();
            assert_eq!(curve.passes(next), Ok(()));
            curve.push(next, 0.0);
            assert_eq!(curve.points(), left);
            assert_eq!(curve.passes(next), Err(next));
        }
    }

    #[test]
    fn what_is_no_number_is_kept_and_is_never_the_least() {
        let curve: Curve = [(1, f64::NAN), (2, 0.5), (3, f64::INFINITY)].into_iter().collect();
        assert_eq!((curve.len(), curve.least()), (3, Some(0.5)));
        assert_eq!([(1, f64::NAN)].into_iter().collect::<Curve>().least(), None);
    }
}
