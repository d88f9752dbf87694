//! Generates `read` and `write`, which walk the fields in the same way.
use super::{nested, place};
use crate::field::{Field, Kind};
use crate::input::{Container, FieldSet, Shape};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

pub(super) fn read(container: &Container) -> TokenStream {
    match &container.shape {
        Shape::Product(set) => {
            let built = built(container, set, &quote!(Self));
            quote!(::core::result::Result::Ok(#built))
        }
        Shape::Choice { variants, .. } => {
            let labels: Vec<&String> = variants.iter().map(|variant| &variant.label).collect();
            let arms = variants.iter().map(|variant| {
                let (ident, label) = (&variant.ident, &variant.label);
                let built = built(container, &variant.fields, &quote!(Self::#ident));
                quote!(#label => { let at = &at.variant(#label); ::core::result::Result::Ok(#built) })
            });
            quote! {
                let at = &at.own(Self::NAME);
                match from.label(at)?.as_str() {
                    #(#arms)*
                    other => ::core::result::Result::Err(from.unexpected(at, other, &[#(#labels),*])),
                }
            }
        }
    }
}

fn built(container: &Container, set: &FieldSet, path: &TokenStream) -> TokenStream {
    let values = set.fields.iter().map(|field| {
        let place = place(field);
        let (space, ty) = (&container.space, &field.ty);
        if let Kind::Nested { .. } = field.kind {
            let read = nested(container, field, &quote!(read));
            quote!(#read(#place, from)?)
        } else {
            quote!(#space::typed::Reader::scalar::<#ty>(from, #place)?)
        }
    });
    let idents = &set.idents;
    if set.is_tuple { quote!(#path(#(#values),*)) } else { quote!(#path { #(#idents: #values),* }) }
}

pub(super) fn write(container: &Container) -> TokenStream {
    match &container.shape {
        Shape::Product(set) => {
            let pattern = pattern(set, &quote!(Self));
            let fields = written(container, set);
            quote!(let #pattern = self; #(#fields)*)
        }
        Shape::Choice { variants, .. } => {
            let arms = variants.iter().map(|variant| {
                let (ident, label) = (&variant.ident, &variant.label);
                let pattern = pattern(&variant.fields, &quote!(Self::#ident));
                let fields = written(container, &variant.fields);
                quote!(#pattern => { into.label(at, #label); let at = &at.variant(#label); #(#fields)* })
            });
            quote!(let at = &at.own(Self::NAME); match self { #(#arms)* })
        }
    }
}

fn pattern(set: &FieldSet, path: &TokenStream) -> TokenStream {
    let (idents, bound) = (&set.idents, bindings(set));
    if set.is_tuple { quote!(#path(#(#bound),*)) } else { quote!(#path { #(#idents: #bound),* }) }
}

/// Names that cannot clash with fields.
fn bindings(set: &FieldSet) -> Vec<Ident> {
    (0..set.fields.len()).map(|i| format_ident!("__field_{i}")).collect()
}

fn written(container: &Container, set: &FieldSet) -> Vec<TokenStream> {
    let write = |(field, bound): (&Field, Ident)| {
        let (place, ty) = (place(field), &field.ty);
        if let Kind::Nested { .. } = field.kind {
            let write = nested(container, field, &quote!(write));
            quote!(#write(#bound, #place, into)?;)
        } else {
            quote!(into.scalar::<#ty>(#place, #bound)?;)
        }
    };
    set.fields.iter().zip(bindings(set)).map(write).collect()
}
