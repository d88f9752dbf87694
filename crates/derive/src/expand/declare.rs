//! Generates `declare`: one parameter per field, one choice per enum.
use super::{nested, place};
use crate::attributes::Prior;
use crate::field::{Absence, Field, Kind, Range, Start};
use crate::input::{Container, Shape, Variant};
use crate::literal::converted;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, Path, Type};

pub(super) fn body(container: &Container) -> TokenStream {
    match &container.shape {
        Shape::Product(set) => {
            let fields = set.fields.iter().map(|field| declaration(container, field));
            let constraints = constraints(container, &|text| quote!(at.constraint(#text)));
            quote!(#(#fields)* #constraints)
        }
        Shape::Choice { variants, ordered } => {
            let choice = choice(&container.space, variants, *ordered);
            let branches =
                variants.iter().filter(|variant| !variant.fields.fields.is_empty()).map(|variant| {
                    let label = &variant.label;
                    let fields = variant.fields.fields.iter().map(|field| declaration(container, field));
                    quote!({ let at = &at.variant(#label); #(#fields)* })
                });
            let constraints = constraints(container, &|text| quote!(at.constraint_of(Self::NAME, #text)));
            quote! {
                let at = &at.own(Self::NAME);
                into.parameters.push(#choice);
                #(#branches)*
                #constraints
            }
        }
    }
}

fn constraints(container: &Container, moved: &dyn Fn(&syn::LitStr) -> TokenStream) -> TokenStream {
    let forbidden = container.forbidden.iter().map(moved);
    let required = container.required.iter().map(moved);
    quote!(#(into.forbidden.push(#forbidden);)* #(into.required.push(#required);)*)
}

fn choice(space: &Path, variants: &[Variant], ordered: bool) -> TokenStream {
    let labels: Vec<&String> = variants.iter().map(|variant| &variant.label).collect();
    let kind = if ordered { quote!(Ordinal) } else { quote!(Choice) };
    let mut param = quote! {
        at.param(#space::DomainSpec::#kind(::std::vec![#(#space::Value::from(#labels)),*]))
    };
    if variants.iter().any(|variant| variant.weight.is_some()) {
        let weights = variants.iter().map(|variant| match &variant.weight {
            Some(weight) => real(weight),
            None => syn::parse_quote!(1.0),
        });
        param = quote!(#param.weights([#(#weights),*]));
    }
    for variant in variants {
        let label = &variant.label;
        if variant.is_default {
            param = quote!(#param.default(#label));
        }
        if variant.is_retired {
            param = quote!(#param.retire(#label));
        }
    }
    param
}

fn declaration(container: &Container, field: &Field) -> TokenStream {
    let (space, ty, place) = (&container.space, &field.ty, place(field));
    let typed = quote!(#space::typed);
    let value = |default: &Expr| quote!(.default(#typed::value::<#ty>(&#default)));
    let (domain, rest) = match &field.kind {
        Kind::Nested { .. } => {
            let declare = nested(container, field, &quote!(declare));
            return quote!(#declare(#place, into););
        }
        Kind::Number(range) => (range_domain(&typed, range), range_options(space, range)),
        Kind::Labels { list, ordered, weights, default } => {
            let kind = if *ordered { quote!(Ordinal) } else { quote!(Choice) };
            let options = [weights.as_ref().map(weighted), default.as_ref().map(value)];
            (quote!(#space::DomainSpec::#kind(#typed::values::<#ty>(&#list))), joined(options))
        }
        Kind::Boolean { weights, default } => {
            let options = [weights.as_ref().map(weighted), default.as_ref().map(value)];
            (quote!(#space::DomainSpec::Boolean), joined(options))
        }
        Kind::Constant(constant) => {
            (quote!(#space::DomainSpec::Constant(#typed::value::<#ty>(&#constant))), quote!())
        }
    };
    quote!(into.parameters.push((#place).param(#domain)#rest);)
}

fn range_domain(typed: &TokenStream, range: &Range) -> TokenStream {
    let Range { number, low, high, log, step, .. } = range;
    let step = step.as_ref().map_or_else(
        || quote!(::core::option::Option::None),
        |step| quote!(::core::option::Option::Some(#step)),
    );
    quote!(<#number as #typed::NumericType>::domain(#low, #high, #log, #step))
}

fn range_options(space: &Path, range: &Range) -> TokenStream {
    let number = &range.number;
    let none = match &range.none {
        Absence::Never => None,
        Absence::AsLikely => Some(quote!(.or_none())),
        Absence::WithProbability(chance) => Some(quote!(.or_none_with(#chance))),
    };
    let start = range.start.as_ref().map(|start| match start {
        Start::None => quote!(.default(#space::Value::None)),
        Start::Number(value) => quote!(.default(#space::typed::value::<#number>(&#value))),
    });
    let prior = range.prior.as_ref().map(|prior| {
        let prior = match prior {
            Prior::Uniform => quote!(Uniform),
            Prior::LogUniform => quote!(LogUniform),
            Prior::Normal { mean, sd } => {
                let (mean, sd) = (real(mean), real(sd));
                quote!(Normal { mean: #mean, sd: #sd })
            }
            Prior::LogNormal { mu, sigma } => {
                let (mu, sigma) = (real(mu), real(sigma));
                quote!(LogNormal { mu: #mu, sigma: #sigma })
            }
        };
        quote!(.prior(#space::Prior::#prior))
    });
    joined([none, start, prior])
}

fn weighted(weights: &Expr) -> TokenStream {
    let weights = real(weights);
    quote!(.weights(::std::vec::Vec::from(#weights)))
}

/// Integer literals as reals.
fn real(expression: &Expr) -> Expr {
    let real: Type = syn::parse_quote!(f64);
    converted(expression, &real)
}

fn joined<const N: usize>(options: [Option<TokenStream>; N]) -> TokenStream {
    options.into_iter().flatten().collect()
}
