//! Multi-fidelity search as data.
use super::{Fabolas, Widened};
use crate::component::{Component, StrategyContext};
use crate::error::{SearchError, at_least_one};
use crate::ladder::Ladder;
use crate::strategy::Strategy;
use arbora_model::infer::InferenceSpec;
use arbora_model::kernel::{Basis, ContextSpec};
use arbora_model::{GpSpec, KernelSpec};
use serde::{Deserialize, Serialize};

/// Multi-fidelity search, as data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FabolasSpec {
    /// How configurations are compared, for losses and for ln cost; shares are by the context kernel.
    pub kernel: KernelSpec,
    /// How θ is chosen.
    pub infer: InferenceSpec,
    /// Each share is so many times the one before.
    pub eta: f64,
    /// The least share of an evaluation.
    pub smallest: f64,
    /// Random trials on partial shares first.
    pub initial: usize,
    /// Random configurations that compete.
    pub candidates: usize,
    /// The best of them, for which every share is weighed.
    pub finalists: usize,
}

impl Default for FabolasSpec {
    fn default() -> Self {
        Self {
            kernel: KernelSpec::default(),
            infer: InferenceSpec::default(),
            eta: 4.0,
            smallest: 1.0 / 64.0,
            initial: 10,
            candidates: 500,
            finalists: 20,
        }
    }
}

impl Component<dyn Strategy> for FabolasSpec {
    const KIND: &'static str = "fabolas";

    fn build(&self, context: StrategyContext<'_>) -> Result<Box<dyn Strategy>, SearchError> {
        let StrategyContext { space, workers } = context;
        let ladder = Ladder { eta: self.eta, smallest: self.smallest };
        ladder.check()?;
        if ladder.top() == 0 {
            let (value, problem) = (self.smallest.to_string(), "there must be a share below the whole");
            return Err(SearchError::BadSetting { setting: "smallest", value, problem });
        }
        at_least_one("candidates", self.candidates)?;
        at_least_one("finalists", self.finalists)?;
        let widened = Widened::new(space)?;
        let build = |basis| {
            let (inner, column) = (self.kernel.clone(), widened.share().to_owned());
            let kernel = KernelSpec::new(ContextSpec { inner, column, basis });
            GpSpec { kernel, infer: self.infer.clone(), ..GpSpec::default() }
                .build(widened.space().layout(), workers)
        };
        let (loss, cost) = (Box::new(build(Basis::Loss)?), Box::new(build(Basis::Cost)?));
        let Self { initial, candidates, finalists, .. } = *self;
        Ok(Box::new(Fabolas { widened, loss, cost, ladder, initial, candidates, finalists }))
    }
}
