//! Recipes as plain data: unknown fields are rejected, `build` checks everything once.
mod hierarchical;
mod kriging;
mod length_prior;
mod tree;

pub use hierarchical::{HierarchicalSpec, RuleSpec, ShapeSpec, Unconditional};
pub use kriging::KrigingSpec;
pub use length_prior::LengthPrior;

use crate::belief::Belief;
use crate::error::SpecError;
use crate::infer::InferenceSpec;
use crate::kernel::{
    Basis, Categories, Conditional, Context, Hamming, Kernel, Laplace, Matern52, Mondrian, Scope, Shared,
    SquaredExponential, Stationary, Warped, add_tree, hierarchical, kept, marginal,
};
use crate::surrogate::{Averaged, ForestSpec, Gp, Output, PerBranch, Reshaped, Support, Surrogate};
use crate::workers::Workers;
use arbora_space::{Column, ColumnKind, Layout};
use serde::de::value::{MapAccessDeserializer, MapDeserializer};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
pub use tree::TreeGpSpec;

/// Which surrogate: `{ kind = "gp", kernel = "matern52" }`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum SurrogateSpec {
    /// Several Gaussian processes, averaged or chosen by how well the losses speak for them.
    Averaged {
        /// The processes; at least one.
        members: Vec<GpSpec>,
        /// What speaks for a process.
        #[serde(default)]
        by: Support,
        /// Does the best one speak alone?
        #[serde(default)]
        choose: bool,
    },
    /// A Gaussian process.
    Gp(GpSpec),
    /// An independent Gaussian process in every branch; the kernel says how points inside one are compared.
    PerBranch(GpSpec),
    /// Another surrogate of losses made more normal.
    Reshaped {
        /// How losses are reshaped.
        output: Output,
        /// What sees them.
        inner: Box<SurrogateSpec>,
    },
    /// A tree-structured Gaussian process.
    TreeGp(TreeGpSpec),
    /// Kriging with a nugget.
    Kriging(KrigingSpec),
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
            Self::Averaged { members, by, choose } => averaged(members, *by, *choose, layout, workers),
            Self::Gp(spec) => Ok(Box::new(spec.build(layout, workers)?)),
            Self::Reshaped { output, inner } => {
                Ok(Box::new(Reshaped { inner: inner.build(layout, workers)?, output: *output }))
            }
            Self::PerBranch(spec) => Ok(Box::new(PerBranch { inside: spec.build_inside(layout, workers)? })),
            Self::TreeGp(spec) => Ok(Box::new(spec.build(layout, workers)?)),
            Self::Kriging(spec) => Ok(Box::new(spec.build(layout)?)),
            Self::Forest(spec) => Ok(Box::new(spec.build(layout, workers)?)),
        }
    }
}

fn averaged(
    members: &[GpSpec],
    by: Support,
    choose: bool,
    layout: &Layout,
    workers: &Workers,
) -> Result<Box<dyn Surrogate>, SpecError> {
    if members.is_empty() {
        return Err(SpecError::NoMembers);
    }
    let build = |member: &GpSpec| Ok(Box::new(member.build(layout, workers)?) as Box<dyn Surrogate>);
    let members = members.iter().map(build).collect::<Result<Vec<_>, SpecError>>()?;
    Ok(Box::new(Averaged { members, by, choose }))
}

/// A Gaussian process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GpSpec {
    /// How points are compared.
    pub kernel: KernelSpec,
    /// How θ is chosen.
    pub infer: InferenceSpec,
    /// What is believed of length-scales and noise.
    pub prior: LengthPrior,
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
            prior: LengthPrior::default(),
            length: Belief::length(),
            amplitude: Belief::amplitude(),
            noise: Belief::noise(),
        }
    }
}

impl GpSpec {
    /// The recipe inside one branch: a kernel that knows branches does, a plain one is confined to one.
    fn build_inside(&self, layout: &Layout, workers: &Workers) -> Result<Gp, SpecError> {
        let kernel = match &self.kernel {
            whole @ KernelSpec::Conditional { .. } => whole.clone(),
            plain => KernelSpec::Conditional { inner: Box::new(plain.clone()) },
        };
        Self { kernel, ..self.clone() }.build(layout, workers)
    }

