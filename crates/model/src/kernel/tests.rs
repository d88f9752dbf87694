//! The laws for every kernel, and tests of single kernels.
use super::{
    AddTreeSpec, AdditiveSpec, Basis, Categories, ConditionalSpec, ContextSpec, Hamming, Kernel,
    KernelContext, KernelSpec, Laplace, MarginalSpec, Matern52, Shared, SquaredExponential, WarpedSpec,
};
use crate::error::SpecError;
use crate::hyper_spec::HyperSpec;
use crate::linalg::Matrix;
use crate::testing::{World, assert_kernel_laws};
use arbora_space::{BranchKey, Column, ColumnKind, ColumnPlace, Layout, Points, Rng};

fn plain() -> Vec<KernelSpec> {
    let mut kernels = vec![KernelSpec::new(Hamming {})];
    for categories in [Categories::Label, Categories::Index] {
        kernels.push(KernelSpec::new(SquaredExponential { categories }));
        kernels.push(KernelSpec::new(Matern52 { categories }));
        kernels.push(KernelSpec::new(Laplace { categories }));
    }
    kernels
}

fn conditional(inner: KernelSpec) -> KernelSpec {
    KernelSpec::new(ConditionalSpec { inner })
}

fn build(spec: &KernelSpec, layout: &Layout) -> Box<dyn Kernel> {
    spec.build(KernelContext::new(layout, &HyperSpec::length())).unwrap()
}

#[test]
fn every_plain_kernel_keeps_the_laws() {
    for spec in plain() {
        assert_kernel_laws(&|layout| build(&spec, layout));
    }
}

#[test]
fn warped_kernels_keep_the_laws() {
    let plain = KernelSpec::new(Matern52::default());
    for inner in [plain.clone(), conditional(plain.clone()), KernelSpec::new(AdditiveSpec { inner: plain })] {
        assert_kernel_laws(&|layout| build(&KernelSpec::new(WarpedSpec { inner: inner.clone() }), layout));
    }
}

#[test]
fn context_kernels_keep_the_laws() {
    for basis in [Basis::Loss, Basis::Cost] {
        for inner in [KernelSpec::default(), KernelSpec::new(SquaredExponential::default())] {
            assert_kernel_laws(&|layout| {
                let is_free = |c: &&Column| !(c.is_decider || c.is_conditional || c.is_fixed);
                let mut numbers = layout.columns.iter().filter(|c| c.kind == ColumnKind::Numeric);
                let inner = inner.clone();
                match numbers.find(is_free) {
                    Some(column) => {
                        let column = column.name.clone();
                        build(&KernelSpec::new(ContextSpec { inner, column, basis }), layout)
                    }
                    None => build(&inner, layout),
                }
            });
        }
    }
    let missing = KernelSpec::new(ContextSpec {
        inner: KernelSpec::default(),
        column: "budget".into(),
        basis: Basis::Loss,
    });
    let error = missing.build(KernelContext::new(&one_number(), &HyperSpec::length())).err();
    assert_eq!(error, Some(SpecError::NoContext { column: "budget".into() }));
}

fn tree_kernels() -> Vec<KernelSpec> {
    let inner = || KernelSpec::new(Matern52::default());
    vec![
        KernelSpec::new(AdditiveSpec { inner: inner() }),
        KernelSpec::new(AddTreeSpec { inner: inner() }),
        KernelSpec::new(MarginalSpec { inner: inner(), shared: Shared::Inside, offsets: false }),
        KernelSpec::new(MarginalSpec { inner: inner(), shared: Shared::Linear, offsets: true }),
    ]
}

#[test]
fn every_tree_kernel_keeps_the_laws() {
    for spec in tree_kernels() {
        assert_kernel_laws(&|layout| build(&spec, layout));
    }
}

#[test]
fn tree_kernels_are_blind_to_inactive_values() {
    let mut rng = Rng::new(17);
    for spec in tree_kernels() {
        for _ in 0..30 {
            let world = World::random(&mut rng);
            let kernel = build(&spec, &world.layout);
            let theta: Vec<f64> = kernel.hypers().iter().map(|_| rng.normal()).collect();
            let points = world.points(9, &mut rng);
            let disguised = world.disguised(&points, &mut rng);
            for i in 0..points.len() {
                for j in 0..points.len() {
                    let plain = kernel.cov(&theta, points.row(i), points.row(j));
                    let blind = kernel.cov(&theta, disguised.row(i), disguised.row(j));
                    assert_eq!(plain.to_bits(), blind.to_bits());
                }
            }
        }
    }
}

