//! Recognises types by their names, since a macro sees only tokens.
use syn::{GenericArgument, PathArguments, Type};

const NUMBERS: [&str; 12] =
    ["f64", "f32", "i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize"];

/// Does a type have this name, regardless of its path?
pub(crate) fn is_called(ty: &Type, name: &str) -> bool {
    matches!(ty, Type::Path(path) if path.qself.is_none()
        && path.path.segments.last().is_some_and(|segment| segment.ident == name))
}

pub(crate) fn is_number(ty: &Type) -> bool {
    NUMBERS.iter().any(|name| is_called(ty, name))
}

/// The `T` of `Option<T>`.
pub(crate) fn option_of(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|segment| segment.ident == "Option")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first() {
        Some(GenericArgument::Type(inner)) => Some(inner),
        _ => None,
    }
}
