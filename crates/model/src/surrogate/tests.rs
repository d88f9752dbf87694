//! Surrogate specs as written.
use super::*;
use crate::hyper_spec::HyperSpec;
use crate::infer::{InferenceSpec, Slice};
use crate::kernel::{
    AddTreeSpec, AdditiveSpec, Categories, ConditionalSpec, Hamming, KernelSpec, Laplace, MarginalSpec,
    Shared, SquaredExponential,
};

fn read(text: &str) -> Result<SurrogateSpec, serde_json::Error> {
    serde_json::from_str(text)
}

#[test]
fn what_is_left_out_takes_its_default() {
    assert_eq!(read(r#"{"kind":"gp"}"#).unwrap(), SurrogateSpec::default());
    let long =
        r#"{"kind":"gp","kernel":{"kind":"conditional","inner":{"kind":"matern52","categories":"label"}}}"#;
    assert_eq!(read(long).unwrap(), SurrogateSpec::default());
    let short = r#"{"kind":"gp","kernel":{"kind":"conditional","inner":"matern52"},"infer":{"kind":"slice","draws":10}}"#;
    assert_eq!(read(short).unwrap(), SurrogateSpec::default());
}

#[test]
fn a_name_stands_for_a_kernel() {
    for (text, kernel) in [
        (r#""se""#, KernelSpec::new(SquaredExponential::default())),
        (r#""hamming""#, KernelSpec::new(Hamming {})),
        (r#""add_tree""#, KernelSpec::new(AddTreeSpec::default())),
        (r#"{"kind":"additive","inner":"matern52"}"#, KernelSpec::new(AdditiveSpec::default())),
        (
            r#"{"kind":"marginal","shared":"linear","offsets":true}"#,
            KernelSpec::new(MarginalSpec {
                shared: Shared::Linear,
                offsets: true,
                ..MarginalSpec::default()
            }),
        ),
        (
            r#"{"kind":"laplace","categories":"index"}"#,
            KernelSpec::new(Laplace { categories: Categories::Index }),
        ),
    ] {
        let read: KernelSpec = serde_json::from_str(text).unwrap();
        assert_eq!(read, kernel);
        let written = serde_json::to_string(&kernel).unwrap();
        assert_eq!(serde_json::from_str::<KernelSpec>(&written).unwrap(), kernel, "{written}");
    }
}

#[test]
fn unknown_names_and_fields_are_refused() {
    for (text, complaint) in [
        (r#"{"kind":"gp","kernels":"se"}"#, "kernels"),
        (r#"{"kind":"gq"}"#, "gq"),
        (r#"{"kind":"gp","kernel":"matern"}"#, "matern"),
        (r#"{"kind":"gp","kernel":{"kind":"se","inner":"se"}}"#, "inner"),
        (r#"{"kind":"gp","kernel":"conditional"}"#, "inner"),
        (r#"{"kind":"gp","kernel":3}"#, "name of a kernel"),
        (r#"{"kind":"gp","noise":{"prior":"flat","low":1,"high":2,"start":1,"stop":2}}"#, "stop"),
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.contains(complaint), "{text}: {error}");
    }
}

#[test]
fn building_checks_everything_once() {
    let layout = Layout { columns: vec![] };
    let build = |spec: GpSpec| spec.build(&layout, &Workers::serial()).err();
    assert_eq!(build(GpSpec::default()), None);
    let noise = HyperSpec { start: 7.0, ..HyperSpec::noise() };
    assert!(matches!(
        build(GpSpec { noise, ..GpSpec::default() }),
        Some(SpecError::StartOutside { hyper: "noise", start: 7.0, .. })
    ));
    let nested = KernelSpec::new(ConditionalSpec { inner: KernelSpec::default() });
    assert_eq!(build(GpSpec { kernel: nested, ..GpSpec::default() }), Some(SpecError::NestedConditional));
    let additive = KernelSpec::new(AdditiveSpec { inner: KernelSpec::default() });
    let error = SpecError::NestedTree { outer: "additive" };
    assert_eq!(build(GpSpec { kernel: additive.clone(), ..GpSpec::default() }), Some(error));
    let inside = KernelSpec::new(ConditionalSpec { inner: additive });
    let error = SpecError::NestedTree { outer: "conditional" };
    assert_eq!(build(GpSpec { kernel: inside, ..GpSpec::default() }), Some(error));
    let infer = InferenceSpec::new(Slice { draws: 0, burn_in: 1, width: 1.0, settled: 200 });
    let error = build(GpSpec { infer, ..GpSpec::default() }).unwrap();
    assert!(error.to_string().contains("`draws` must be at least 1"), "{error}");
}
