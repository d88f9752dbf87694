//! The struct or enum as a space: resolves names and kinds of fields, and reports errors at their
//! source.
use crate::attributes::{ContainerAttributes, FieldAttributes, VariantAttributes};
use crate::field::{Field, Kind};
use crate::names::Case;
use proc_macro2::Span;
use std::collections::HashSet;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Data, DataEnum, DeriveInput, Expr, Fields, GenericParam, Generics, Ident, LitStr, Path};

/// A type that derives `Space`.
pub(crate) struct Container {
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    /// Its name in the space, if no field gives it one.
    pub(crate) name: String,
    /// Path of the crate with the module `typed`.
    pub(crate) space: Path,
    pub(crate) shape: Shape,
    pub(crate) forbidden: Vec<LitStr>,
    pub(crate) required: Vec<LitStr>,
}

pub(crate) enum Shape {
    Product(FieldSet),
    Choice { variants: Vec<Variant>, ordered: bool },
}

/// The fields of a struct or variant.
pub(crate) struct FieldSet {
    pub(crate) fields: Vec<Field>,
    /// Rust names of the fields; empty for tuples and units.
    pub(crate) idents: Vec<Ident>,
    pub(crate) is_tuple: bool,
}

pub(crate) struct Variant {
    pub(crate) ident: Ident,
    pub(crate) label: String,
    pub(crate) weight: Option<Expr>,
    pub(crate) is_default: bool,
    pub(crate) is_retired: bool,
    pub(crate) fields: FieldSet,
}

impl Container {
    pub(crate) fn read(input: DeriveInput) -> syn::Result<Self> {
        let attributes = ContainerAttributes::read(&input.attrs)?;
        check_generics(&input.generics)?;
        let name = match &attributes.rename {
            Some(name) => not_empty(name)?,
            None => Case::Snake.apply(&input.ident.unraw().to_string()),
        };
        let shape = match &input.data {
            Data::Struct(data) => product(&data.fields, &attributes)?,
            Data::Enum(data) => choice(data, &attributes, &input.ident)?,
            Data::Union(data) => {
                let problem =
                    "a union does not know which of its fields it holds; derive `Space` for an enum";
                return Err(syn::Error::new(data.union_token.span, problem));
            }
        };
        Ok(Self {
            ident: input.ident,
            generics: input.generics,
            name,
            space: attributes.space.unwrap_or_else(|| syn::parse_quote!(::arbora::space)),
            shape,
            forbidden: attributes.forbidden,
            required: attributes.required,
        })
    }
}

fn check_generics(generics: &Generics) -> syn::Result<()> {
    for parameter in &generics.params {
        match parameter {
            GenericParam::Lifetime(lifetime) => {
                let problem = "a configuration owns its values; a space cannot borrow";
                return Err(syn::Error::new(lifetime.span(), problem));
            }
            GenericParam::Type(ty) if ty.bounds.is_empty() && generics.where_clause.is_none() => {
                let problem = format!("write `{}: TypedSpace`, so that its parameters are known", ty.ident);
                return Err(syn::Error::new(ty.span(), problem));
            }
            _ => {}
        }
    }
    Ok(())
}

fn product(fields: &Fields, attributes: &ContainerAttributes) -> syn::Result<Shape> {
    if let Some(span) = attributes.ordinal {
        return Err(syn::Error::new(span, "`ordinal` belongs to enums: variants from least to greatest"));
    }
    let constraint = attributes.forbidden.first().or(attributes.required.first());
    if let (Fields::Unnamed(_), Some(text)) = (fields, constraint) {
        let problem = "a tuple has no names to write constraints about; use named fields";
        return Err(syn::Error::new(text.span(), problem));
    }
    FieldSet::read(fields, attributes.rename_all.unwrap_or(Case::AsWritten)).map(Shape::Product)
}

fn choice(data: &DataEnum, attributes: &ContainerAttributes, ident: &Ident) -> syn::Result<Shape> {
    if data.variants.is_empty() {
        return Err(syn::Error::new(ident.span(), "an enum without variants leaves nothing to choose"));
    }
    let case = attributes.rename_all.unwrap_or(Case::Snake);
    let variants: Vec<Variant> =
        data.variants.iter().map(|variant| Variant::read(variant, case)).collect::<syn::Result<_>>()?;
    distinct(variants.iter().map(|variant| (variant.label.as_str(), variant.ident.span())), "variants")?;
    if let Some(second) = variants.iter().filter(|variant| variant.is_default).nth(1) {
        return Err(syn::Error::new(second.ident.span(), "two variants are the default; choose one"));
    }
    if variants.iter().all(|variant| variant.is_retired) {
        return Err(syn::Error::new(ident.span(), "every variant is retired; leave one on offer"));
    }
    Ok(Shape::Choice { variants, ordered: attributes.ordinal.is_some() })
}

impl Variant {
    fn read(variant: &syn::Variant, case: Case) -> syn::Result<Self> {
        let attributes = VariantAttributes::read(&variant.attrs)?;
        if let (Some(span), Some(_)) = (attributes.default, attributes.retired) {
            return Err(syn::Error::new(span, "a retired variant cannot be the default"));
        }
        Ok(Self {
            ident: variant.ident.clone(),
            label: match &attributes.rename {
                Some(label) => not_empty(label)?,
                None => case.apply(&variant.ident.unraw().to_string()),
            },
            weight: attributes.weight,
            is_default: attributes.default.is_some(),
            is_retired: attributes.retired.is_some(),
            fields: FieldSet::read(&variant.fields, attributes.rename_all.unwrap_or(Case::AsWritten))?,
        })
    }
}

impl FieldSet {
    fn read(fields: &Fields, case: Case) -> syn::Result<Self> {
        if let (Fields::Unnamed(tuple), Some(second)) = (fields, fields.iter().nth(1)) {
            let problem =
                format!("{} fields without names; name them, or hold a single type", tuple.unnamed.len());
            return Err(syn::Error::new(second.span(), problem));
        }
        let (mut found, mut idents) = (Vec::new(), Vec::new());
        for field in fields {
            let attributes = FieldAttributes::read(&field.attrs)?;
            let name = match (&attributes.rename, &field.ident) {
                (Some(name), Some(_)) => Some(not_empty(name)?),
                (None, Some(ident)) => Some(case.apply(&ident.unraw().to_string())),
                (Some(name), None) => {
                    let problem = "the field of a tuple takes the name of the tuple; rename that";
                    return Err(syn::Error::new(name.span(), problem));
                }
                (None, None) => None,
            };
            idents.extend(field.ident.clone());
            found.push(Field { name, kind: Kind::of(&field.ty, attributes)?, ty: field.ty.clone() });
        }
        let named = found
            .iter()
            .zip(fields)
            .filter(|(field, _)| !matches!(field.kind, Kind::Nested { flatten: true }));
        distinct(named.filter_map(|(field, at)| Some((field.name.as_deref()?, at.span()))), "fields")?;
        Ok(Self { fields: found, idents, is_tuple: matches!(fields, Fields::Unnamed(_)) })
    }
}

fn not_empty(name: &LitStr) -> syn::Result<String> {
    let text = name.value();
    if text.is_empty() { Err(syn::Error::new(name.span(), "the name is empty")) } else { Ok(text) }
}

fn distinct<'a>(names: impl Iterator<Item = (&'a str, Span)>, what: &str) -> syn::Result<()> {
    let mut seen = HashSet::new();
    for (name, span) in names {
        if !seen.insert(name) {
            return Err(syn::Error::new(span, format!("two {what} are called `{name}`; rename one")));
        }
    }
    Ok(())
}
