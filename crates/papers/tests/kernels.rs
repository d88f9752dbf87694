//! The laws of kernels for those of the papers, and tests of single kernels.
#![allow(clippy::unwrap_used)]
use arbora_model::kernel::{ConditionalSpec, Kernel, KernelContext, KernelSpec};
use arbora_model::testing::{World, assert_kernel_laws};
use arbora_model::{HyperSpec, SpecError, SurrogateContext, SurrogateSpec, Workers};
use arbora_papers::hierarchical::HierarchicalSpec;
use arbora_papers::mondrian::MondrianSpec;
use arbora_papers::rule::{RuleSpec, StandardSpec};
use arbora_space::{BranchKey, Column, ColumnKind, ColumnPlace, Layout, Points, Rng};

fn build(spec: &KernelSpec, layout: &Layout) -> Box<dyn Kernel> {
    spec.build(KernelContext::new(layout, &HyperSpec::length())).unwrap()
}

#[test]
fn random_partitions_keep_the_laws() {
    let spec = KernelSpec::new(MondrianSpec { trees: 7 });
    assert_kernel_laws(&|layout| build(&spec, layout));
    assert_kernel_laws(&|layout| build(&KernelSpec::new(ConditionalSpec { inner: spec.clone() }), layout));
}

/// Every rule for all parameters, both shapes, and a mixture.
fn hierarchical() -> Vec<KernelSpec> {
    arbora_papers::register().unwrap();
    let mut kernels = Vec::new();
    for shape in ["exponential", "matern52"] {
        for rule in ["arc", "ico", "imp", "imp_arc", "standard", "wedge"] {
            let rule = format!(
                r#"{{"kind":"hierarchical","rule":"{rule}","shape":"{shape}","unconditional":"alike"}}"#
            );
            kernels.push(serde_json::from_str(&rule).unwrap());
        }
        let mixed = r#""rule":{"kind":"arc","distance":"plain"},"rules":{"kind":"arc","depth":"wedge"}"#;
        let mixed = format!(r#"{{"kind":"hierarchical",{mixed},"shape":"{shape}"}}"#);
        kernels.push(serde_json::from_str(&mixed).unwrap());
    }
    kernels
}

#[test]
fn every_hierarchical_kernel_keeps_the_laws() {
    for spec in hierarchical() {
        assert_kernel_laws(&|layout| build(&spec, layout));
    }
}

/// Inactive values are ignored: other numbers in their place change nothing, unless the rule is the
/// standard one.
#[test]
fn hierarchical_kernels_are_blind_to_inactive_values() {
    let mut rng = Rng::new(12);
    let (mut seen, mut by_standard) = (0, 0);
    for spec in hierarchical() {
        for _ in 0..20 {
            let world = World::random(&mut rng);
            let kernel = build(&spec, &world.layout);
            let theta: Vec<f64> = kernel.hypers().iter().map(|hyper| hyper.coordinate(hyper.start)).collect();
            let points = world.points(6, &mut rng);
            let disguised = world.disguised(&points, &mut rng);
            for i in 0..points.len() {
                let plain = kernel.cov(&theta, points.row(i), points.row(0));
                let changed = kernel.cov(&theta, disguised.row(i), disguised.row(0));
                if spec
                    .get::<HierarchicalSpec>()
                    .is_some_and(|spec| spec.rule == RuleSpec::new(StandardSpec {}))
                {
                    by_standard += usize::from(plain != changed);
                } else {
                    assert_eq!(plain.to_bits(), changed.to_bits());
                    seen += usize::from(points.row(i).x() != disguised.row(i).x());
                }
            }
        }
    }
    assert!(seen > 100 && by_standard > 10, "something was there to be blind to");
}

/// A Matérn over the squared arc is that of the concatenated embeddings  [Swersky et al. 2014].
#[test]
fn a_matern_over_arcs_is_that_of_the_embedding() {
    arbora_papers::register().unwrap();
    let mut layout = one_number();
    layout.columns[0].is_conditional = true;
    layout.columns.push(Column { name: "y".into(), ..layout.columns[0].clone() });
    let spec: KernelSpec =
        serde_json::from_str(r#"{"kind":"hierarchical","rule":"arc","shape":"matern52"}"#).unwrap();
    let kernel = build(&spec, &layout);
    let theta = [0.3_f64.ln(), 0.7, 1.4_f64.ln(), 0.2];
    let embed = |x: Option<f64>, length: f64, angle: f64| {
        let turn = |x: f64| std::f64::consts::PI * angle * x;
        x.map_or([0.0; 2], |x| [turn(x).sin() / length, turn(x).cos() / length])
    };
    let places = [(Some(0.1), None), (Some(0.8), Some(0.4)), (None, Some(0.9)), (None, None)];
    let mut points = Points::new(2);
    for (x, y) in places {
        let (at, active) = ([x.unwrap_or(0.5), y.unwrap_or(0.5)], [x.is_some(), y.is_some()]);
        points.push_parts(&at, &active, BranchKey::ROOT);
    }
    for i in 0..4 {
        for j in 0..4 {
            let gap = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2);
            let square = gap(embed(places[i].0, 0.3, 0.7), embed(places[j].0, 0.3, 0.7))
                + gap(embed(places[i].1, 1.4, 0.2), embed(places[j].1, 1.4, 0.2));
            let root = (5.0 * square).sqrt();
            let matern = (1.0 + root + 5.0 / 3.0 * square) * (-root).exp();
            assert!((kernel.cov(&theta, points.row(i), points.row(j)) - matern).abs() < 1e-12);
        }
    }
}

fn one_number() -> Layout {
    let column = Column {
        name: "x".into(),
        kind: ColumnKind::Numeric,
        is_fixed: false,
        is_decider: false,
        is_conditional: false,
        levels: None,
        default: 0.5,
        place: ColumnPlace::default(),
    };
    Layout { columns: vec![column] }
}

#[test]
fn a_kernel_that_needs_repair_is_refused() {
    let world = std::iter::repeat_with({
        let mut rng = Rng::new(1);
        move || World::random(&mut rng)
    });
    let varies =
        |world: &World| world.layout.columns.iter().any(|column| column.is_conditional && !column.is_fixed);
    let world = world.into_iter().find(varies).unwrap();
    arbora_papers::register().unwrap();
    let workers = Workers::serial();
    let context = SurrogateContext::new(&world.layout, &workers);
    let refused = serde_json::from_str::<SurrogateSpec>(r#"{"kind":"gp","kernel":"ico"}"#)
        .unwrap()
        .build(context)
        .err();
    assert_eq!(refused, Some(SpecError::IndefiniteKernel { surrogate: "gp" }));
}
