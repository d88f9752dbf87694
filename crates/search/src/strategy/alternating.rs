//! Strategies that take turns over one history: two views of the same trials, each correcting where the other is blind.
//!
//! A model that isolates branches finds the best of each quickly where they have nothing in common; one that compares
//! everything learns what they share. Turns cost nothing but the average of their times, and whoever is wrong about a
//! problem wastes only its own trials. Each remembers its own chain. With few trials a single good model does better
//! than two of which one is poor.
use super::{Ask, Strategy, Suggestion};
use crate::error::SearchError;
use arbora_space::Rng;

/// Where the number of the one who suggested a trial is kept.
const TURN: &str = "turn";

/// One after the other, and again.
pub struct Alternating {
    pub(crate) members: Vec<Box<dyn Strategy>>,
}

impl Strategy for Alternating {
    fn suggest(&self, ask: &Ask<'_>, rng: &mut Rng) -> Result<Suggestion, SearchError> {
        let turn = ask.history.len() % self.members.len();
        let own = ask.history.remembering(|memo| memo.read(TURN) == Some(turn));
        let said = self.members[turn].suggest(&Ask { history: &own, ..*ask }, rng)?;
        Ok(Suggestion { memo: said.memo.with(TURN, &turn), ..said })
    }
}

#[cfg(test)]
mod tests {
    use crate::strategy_spec::StrategySpec;
    use crate::study::{Study, StudyOptions};
    use crate::testing::assert_strategy_laws;
    use arbora_space::{Param, Space};

    fn spec() -> StrategySpec {
        let members = ["gp-conditional", "gp-matern-ls"].map(|name| name.parse().unwrap()).to_vec();
        StrategySpec::Alternating { members }
    }

    #[test]
    fn it_keeps_the_laws() {
        assert_strategy_laws(&spec());
    }

    #[test]
    fn each_goes_on_with_its_own_chain() {
        let space = Space::new([
            Param::choice("model", ["a", "b"]),
            Param::real("x", 0.0, 1.0).when("model == 'a'"),
            Param::real("y", 0.0, 1.0),
        ]);
        let options = StudyOptions { strategy: spec(), seed: 3, ..StudyOptions::default() };
        let mut study = Study::new(space.unwrap(), options).unwrap();
        let mut named = [Vec::new(), Vec::new()];
        for number in 0..14 {
            let trial = study.ask().unwrap();
            if let Some(chain) = trial.memo.read::<serde_json::Value>("chain") {
                named[number % 2].push(chain["names"].clone());
            }
            let y = study.value(&trial, "y").unwrap().as_f64().unwrap();
            study.tell(trial.number, (y - 0.3).powi(2)).unwrap();
        }
        for names in &named {
            assert!(names.len() > 2 && names.windows(2).all(|pair| pair[0] == pair[1]), "{names:?}");
        }
        assert_ne!(
            named[0][0], named[1][0],
            "one model has a length-scale for the choice, the other has none"
        );
    }

    #[test]
    fn nobody_cannot_take_turns() {
        let space = Space::new([Param::real("x", 0.0, 1.0)]).unwrap();
        let strategy = StrategySpec::Alternating { members: Vec::new() };
        let refused = Study::new(space, StudyOptions { strategy, ..StudyOptions::default() });
        assert!(refused.is_err_and(|error| error.to_string().contains("members")));
    }
}
