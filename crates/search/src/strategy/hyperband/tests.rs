use super::*;
use crate::study::{Study, StudyOptions};
use arbora_space::{Param, Space};

fn study(json: &str) -> Study {
    let space = Space::new([Param::real("x", 0.0, 1.0), Param::real("y", 0.0, 1.0)]).unwrap();
    let strategy = StrategySpec::from_json(json).unwrap();
    Study::new(space, StudyOptions { strategy, seed: 4, ..StudyOptions::default() }).unwrap()
}

/// The less is done, the more the loss is off; the order of configurations stays.
fn tell(study: &mut Study, trial: &Trial) {
    let x = study.value(trial, "x").and_then(|v| v.as_f64()).unwrap();
    let missing = match trial.effort {
        Effort::Share(share) => 1.0 - share,
        _ => 0.0,
    };
    study.tell(trial.number, (x - 0.3).powi(2) + missing).unwrap();
}

#[test]
fn the_brackets_of_the_paper() {
    // Li et al. 2018, table 1: R = 81, η = 3.
    let ladder = Ladder { eta: 3.0, smallest: 1.0 / 81.0 };
    assert_eq!(ladder.top(), 4);
    let brackets: Vec<(usize, Effort)> = (0..=4).rev().map(|s| (ladder.width(s), ladder.effort(s))).collect();
    let share = |r: i32| Effort::Share(libm::pow(3.0, f64::from(r - 4)));
    assert_eq!(brackets, [(81, share(0)), (34, share(1)), (15, share(2)), (8, share(3)), (5, Effort::Full)]);
    let mut sizes = vec![81];
    while sizes[sizes.len() - 1] > 1 {
        sizes.push(ladder.kept(sizes[sizes.len() - 1]));
    }
    assert_eq!(sizes, [81, 27, 9, 3, 1]);
}

#[test]
fn exactly_the_best_go_on() {
    let mut study = study(r#"{"kind":"hyperband","smallest":0.1111111111111111}"#);
    // One sweep with R = 9: 9+3+1, 5+1, 3.
    for _ in 0..22 {
        let trial = study.ask().unwrap();
        tell(&mut study, &trial);
    }
    let of = |bracket: u64, rung: u32| -> Vec<&Trial> {
        let at = Place { bracket, rung };
        study.history().trials().iter().filter(|t| t.memo.read::<Place>(BRACKET) == Some(at)).collect()
    };
    let sizes: Vec<usize> =
        [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (2, 0)].map(|(b, r)| of(b, r).len()).into();
    assert_eq!(sizes, [9, 3, 1, 5, 1, 3]);
    for (bracket, rung) in [(0, 0), (0, 1), (1, 0)] {
        let (below, above) = (of(bracket, rung), of(bracket, rung + 1));
        let best: Vec<_> = ranked(&below).into_iter().take(above.len()).map(|t| &t.configuration).collect();
        assert_eq!(above.iter().map(|t| &t.configuration).collect::<Vec<_>>(), best);
        let share = |t: &Trial| if let Effort::Share(s) = t.effort { s } else { 1.0 };
        assert!((share(above[0]) / share(below[0]) - 3.0).abs() < 1e-9);
    }
    assert!(study.best().unwrap().effort.is_full());
}

#[test]
fn a_waiting_rung_does_not_stop_the_workers() {
    let mut study = study(r#"{"kind":"hyperband","smallest":0.1111111111111111}"#);
    let open: Vec<Trial> = (0..20).map(|_| study.ask().unwrap()).collect();
    let brackets: Vec<u64> = open.iter().map(|t| t.memo.read::<Place>(BRACKET).unwrap().bracket).collect();
    assert_eq!(brackets[..18], [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 3]);
    for trial in &open {
        tell(&mut study, trial);
    }
    let promoted = study.ask().unwrap();
    assert_eq!(promoted.memo.read::<Place>(BRACKET), Some(Place { bracket: 0, rung: 1 }));
}

#[test]
fn bohb_looks_where_those_that_went_on_are() {
    let run = |json: &str| {
        let mut study = study(json);
        for _ in 0..120 {
            let trial = study.ask().unwrap();
            tell(&mut study, &trial);
        }
        let x = |t: &Trial| study.value(t, "x").and_then(|v| v.as_f64()).unwrap();
        let late = study.history().trials().iter().skip(60);
        late.map(|t| (x(t) - 0.3).abs()).sum::<f64>() / 60.0
    };
    let (random, bohb) = (
        run(r#"{"kind":"hyperband"}"#),
        run(r#"{"kind":"hyperband","strategy":{"kind":"tpe","startup":10}}"#),
    );
    assert!(bohb < 0.7 * random, "{bohb} against {random}");
}

#[test]
fn a_strategy_can_be_shown_the_greatest_effort_with_enough_losses() {
    let mut study = study(r#"{"kind":"hyperband","smallest":0.1111111111111111,"least":3}"#);
    for _ in 0..13 {
        let trial = study.ask().unwrap();
        tell(&mut study, &trial);
    }
    // 9, 3, 1 trials: a third of an evaluation is the greatest with three losses.
    let strategy = || Box::new(crate::strategy::RandomSearch {});
    let ladder = Ladder { eta: 3.0, smallest: 1.0 / 9.0 };
    let hyperband = Hyperband { strategy: strategy(), ladder, least: Some(3) };
    assert_eq!(hyperband.shown(study.history(), 3), ladder.effort(1));
    assert_eq!(hyperband.shown(study.history(), 1), Effort::Full);
    let seen = study.history().seen_at(ladder.effort(1));
    assert_eq!(seen.trials().iter().filter(|t| t.effort.is_full()).count(), 3);
}