    /// The working recipe for points of this layout.
    pub fn build(&self, layout: &Layout, workers: &Workers) -> Result<Gp, SpecError> {
        self.amplitude.check("amplitude")?;
        let (length, noise) = self.beliefs();
        noise.check("noise")?;
        let kernel = self.kernel.build(layout, &length)?;
        if !kernel.is_definite() {
            return Err(SpecError::IndefiniteKernel { surrogate: "gp" });
        }
        Ok(Gp {
            kernel: kernel.into(),
            inference: self.infer.build()?,
            amplitude: self.amplitude.clone(),
            noise,
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
    /// A sum over the nodes of the tree of decisions.
    AddTree {
        /// How the columns of one node are compared.
        #[serde(default = "KernelSpec::matern52")]
        inner: Box<KernelSpec>,
    },
    /// A sum over the conditions under which columns are active.
    Additive {
        /// How the columns of one condition are compared.
        #[serde(default = "KernelSpec::matern52")]
        inner: Box<KernelSpec>,
    },
    /// Losses or costs at a share of an evaluation, the share being one of the parameters.
    Context {
        /// How the rest of two points is compared.
        inner: Box<KernelSpec>,
        /// The parameter that says how much was evaluated.
        column: String,
        /// How the quantity changes with it.
        #[serde(default)]
        basis: Basis,
    },
    /// Random partitions.
    Mondrian {
        /// How many.
        #[serde(default = "thirty")]
        trees: usize,
    },
    /// Numbers bent by learnt curves before they are compared.
    Warped {
        /// How bent points are compared.
        inner: Box<KernelSpec>,
    },
    /// The prior of the tree model: weights of inner nodes, a process of its own in every branch.
    Marginal {
        /// How points of one branch are compared.
        #[serde(default = "KernelSpec::matern52")]
        inner: Box<KernelSpec>,
        /// How parameters of several branches act.
        #[serde(default)]
        shared: Shared,
        /// Has every branch an offset of its own, too?
        #[serde(default)]
        offsets: bool,
    },
    /// Distances that know when a parameter is absent.
    Hierarchical(HierarchicalSpec),
}

/// A working kernel, or why there is none.
type Built = Result<Box<dyn Kernel>, SpecError>;

impl Default for KernelSpec {
    fn default() -> Self {
        Self::Conditional { inner: Self::matern52() }
    }
}

impl KernelSpec {
    #[allow(clippy::unnecessary_box_returns, reason = "the default of a boxed field")]
    fn matern52() -> Box<Self> {
        Box::new(Self::Matern52 { categories: Categories::Label })
    }

    /// The working kernel for points of this layout; each of its scales believed to be `scale`.
    pub fn build(&self, layout: &Layout, scale: &Belief) -> Result<Box<dyn Kernel>, SpecError> {
        scale.check("length")?;
        match self {
            Self::Conditional { inner } => {
                Ok(Box::new(Conditional::new(inner.inside(layout, Scope::InsideBranch, scale)?)))
            }
            Self::AddTree { inner } => Ok(Box::new(add_tree(layout, &inner.under("add_tree", scale)?)?)),
            Self::Additive { inner } => Ok(Box::new(hierarchical(layout, &inner.under("additive", scale)?)?)),
            Self::Marginal { inner, shared, offsets } => {
                Ok(Box::new(marginal(layout, *shared, *offsets, &inner.under("marginal", scale)?)?))
            }
            Self::Context { inner, column, basis } => {
                let at = context_column(layout, column)?;
                let rest = inner.build(&kept(layout, |other| other != at), scale)?;
                Ok(Box::new(Context::new(rest, at, *basis)))
            }
            Self::Warped { inner } => Ok(Box::new(Warped::new(layout, inner.build(layout, scale)?))),
            plain => plain.inside(layout, Scope::Everywhere, scale),
        }
    }

    /// Makes this kernel over whichever columns a sum asks for.
    fn under<'a>(
        &'a self,
        outer: &'static str,
        scale: &'a Belief,
    ) -> Result<impl Fn(&Layout, Scope) -> Built + 'a, SpecError> {
        if !self.is_plain() {
            return Err(SpecError::NestedTree { outer });
        }
        Ok(move |layout: &Layout, scope: Scope| self.inside(layout, scope, scale))
    }

    /// Compares points and nothing else.
    fn is_plain(&self) -> bool {
        use KernelSpec::{Hamming, Laplace, Matern52, Mondrian, Se};
        matches!(self, Hamming { .. } | Laplace { .. } | Matern52 { .. } | Mondrian { .. } | Se { .. })
    }

    fn inside(&self, layout: &Layout, scope: Scope, scale: &Belief) -> Result<Box<dyn Kernel>, SpecError> {
        Ok(match self {
            &Self::Se { categories } => {
                Box::new(Stationary::<SquaredExponential>::new(layout, scope, categories, scale))
            }
            &Self::Matern52 { categories } => {
                Box::new(Stationary::<Matern52>::new(layout, scope, categories, scale))
            }
            &Self::Laplace { categories } => {
                Box::new(Stationary::<Laplace>::new(layout, scope, categories, scale))
            }
            Self::Hamming {} => Box::new(Stationary::<Hamming>::new(layout, scope, Categories::Label, scale)),
            Self::Conditional { .. } => return Err(SpecError::NestedConditional),
            &Self::Mondrian { trees: 0 } => return Err(SpecError::NoTrees),
            &Self::Mondrian { trees } => Box::new(Mondrian::new(layout, scope, trees, scale)),
            Self::AddTree { .. }
            | Self::Additive { .. }
            | Self::Context { .. }
            | Self::Marginal { .. }
            | Self::Warped { .. } => {
                return Err(SpecError::NestedTree { outer: "conditional" });
            }
            Self::Hierarchical(_) if scope == Scope::InsideBranch => {
                return Err(SpecError::HierarchicalInBranch);
            }
            Self::Hierarchical(spec) => spec.build(layout, scale)?,
        })
    }
}

/// Trees of the papers' figures.
fn thirty() -> usize {
    30
}

/// A number that every configuration has and nothing depends on.
fn context_column(layout: &Layout, name: &str) -> Result<usize, SpecError> {
    let is_it = |column: &Column| {
        let is_free = !column.is_conditional && !column.is_decider && !column.is_fixed;
        column.name == name && is_free && column.kind == ColumnKind::Numeric
    };
    layout.columns.iter().position(is_it).ok_or_else(|| SpecError::NoContext { column: name.to_owned() })
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
        if let Some(rule) = RuleSpec::named(name) {
            return Ok(KernelSpec::Hierarchical(HierarchicalSpec { rule, ..HierarchicalSpec::default() }));
        }
        KernelSpec::deserialize(MapDeserializer::new([("kind", name)].into_iter()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<KernelSpec, A::Error> {
        KernelSpec::deserialize(MapAccessDeserializer::new(map))
    }
}

#[cfg(test)]
mod tests;
