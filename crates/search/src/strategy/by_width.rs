//! One strategy for spaces of few parameters, another for larger ones: both are built, so that a mistake in either
//! shows in every space, and the one that fits the space suggests.
use super::{Component, ModelSpec, Proposer, Strategy, StrategyContext, StrategySpec, ThenSpec};
use crate::cube::varying;
use crate::error::SearchError;
use arbora_model::kernel::{KernelSpec, Matern52};
use arbora_model::{GpSpec, SurrogateSpec};
use arbora_space::Space;
use serde::{Deserialize, Serialize};

/// A process over all branches shares what it learns between them, and costs n³: from here on, a second per suggestion.
const DENSE: usize = 300;

/// Every length-scale of such a process is sampled with every suggestion: beyond so many parameters, too slowly.
const WIDE: usize = 60;

/// One strategy for narrow spaces, another for wide ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByWidth {
    /// Parameters that vary, up to which a space counts as narrow.
    pub columns: usize,
    /// For narrow spaces.
    pub narrow: StrategySpec,
    /// For wide ones.
    pub wide: StrategySpec,
}

impl Default for ByWidth {
    /// A Gaussian process over all branches while it is fast, one that isolates branches after that.
    fn default() -> Self {
        let apart = StrategySpec::new(ModelSpec::default());
        let kernel = KernelSpec::new(Matern52::default());
        let surrogate = SurrogateSpec::new(GpSpec { kernel, ..GpSpec::default() });
        let together = StrategySpec::new(ModelSpec { surrogate, ..ModelSpec::default() });
        let narrow = StrategySpec::new(ThenSpec { first: together, trials: DENSE, then: apart.clone() });
        Self { columns: WIDE, narrow, wide: apart }
    }
}

impl StrategySpec {
    /// What this comes to in a space: one of the two, if it is chosen by width.
    pub fn within(&self, space: &Space) -> &StrategySpec {
        self.get::<ByWidth>().map_or(self, |by_width| by_width.chosen(space).within(space))
    }
}

impl ByWidth {
    fn is_narrow(&self, space: &Space) -> bool {
        varying(space).len() <= self.columns
    }

    /// The one for this space.
    pub fn chosen(&self, space: &Space) -> &StrategySpec {
        if self.is_narrow(space) { &self.narrow } else { &self.wide }
    }
}

impl Component<dyn Strategy> for ByWidth {
    const KIND: &'static str = "by_width";

    fn build(&self, context: StrategyContext<'_>) -> Result<Box<dyn Strategy>, SearchError> {
        let (narrow, wide) = (self.narrow.build_in(context)?, self.wide.build_in(context)?);
        Ok(if self.is_narrow(context.space) { narrow } else { wide })
    }

    fn facts(&self) -> Proposer<'_> {
        Proposer::Other(Box::new(|space, _| self.chosen(space)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::{LatinHypercubes, RandomSearch, Tpe};
    use arbora_model::Workers;
    use arbora_space::Param;

    #[test]
    fn the_width_of_a_space_chooses_and_both_are_checked() {
        let space = |columns: usize| {
            let fixed = Param::integer("fixed", 1, 1);
            let params = (0..columns).map(|i| Param::real(format!("x{i}"), 0.0, 1.0));
            Space::new(params.chain([fixed]).collect::<Vec<_>>()).unwrap()
        };
        let (tpe, random) = (StrategySpec::new(Tpe::default()), StrategySpec::new(RandomSearch {}));
        let spec = StrategySpec::new(ByWidth { columns: 3, narrow: tpe.clone(), wide: random.clone() });
        assert_eq!(*spec.within(&space(3)), tpe, "what is fixed does not count");
        assert_eq!(*spec.within(&space(4)), random);
        let nested = StrategySpec::new(ByWidth { columns: 9, narrow: spec, wide: tpe });
        assert_eq!(*nested.within(&space(4)), random);
        let wide = StrategySpec::new(LatinHypercubes { count: 0 });
        let wrong = StrategySpec::new(ByWidth { columns: 3, narrow: random, wide });
        assert!(wrong.build(&space(1), &Workers::serial()).is_err(), "the other half is looked at too");
    }
}
