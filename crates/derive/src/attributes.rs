//! Parses `#[space(…)]` key by key; an unknown or repeated key is an error at that key.
use crate::names::Case;
use proc_macro2::Span;
use syn::meta::ParseNestedMeta;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, Ident, LitStr, Path, Token};

/// On the struct or enum.
#[derive(Default)]
pub(crate) struct ContainerAttributes {
    pub(crate) rename: Option<LitStr>,
    pub(crate) rename_all: Option<Case>,
    pub(crate) ordinal: Option<Span>,
    pub(crate) forbidden: Vec<LitStr>,
    pub(crate) required: Vec<LitStr>,
    pub(crate) space: Option<Path>,
}

/// On a variant.
#[derive(Default)]
pub(crate) struct VariantAttributes {
    pub(crate) rename: Option<LitStr>,
    pub(crate) rename_all: Option<Case>,
    pub(crate) weight: Option<Expr>,
    pub(crate) default: Option<Span>,
    pub(crate) retired: Option<Span>,
}

/// On a field.
#[derive(Default)]
pub(crate) struct FieldAttributes {
    pub(crate) rename: Option<LitStr>,
    pub(crate) flatten: Option<Span>,
    pub(crate) low: Option<Expr>,
    pub(crate) high: Option<Expr>,
    pub(crate) step: Option<Expr>,
    pub(crate) log: Option<Span>,
    pub(crate) none: Option<Expr>,
    pub(crate) prior: Option<Prior>,
    pub(crate) choices: Option<Expr>,
    pub(crate) ordinal: Option<Expr>,
    pub(crate) weights: Option<Expr>,
    pub(crate) constant: Option<Expr>,
    pub(crate) default: Option<Expr>,
    /// Keys in source order.
    pub(crate) given: Vec<(&'static str, Span)>,
}

/// `prior = normal(mean = 0.0, sd = 1.0)` and the like.
pub(crate) enum Prior {
    Uniform,
    LogUniform,
    Normal { mean: Expr, sd: Expr },
    LogNormal { mu: Expr, sigma: Expr },
}

impl ContainerAttributes {
    pub(crate) fn read(attributes: &[Attribute]) -> syn::Result<Self> {
        let mut found = Self::default();
        each(attributes, |key, meta| match key {
            "rename" => once(meta, &mut found.rename, meta.value()?.parse()?),
            "rename_all" => once(meta, &mut found.rename_all, Case::named(&meta.value()?.parse()?)?),
            "ordinal" => once(meta, &mut found.ordinal, meta.path.span()),
            "forbid" => {
                found.forbidden.push(meta.value()?.parse()?);
                Ok(())
            }
            "require" => {
                found.required.push(meta.value()?.parse()?);
                Ok(())
            }
            "crate" => {
                let path: LitStr = meta.value()?.parse()?;
                once(meta, &mut found.space, path.parse_with(Path::parse_mod_style)?)
            }
            _ => Err(unknown(meta, key, "a type", "rename, rename_all, ordinal, forbid, require, crate")),
        })?;
        Ok(found)
    }
}

impl VariantAttributes {
    pub(crate) fn read(attributes: &[Attribute]) -> syn::Result<Self> {
        let mut found = Self::default();
        each(attributes, |key, meta| match key {
            "rename" => once(meta, &mut found.rename, meta.value()?.parse()?),
            "rename_all" => once(meta, &mut found.rename_all, Case::named(&meta.value()?.parse()?)?),
            "weight" => once(meta, &mut found.weight, meta.value()?.parse()?),
            "default" => once(meta, &mut found.default, meta.path.span()),
            "retired" => once(meta, &mut found.retired, meta.path.span()),
            _ => Err(unknown(meta, key, "a variant", "rename, rename_all, weight, default, retired")),
        })?;
        Ok(found)
    }
}

const FIELD_KEYS: [&str; 13] = [
    "rename", "flatten", "low", "high", "step", "log", "none", "prior", "choices", "ordinal", "weights",
    "constant", "default",
];

impl FieldAttributes {
    pub(crate) fn read(attributes: &[Attribute]) -> syn::Result<Self> {
        let mut found = Self::default();
        each(attributes, |key, meta| {
            let Some(&key) = FIELD_KEYS.iter().find(|known| **known == key) else {
                return Err(unknown(meta, key, "a field", &FIELD_KEYS.join(", ")));
            };
            found.given.push((key, meta.path.span()));
            let slot = match key {
                "rename" => return once(meta, &mut found.rename, meta.value()?.parse()?),
                "flatten" => return once(meta, &mut found.flatten, meta.path.span()),
                "log" => return once(meta, &mut found.log, meta.path.span()),
                "prior" => return once(meta, &mut found.prior, Prior::read(meta.value()?)?),
                "low" => &mut found.low,
                "high" => &mut found.high,
                "step" => &mut found.step,
                "none" => &mut found.none,
                "choices" => &mut found.choices,
                "ordinal" => &mut found.ordinal,
                "weights" => &mut found.weights,
                "constant" => &mut found.constant,
                _ => &mut found.default,
            };
            once(meta, slot, meta.value()?.parse()?)
        })?;
        Ok(found)
    }
}

impl Prior {
    fn read(input: ParseStream<'_>) -> syn::Result<Self> {
        let kind: Ident = input.parse()?;
        match kind.to_string().as_str() {
            "uniform" => Ok(Prior::Uniform),
            "log_uniform" => Ok(Prior::LogUniform),
            "normal" => arguments(input, &kind, ["mean", "sd"]).map(|[mean, sd]| Prior::Normal { mean, sd }),
            "log_normal" => {
                arguments(input, &kind, ["mu", "sigma"]).map(|[mu, sigma]| Prior::LogNormal { mu, sigma })
            }
            other => Err(syn::Error::new(
                kind.span(),
                format!(
                    "unknown prior `{other}`; one of uniform, log_uniform, normal(mean = …, sd = …), log_normal(mu = …, sigma = …)"
                ),
            )),
        }
    }
}

/// `(first = …, second = …)`.
fn arguments(input: ParseStream<'_>, kind: &Ident, names: [&str; 2]) -> syn::Result<[Expr; 2]> {
    let help = format!("expected `{kind}({} = …, {} = …)`", names[0], names[1]);
    let wrong = |span| syn::Error::new(span, &help);
    if !input.peek(syn::token::Paren) {
        return Err(wrong(kind.span()));
    }
    let content;
    syn::parenthesized!(content in input);
    let mut values = Vec::new();
    for expected in names {
        let name: Ident = content.parse().map_err(|_| wrong(kind.span()))?;
        if name != expected {
            return Err(wrong(name.span()));
        }
        content.parse::<Token![=]>().map_err(|_| wrong(name.span()))?;
        values.push(content.parse::<Expr>()?);
        if !content.is_empty() {
            content.parse::<Token![,]>()?;
        }
    }
    if !content.is_empty() {
        return Err(wrong(content.span()));
    }
    values.try_into().map_err(|_| wrong(kind.span()))
}

fn each(
    attributes: &[Attribute],
    mut read: impl FnMut(&str, &ParseNestedMeta<'_>) -> syn::Result<()>,
) -> syn::Result<()> {
    for attribute in attributes.iter().filter(|a| a.path().is_ident("space")) {
        attribute.parse_nested_meta(|meta| {
            let key = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
            read(&key, &meta)
        })?;
    }
    Ok(())
}

fn once<T>(meta: &ParseNestedMeta<'_>, slot: &mut Option<T>, value: T) -> syn::Result<()> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(meta.error("given twice")),
    }
}

fn unknown(meta: &ParseNestedMeta<'_>, key: &str, place: &str, known: &str) -> syn::Error {
    meta.error(format!("unknown key `{key}`; {place} takes {known}"))
}

/// The items of `[…]`, or `None` if the expression is not a list.
pub(crate) fn items(list: &Expr) -> Option<&Punctuated<Expr, Token![,]>> {
    match list {
        Expr::Array(array) => Some(&array.elems),
        _ => None,
    }
}