#[test]
fn every_conditional_kernel_keeps_the_laws() {
    for spec in plain() {
        assert_kernel_laws(&|layout| build(&conditional(spec.clone()), layout));
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

/// ∂k/∂ln ℓ of Matérn 5/2 in one dimension at r = ¼, ½, 1, 2, and the kernel itself, eight digits.
#[test]
fn matern_matches_published_values() {
    let kernel = build(&KernelSpec::new(Matern52::default()), &one_number());
    for (r, value, slope) in [
        (0.25, 0.950_959_92, 0.092_854_21),
        (0.5, 0.828_649_14, 0.288_513_2),
        (1.0, 0.523_994_11, 0.576_440_39),
        (2.0, 0.138_660_22, 0.416_717_42),
    ] {
        let mut points = Points::new(1);
        points.push_parts(&[0.0], &[true], BranchKey::ROOT);
        points.push_parts(&[r], &[true], BranchKey::ROOT);
        let batch = kernel.batch(&points);
        let mut gram = Matrix::zeros(2, 2);
        batch.gram(&[0.0], &mut gram);
        assert!((gram.at(1, 0) - value).abs() < 5e-9);
        let off_diagonal = Matrix::from_fn(2, 2, |i, j| if i == j { 0.0 } else { 0.5 });
        let mut gradient = [0.0];
        batch.slopes().unwrap().by_theta(&[0.0], &off_diagonal, &mut gradient);
        assert!((gradient[0] - slope).abs() < 5e-9, "r = {r}: {}", gradient[0]);
    }
}

/// A conditional kernel is the limit of a plain one as the deciders' length-scales go to zero.
#[test]
fn conditional_is_the_limit_of_short_deciders() {
    let mut rng = Rng::new(3);
    for _ in 0..20 {
        let mut world = World::random(&mut rng);
        world.layout.columns[1].is_fixed = true;
        let matern = KernelSpec::new(Matern52::default());
        let (inside, across) =
            (build(&conditional(matern.clone()), &world.layout), build(&matern, &world.layout));
        let mut theta = vec![0.1; inside.hypers().len()];
        let points = world.points(12, &mut rng);
        let of_inside = theta.clone();
        theta.insert(0, -8.0);
        for i in 0..points.len() {
            for j in 0..points.len() {
                let limit = across.cov(&theta, points.row(i), points.row(j));
                let same_label = points.row(i).x()[0].to_bits() == points.row(j).x()[0].to_bits();
                let expected = if points.row(i).branch() == points.row(j).branch() {
                    inside.cov(&of_inside, points.row(i), points.row(j))
                } else if same_label {
                    continue; // the other decider was left out of the comparison
                } else {
                    0.0
                };
                assert!((limit - expected).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn a_label_that_decides_has_no_length_scale_inside_a_branch() {
    let world = World::random(&mut Rng::new(8));
    let matern = KernelSpec::new(Matern52::default());
    let names = |kernel: &dyn Kernel| kernel.hypers().iter().map(|h| h.name.clone()).collect::<Vec<_>>();
    let across = names(&*build(&matern, &world.layout));
    let inside = names(&*build(&conditional(matern), &world.layout));
    assert_eq!(across[0], "length:kind");
    assert_eq!(across[1..], inside);
    assert_eq!(inside[0], "length:depth");
}

#[test]
fn a_group_without_columns_is_one_point() {
    let layout = Layout { columns: vec![] };
    let kernel = build(&conditional(KernelSpec::new(Laplace::default())), &layout);
    let mut points = Points::new(0);
    points.push_parts(&[], &[], BranchKey::ROOT);
    points.push_parts(&[], &[], BranchKey::ROOT);
    let mut gram = Matrix::zeros(2, 2);
    kernel.batch(&points).gram(&[], &mut gram);
    assert_eq!((gram.at(0, 0), gram.at(1, 0), gram.at(1, 1)), (1.0, 1.0, 1.0));
}
