//! Generates the implementation of `TypedSpace`.
mod convert;
mod declare;

use crate::field::{Field, Kind};
use crate::input::Container;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

pub(crate) fn implementation(container: &Container) -> TokenStream {
    let Container { ident, space, name, .. } = container;
    let typed = quote!(#space::typed);
    let error = quote!(#space::SpaceError);
    let (parameters, arguments, clause) = container.generics.split_for_impl();
    let declare = declare::body(container);
    let read = convert::read(container);
    let write = convert::write(container);
    quote! {
        #[automatically_derived]
        #[allow(unused_variables, clippy::all, clippy::pedantic)]
        impl #parameters #typed::TypedSpace for #ident #arguments #clause {
            const NAME: &'static str = #name;

            fn declare(at: &#typed::Scope, into: &mut #space::SpaceSpec) {
                #declare
            }

            fn read(at: &#typed::Scope, from: &#typed::Reader<'_>) -> ::core::result::Result<Self, #error> {
                #read
            }

            fn write(&self, at: &#typed::Scope, into: &mut #typed::Writer<'_>) -> ::core::result::Result<(), #error> {
                #write
                ::core::result::Result::Ok(())
            }
        }
    }
}

/// The place of a field, relative to `at`, the place of its container.
fn place(field: &Field) -> TokenStream {
    match (&field.kind, &field.name) {
        (Kind::Nested { flatten: true }, _) => quote!(&at.flattened()),
        (_, Some(name)) => quote!(&at.field(#name)),
        (Kind::Nested { .. }, None) => quote!(at),
        (_, None) => quote!(&at.own(Self::NAME)),
    }
}

/// Calls a function of the trait for the type of a nested field, so that a missing trait is
/// reported at that field.
fn nested(container: &Container, field: &Field, function: &TokenStream) -> TokenStream {
    let (space, ty) = (&container.space, &field.ty);
    quote_spanned!(ty.span()=> <#ty as #space::typed::TypedSpace>::#function)
}
