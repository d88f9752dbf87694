//! `#[derive(Space)]`: a conditional search space from a Rust struct or enum.
//!
//! Use it through the crate `arbora`, which re-exports the macro next to the type of the same name.
mod attributes;
mod expand;
mod field;
mod input;
mod literal;
mod names;
#[cfg(test)]
mod tests;
mod types;

use syn::{DeriveInput, parse_macro_input};

/// Derives a search space from a type. An enum becomes a choice whose variants have their own
/// parameters; a struct becomes the product of its fields.
///
/// ```
/// use arbora::{Rng, Space, TypedSpace};
///
/// #[derive(Space, Debug, Clone, PartialEq)]
/// enum Learner {
///     #[space(weight = 2)]
///     Svm {
///         #[space(low = 1e-5, high = 1e5, log)]
///         c: f64,
///         kernel: Kernel,
///     },
///     Forest {
///         #[space(low = 1, high = 500, log, default = 100)]
///         trees: u32,
///         #[space(low = 1, high = 30)]
///         depth: Option<u32>,
///     },
///     Naive,
/// }
///
/// #[derive(Space, Debug, Clone, PartialEq)]
/// enum Kernel {
///     Linear,
///     Rbf {
///         #[space(low = 1e-5, high = 1e5, log)]
///         gamma: f64,
///     },
/// }
///
/// let space = Learner::space()?;
/// let configuration = space.sample(&mut Rng::new(7))?;
/// let learner = Learner::from_configuration(&space, &configuration)?;
/// assert_eq!(learner.to_configuration(&space)?, configuration);
/// # Ok::<(), arbora::SpaceError>(())
/// ```
///
/// Its parameters are `learner`, `learner.svm.c`, `learner.svm.kernel`,
/// `learner.svm.kernel.rbf.gamma`, `learner.forest.trees` and `learner.forest.depth`. As a field
/// `model: Learner` of a struct they would be `model`, `model.svm.c` and so on.
///
/// # Fields
///
/// | field | becomes |
/// |---|---|
/// | `f64`, `f32`, integers up to 64 bits | a number: `low` and `high` (inclusive), `log`, `step`, `default`, `prior` |
/// | `Option` of a number | none or a number; `none = 0.2` is the probability of none, `default = None` starts there |
/// | anything with `choices = […]` or `ordinal = […]` | alternatives, with `weights = […]` and `default` |
/// | `bool` | true or false, with `weights = [of false, of true]` and `default` |
/// | anything with `constant = …` | always this value |
/// | a type that derives `Space`, or an `Option` of one | its parameters, under the name of the field |
///
/// `prior` is one of `uniform`, `log_uniform`, `normal(mean = …, sd = …)`,
/// `log_normal(mu = …, sigma = …)`. `rename = "…"` sets another name; `flatten` removes the name of
/// the field from those of its parameters.
///
/// # Variants
///
/// `weight = …` (default one), `default`, `retired` (kept for old trials, never proposed),
/// `rename = "…"`, `rename_all = "…"` for its fields. A tuple variant holds a single type:
/// `Svm(SvmParameters)`.
///
/// # Types
///
/// `forbid = "…"` and `require = "…"` are constraints. They name parameters as if the type were the
/// whole space, and still hold when it is nested. `rename_all = "kebab-case"` respells the variants
/// of an enum (default: snake case) or the fields of a struct (default: as written). `ordinal` says
/// that the variants are ordered, from least to greatest. `rename = "…"` names the choice if no
/// field does. `crate = "arbora_space"` is for users of that crate without `arbora`.
///
/// Type parameters need a bound such as `T: TypedSpace`. A type cannot contain itself: its space
/// would be infinite.
#[proc_macro_derive(Space, attributes(space))]
pub fn derive_space(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expanded(input).unwrap_or_else(|problem| problem.to_compile_error()).into()
}

fn expanded(input: DeriveInput) -> syn::Result<proc_macro2::TokenStream> {
    input::Container::read(input).map(|container| expand::implementation(&container))
}
