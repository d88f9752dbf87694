//! Acquisitions over a fitted process: averages over draws, imagined outcomes, slopes.
#![allow(clippy::unwrap_used)]
use arbora_model::{Dataset, Model, PendingOutcomes, SurrogateContext, SurrogateSpec, Workers};
use arbora_search::acquisition::{
    Acquisition, ConfidenceBound, ExpectedCost, ExpectedImprovement, LogNormalImprovement, MaxValueEntropy,
    PerCost, PriorWeighted, ProbabilityOfImprovement, Reference, Thompson, Utility,
};
use arbora_space::{Encoding, Param, Points, Prior, Rng, Space};

fn space() -> Space {
    Space::new([
        Param::choice("m", ["a", "b", "c"]),
        Param::real("x", 0.0, 1.0).when("m == 'a'"),
        Param::real("y", 1e-2, 1e2).log().when("m in ['a', 'b']"),
        Param::integer("k", 1, 40),
    ])
    .unwrap()
}

fn points(space: &Space, count: usize, rng: &mut Rng) -> Points {
    let drawn: Vec<_> = (0..count).map(|_| space.sample(rng).unwrap()).collect();
    space.encode(&drawn, &Encoding::default())
}

fn fitted(count: usize, seed: u64) -> (Box<dyn Model>, Reference, Space, Rng) {
    let (space, mut rng) = (space(), Rng::new(seed));
    let at = points(&space, count, &mut rng);
    let losses: Vec<f64> =
        at.iter().map(|p| 3.0 + p.x().iter().map(|u| (u - 0.3).powi(2)).sum::<f64>()).collect();
    let best = losses.iter().copied().fold(f64::INFINITY, f64::min);
    let recipe =
        SurrogateSpec::default().build(SurrogateContext::new(space.layout(), &Workers::serial())).unwrap();
    let model = recipe.fit(&Dataset::new(at, losses).unwrap(), None, &mut rng).unwrap();
    (model, Reference { best, spread: 0.7, observed: count }, space, rng)
}

#[test]
fn integrated_improvement_is_the_mean_over_draws() {
    let (model, reference, space, mut rng) = fitted(20, 1);
    let at = points(&space, 30, &mut rng);
    let utility = ExpectedImprovement::default().over(model.as_ref(), &reference, &mut rng).unwrap();
    let said = model.predict(&at);
    for (i, score) in utility.score(&at).into_iter().enumerate() {
        let amount = |draw: usize| {
            let (mean, sd) = (said.mean(draw, 0)[i], said.variance(draw)[i].sqrt());
            ExpectedImprovement::default().amount(mean, sd, reference.best)
        };
        let mean = (0..said.draws()).map(amount).sum::<f64>() / said.draws() as f64;
        assert!((score.exp() * reference.spread / mean - 1.0).abs() < 1e-9, "{} {mean}", score.exp());
    }
}

#[test]
fn nothing_pending_is_plain_improvement() {
    let (model, reference, space, mut rng) = fitted(15, 2);
    let at = points(&space, 20, &mut rng);
    let none = Points::new(space.layout().width());
    let how = PendingOutcomes::Fantasies { count: 7 };
    let imagined = model.joint().unwrap().fantasize(&none, &how, &mut rng).unwrap();
    let score = |model: &dyn Model| {
        ExpectedImprovement::default().over(model, &reference, &mut Rng::new(0)).unwrap().score(&at)
    };
    for (a, b) in score(model.as_ref()).into_iter().zip(score(imagined.as_ref())) {
        assert!((a - b).abs() < 1e-9 * (1.0 + a.abs()), "{a} {b}");
    }
}

#[test]
fn a_pending_place_is_wished_for_no_more() {
    let (model, reference, space, mut rng) = fitted(15, 3);
    let at = points(&space, 200, &mut rng);
    let rule = ExpectedImprovement::default();
    let scores = rule.over(model.as_ref(), &reference, &mut rng).unwrap().score(&at);
    let top = (0..at.len()).max_by(|&a, &b| scores[a].total_cmp(&scores[b])).unwrap();
    let pending = at.select(&[top]);
    for how in [
        PendingOutcomes::Believer,
        PendingOutcomes::Liar(reference.best),
        PendingOutcomes::Fantasies { count: 50 },
    ] {
        let imagined = model.joint().unwrap().fantasize(&pending, &how, &mut rng).unwrap();
        let after = rule.over(imagined.as_ref(), &reference, &mut rng).unwrap().score(&pending)[0];
        assert!(after < scores[top] - 0.5, "{how:?}: {after} against {}", scores[top]);
    }
}

#[test]
fn slopes_are_derivatives() {
    let (model, reference, space, mut rng) = fitted(25, 4);
    let pending = points(&space, 2, &mut rng);
    let imagined = model
        .joint()
        .unwrap()
        .fantasize(&pending, &PendingOutcomes::Fantasies { count: 5 }, &mut rng)
        .unwrap();
    let entropy =
        MaxValueEntropy { space: space.clone(), encoding: Encoding::default(), anchors: 60, minima: 4 };
    let rules: [Box<dyn Acquisition>; 5] = [
        Box::new(LogNormalImprovement {}),
        Box::new(entropy),
        Box::new(ExpectedImprovement::default()),
        Box::new(ProbabilityOfImprovement::default()),
        Box::new(ConfidenceBound { kappa: None }),
    ];
    let places = points(&space, 15, &mut rng);
    for rule in &rules {
        for believed in [model.as_ref(), imagined.as_ref()] {
            let utility = rule.over(believed, &reference, &mut rng).unwrap();
            let compared = (0..places.len()).filter(|&i| has_slope(utility.as_ref(), &places.select(&[i])));
            assert!(compared.count() > 10, "most places have a derivative to compare with");
        }
    }
}

