//! Recipes as plain data: unknown fields are rejected, `build` checks everything once.
use crate::belief::Belief;
use crate::error::SpecError;
use crate::infer::InferenceSpec;
use crate::kernel::{
    Categories, Conditional, Hamming, Kernel, Laplace, Matern52, Scope, SquaredExponential, Stationary,
};
use crate::surrogate::{ForestSpec, Gp, Surrogate};
use crate::workers::Workers;
use arbora_space::Layout;
use serde::de::value::{MapAccessDeserializer, MapDeserializer};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Which surrogate: `{ kind = "gp", kernel = "matern52" }`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum SurrogateSpec {
    /// A Gaussian process.
    Gp(GpSpec),
    /// A random forest.
    Forest(ForestSpec),
}

impl Default for SurrogateSpec {
    fn default() -> Self {
        Self::Gp(GpSpec::default())
    }
}

impl SurrogateSpec {
    /// The working recipe for points of this layout.
    pub fn build(&self, layout: &Layout, workers: &Workers) -> Result<Box<dyn Surrogate>, SpecError> {
        match self {
            Self::Gp(spec) => Ok(Box::new(spec.build(layout, workers)?)),
            Self::Forest(spec) => Ok(Box::new(spec.build(layout, workers)?)),
        }
    }
}

/// A Gaussian process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GpSpec {
    /// How points are compared.
    pub kernel: KernelSpec,
    /// How θ is chosen.
    pub infer: InferenceSpec,
    /// Each length-scale of the kernel, on the unit cube.
    pub length: Belief,
    /// Standard deviation of the function, on losses of standard deviation one.
    pub amplitude: Belief,
    /// Standard deviation of the noise, on losses of standard deviation one.
    pub noise: Belief,
}

impl Default for GpSpec {
    fn default() -> Self {
        Self {
            kernel: KernelSpec::default(),
            infer: InferenceSpec::default(),
            length: Belief::length(),
            amplitude: Belief::amplitude(),
            noise: Belief::noise(),
        }
    }
}

impl GpSpec {
    /// The working recipe for points of this layout.
    pub fn build(&self, layout: &Layout, workers: &Workers) -> Result<Gp, SpecError> {
        self.amplitude.check("amplitude")?;
        self.noise.check("noise")?;
        Ok(Gp {
            kernel: self.kernel.build(layout, &self.length)?.into(),
            inference: self.infer.build()?,
            amplitude: self.amplitude.clone(),
            noise: self.noise.clone(),
            width: layout.width(),
            workers: workers.clone(),
        })
    }
}

/// How points are compared: `"matern52"`, or `{ kind = "conditional", inner = "laplace" }`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum KernelSpec {
    /// Squared exponential.
    Se {
        /// How categories are compared.
        #[serde(default)]
        categories: Categories,
    },
    /// Matérn 5/2.
    Matern52 {
        /// How categories are compared.
        #[serde(default)]
        categories: Categories,
    },
    /// Laplace.
    Laplace {
        /// How categories are compared.
        #[serde(default)]
        categories: Categories,
    },
    /// Hamming, over categories only.
    Hamming {},
    /// Zero across branches.
    Conditional {
        /// What is used inside a branch.
        inner: Box<KernelSpec>,
    },
}

impl Default for KernelSpec {
    fn default() -> Self {
        Self::Conditional { inner: Box::new(Self::Matern52 { categories: Categories::Label }) }
    }
}

impl KernelSpec {
    /// The working kernel for points of this layout; each of its scales believed to be `scale`.
    pub fn build(&self, layout: &Layout, scale: &Belief) -> Result<Box<dyn Kernel>, SpecError> {
        scale.check("length")?;
        match self {
            Self::Conditional { inner } => {
                Ok(Box::new(Conditional::new(inner.inside(layout, Scope::InsideBranch, scale)?)))
            }
            plain => plain.inside(layout, Scope::Everywhere, scale),
        }
    }

    fn inside(&self, layout: &Layout, scope: Scope, scale: &Belief) -> Result<Box<dyn Kernel>, SpecError> {
        Ok(match *self {
            Self::Se { categories } => {
                Box::new(Stationary::<SquaredExponential>::new(layout, scope, categories, scale))
            }
            Self::Matern52 { categories } => {
                Box::new(Stationary::<Matern52>::new(layout, scope, categories, scale))
            }
            Self::Laplace { categories } => {
                Box::new(Stationary::<Laplace>::new(layout, scope, categories, scale))
            }
            Self::Hamming {} => Box::new(Stationary::<Hamming>::new(layout, scope, Categories::Label, scale)),
            Self::Conditional { .. } => return Err(SpecError::NestedConditional),
        })
    }
}

impl Serialize for KernelSpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        KernelSpec::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for KernelSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ShortOrLong)
    }
}

/// A name alone stands for a kernel with all its defaults.
struct ShortOrLong;

impl<'de> Visitor<'de> for ShortOrLong {
    type Value = KernelSpec;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a kernel or a table with its `kind`")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<KernelSpec, E> {
        KernelSpec::deserialize(MapDeserializer::new([("kind", name)].into_iter()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<KernelSpec, A::Error> {
        KernelSpec::deserialize(MapAccessDeserializer::new(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<SurrogateSpec, serde_json::Error> {
        serde_json::from_str(text)
    }

    #[test]
    fn what_is_left_out_takes_its_default() {
        assert_eq!(read(r#"{"kind":"gp"}"#).unwrap(), SurrogateSpec::default());
        let long = r#"{"kind":"gp","kernel":{"kind":"conditional","inner":{"kind":"matern52","categories":"label"}}}"#;
        assert_eq!(read(long).unwrap(), SurrogateSpec::default());
        let short = r#"{"kind":"gp","kernel":{"kind":"conditional","inner":"matern52"},"infer":{"kind":"slice","draws":10}}"#;
        assert_eq!(read(short).unwrap(), SurrogateSpec::default());
    }

    #[test]
    fn a_name_stands_for_a_kernel() {
        for (text, kernel) in [
            (r#""se""#, KernelSpec::Se { categories: Categories::Label }),
            (r#""hamming""#, KernelSpec::Hamming {}),
            (
                r#"{"kind":"laplace","categories":"index"}"#,
                KernelSpec::Laplace { categories: Categories::Index },
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
        let noise = Belief { start: 7.0, ..Belief::noise() };
        assert!(matches!(
            build(GpSpec { noise, ..GpSpec::default() }),
            Some(SpecError::StartOutside { hyper: "noise", start: 7.0, .. })
        ));
        let nested = KernelSpec::Conditional { inner: Box::default() };
        assert_eq!(build(GpSpec { kernel: nested, ..GpSpec::default() }), Some(SpecError::NestedConditional));
        let infer = InferenceSpec::Slice { draws: 0, burn_in: 1, width: 1.0, settled: 200 };
        let error = build(GpSpec { infer, ..GpSpec::default() }).unwrap();
        assert!(error.to_string().contains("`draws` must be at least 1"), "{error}");
    }
}
