//! The laws for every rule, and tests of their definiteness.
use super::ico::Ico;
use super::imp_arc::ImpArc;
use super::standard::Standard;
use super::wedge::Wedge;
use super::*;
use arbora_model::linalg::{Matrix, Spectrum};
use arbora_space::Rng;

const LABELS: ColumnKind = ColumnKind::Categories(4);

/// Every rule, over numbers and over four categories.
fn rules() -> Vec<(ColumnKind, Box<dyn Rule>)> {
    let mut rules: Vec<(ColumnKind, Box<dyn Rule>)> = vec![(ColumnKind::Numeric, Box::new(Wedge))];
    for kind in [ColumnKind::Numeric, LABELS] {
        for distance in [ArcDistance::Squared, ArcDistance::Plain] {
            rules.push((kind, Box::new(Arc::new(kind, distance))));
        }
        rules.push((kind, Box::new(Ico::new(kind))));
        rules.push((kind, Box::new(Imp::new(kind))));
        rules.push((kind, Box::new(ImpArc::new(kind))));
        rules.push((kind, Box::new(Standard::new(kind))));
    }
    rules
}

fn place(kind: ColumnKind, rng: &mut Rng) -> Option<f64> {
    match kind {
        _ if rng.below(4) == 0 => None,
        ColumnKind::Numeric => Some(rng.unit()),
        ColumnKind::Categories(count) => Some(rng.below(count) as f64 / (count - 1) as f64),
    }
}

fn values(rule: &dyn Rule, rng: &mut Rng) -> Vec<f64> {
    let length = HyperSpec::length();
    let column = RuleColumn { name: "x", length: &length };
    let hypers = rule.hypers(&column);
    hypers.iter().map(|hyper| hyper.value(hyper.sample(rng))).collect()
}

/// Σ weight·gap, the second form of a rule.
fn summed(rule: &dyn Rule, h: &[f64], a: Option<f64>, b: Option<f64>) -> f64 {
    let h: Vec<Dual> = h.iter().map(|&value| Dual::constant(value)).collect();
    let count = rule.terms().len();
    let mut weights = vec![Dual::default(); count];
    rule.weights(&h, &mut weights);
    let numbers = |place: Option<f64>| {
        let mut numbers = vec![[Dual::default(); 2]; count];
        rule.features(&h, place.map(Dual::constant), &mut numbers);
        numbers.into_iter().map(|[first, second]| [first.value, second.value]).collect::<Vec<_>>()
    };
    let (a, b) = (numbers(a), numbers(b));
    (0..count).map(|term| weights[term].value * rule.terms()[term].between(a[term], b[term])).sum()
}

#[test]
fn both_forms_agree_and_measure_a_distance() {
    let mut rng = Rng::new(6);
    for (kind, rule) in rules() {
        for _ in 0..300 {
            let h = values(&*rule, &mut rng);
            let (a, b) = (place(kind, &mut rng), place(kind, &mut rng));
            let law = rule.between(&h, a, b);
            let written = summed(&*rule, &h, a, b);
            let largest =
                16.0 * h.iter().map(|h| plain_weight(*h)).filter(|w| w.is_finite()).fold(1.0, f64::max);
            assert!((law - written).abs() <= 1e-13 * largest, "{kind:?} {h:?} {a:?} {b:?}: {law} {written}");
            assert!(law >= -1e-13 * largest && rule.between(&h, a, a) == 0.0);
            assert_eq!(law, rule.between(&h, b, a));
        }
    }
}

/// −½·J·D·J is positive semi-definite if and only if e⁻ᵗᵈ is for every scaling t  [Schoenberg
/// 1938]: every definite rule passes on random values, including inactive ones.
#[test]
fn definite_rules_embed() {
    let mut rng = Rng::new(8);
    for (kind, rule) in rules().into_iter().filter(|(_, rule)| rule.is_definite()) {
        for _ in 0..30 {
            let h = values(&*rule, &mut rng);
            let mut places: Vec<Option<f64>> = (0..7).map(|_| place(kind, &mut rng)).collect();
            places.push(None);
            let scale = places.iter().map(|a| rule.between(&h, *a, places[0])).fold(1e-300, f64::max);
            assert!(worst_form(&*rule, &h, &places) <= 1e-9 * scale, "{kind:?} {h:?}");
        }
    }
}

/// The largest Σ cᵢcⱼdᵢⱼ/‖c‖² over all c that sum to zero.
fn worst_form(rule: &dyn Rule, h: &[f64], places: &[Option<f64>]) -> f64 {
    let size = places.len();
    let gap = |i: usize, j: usize| rule.between(h, places[i], places[j]);
    let mean = |i: usize| (0..size).map(|j| gap(i, j)).sum::<f64>() / size as f64;
    let grand = (0..size).map(mean).sum::<f64>() / size as f64;
    let centred = Matrix::from_fn(size, size, |i, j| mean(i) + mean(j) - grand - gap(i, j));
    -Spectrum::of(&centred).unwrap().least()
}

/// An inactive value and {0, ½, 1}: no Euclidean space contains them, whatever the distance to
/// inactive [Zaefferer & Horn 2018, §4.2], while two values or categories fit from a known distance
/// on.
#[test]
fn ico_embeds_only_where_it_is_known_to() {
    let number = Ico::new(ColumnKind::Numeric);
    let line = [None, Some(0.0), Some(0.5), Some(1.0)];
    for absence in [0.2, 0.7, 1.0, 3.0] {
        let worst = worst_form(&number, &[1.0, absence], &line);
        assert!(worst > 1e-4, "λ = {absence}: {worst}");
    }
    // d(absent) = 1/λ² compared with Δ²/4 = ¼.
    let two = [None, Some(0.0), Some(1.0)];
    assert!(worst_form(&number, &[1.0, 1.99], &two) < 1e-9);
    assert!(worst_form(&number, &[1.0, 2.05], &two) > 1e-3);
    // d(absent) compared with (m − 1)/2m = ⅜.
    let label = Ico::new(LABELS);
    let four = [None, Some(0.0), Some(1.0 / 3.0), Some(2.0 / 3.0), Some(1.0)];
    assert!(worst_form(&label, &[1.0, (0.376_f64).sqrt().recip()], &four) < 1e-9);
    assert!(worst_form(&label, &[1.0, (0.36_f64).sqrt().recip()], &four) > 1e-3);
}