#[test]
fn dividing_by_cost_and_weighting_by_priors_keep_slopes() {
    let (model, reference, space, mut rng) = fitted(20, 6);
    let (cost, ..) = fitted(14, 7);
    let places = points(&space, 12, &mut rng);
    for expected in [ExpectedCost::PlugIn, ExpectedCost::LogNormal] {
        let wish = ExpectedImprovement::default().over(model.as_ref(), &reference, &mut rng).unwrap();
        let plain = wish.score(&places);
        let divided = PerCost { wish, cost: cost.as_ref(), expected };
        let ln_cost = cost.predict(&places).mixture_mean();
        for i in 0..places.len() {
            has_slope(&divided, &places.select(&[i]));
            let score = divided.score(&places)[i];
            if expected == ExpectedCost::PlugIn {
                assert!((score - (plain[i] - ln_cost[i])).abs() < 1e-9);
            }
        }
    }
    let prior = Prior::Normal { mean: 0.2, sd: 0.1 };
    let believed = Space::new([
        Param::choice("m", ["a", "b", "c"]).prior(Prior::Weights(vec![1.0, 2.0, 1.0])),
        Param::real("x", 0.0, 1.0).when("m == 'a'").prior(prior),
        Param::real("y", 1e-2, 1e2).log().when("m in ['a', 'b']"),
        Param::integer("k", 1, 40),
    ])
    .unwrap();
    let wish = ExpectedImprovement::default().over(model.as_ref(), &reference, &mut rng).unwrap();
    let plain = wish.score(&places);
    let weighted = PriorWeighted { wish, space: &believed, power: 0.5 };
    for i in 0..places.len() {
        has_slope(&weighted, &places.select(&[i]));
    }
    // A label of double weight gains √1.5 where nothing else is believed, one of single weight loses √0.75.
    for (i, point) in places.iter().enumerate().filter(|(_, p)| !p.active().is_active(1)) {
        let mass: f64 = if point.x()[0] == 0.5 { 1.5 } else { 0.75 };
        let gained = weighted.score(&places)[i] - plain[i];
        let rounding = 1e-12 * (1.0 + plain[i].abs());
        assert!((gained - 0.5 * mass.ln()).abs() < rounding, "{gained} for {mass} at {}", plain[i]);
    }
}

/// Compares the slope with differences; false where there is nothing to compare.
fn has_slope(utility: &dyn Utility, place: &Points) -> bool {
    let row = place.row(0);
    let columns: Vec<usize> = row.active().columns().filter(|&c| c > 0).collect();
    let mut slope = vec![0.0; columns.len()];
    let score = utility.slope().unwrap().score_with_slope(row, &columns, &mut slope);
    // A log-EI of −10⁶ means a variance that is nothing but rounding: it has no derivative to compare with.
    if score < -1e6 {
        return false;
    }
    assert!((score - utility.score(place)[0]).abs() < 1e-9 * (1.0 + score.abs()));
    for (j, &column) in columns.iter().enumerate() {
        let step = 1e-5;
        let moved = |by: f64| {
            let mut to = Points::new(place.width());
            to.push_moved(row, &[column], &[row.x()[column] + by]);
            utility.score(&to)[0]
        };
        let difference = (moved(step) - moved(-step)) / (2.0 * step);
        assert!((slope[j] - difference).abs() < 1e-5 * (1.0 + difference.abs()), "{} {difference}", slope[j]);
    }
    true
}

#[test]
fn thompson_draws_one_function_per_suggestion() {
    let (model, reference, space, mut rng) = fitted(12, 5);
    let at = points(&space, 40, &mut rng);
    let utility = Thompson {}.over(model.as_ref(), &reference, &mut rng).unwrap();
    assert_eq!(utility.score(&at), utility.score(&at));
    let other = Thompson {}.over(model.as_ref(), &reference, &mut rng).unwrap();
    assert_ne!(utility.score(&at), other.score(&at));
}

#[test]
fn units_of_the_loss_do_not_matter() {
    // What counts as certain is judged in units of the losses' spread.
    let rule = ExpectedImprovement::default();
    let (space, mut rng) = (space(), Rng::new(8));
    let at = points(&space, 15, &mut rng);
    let candidates = points(&space, 60, &mut rng);
    let ranking = |unit: f64| {
        let losses: Vec<f64> =
            at.iter().map(|p| unit * p.x().iter().map(|u| (u - 0.3).powi(2)).sum::<f64>()).collect();
        let best = losses.iter().copied().fold(f64::INFINITY, f64::min);
        let recipe = SurrogateSpec::default()
            .build(SurrogateContext::new(space.layout(), &Workers::serial()))
            .unwrap();
        let model = recipe.fit(&Dataset::new(at.clone(), losses).unwrap(), None, &mut Rng::new(1)).unwrap();
        let reference = Reference { best, spread: unit, observed: 15 };
        let scores = rule.over(model.as_ref(), &reference, &mut Rng::new(2)).unwrap().score(&candidates);
        let mut order: Vec<usize> = (0..candidates.len()).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        order[..10].to_vec()
    };
    assert_eq!(ranking(1.0), ranking(2f64.powi(-60)));
    assert_eq!(ranking(1.0), ranking(2f64.powi(40)));
}
