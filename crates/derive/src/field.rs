//! The kind of a field, decided by its attributes first and by the spelling of its type second.
use crate::attributes::{FieldAttributes, Prior, items};
use crate::literal::converted;
use crate::types::{is_called, is_number, option_of};
use syn::spanned::Spanned;
use syn::{Expr, Type};

/// A field and its kind.
pub(crate) struct Field {
    /// The name of the field in the space; `None` for the only field of a tuple.
    pub(crate) name: Option<String>,
    pub(crate) ty: Type,
    pub(crate) kind: Kind,
}

#[allow(clippy::large_enum_variant, reason = "a handful live while a macro runs")]
/// What a field becomes in the space.
pub(crate) enum Kind {
    /// A type with parameters of its own.
    Nested {
        flatten: bool,
    },
    Number(Box<Range>),
    Labels {
        list: Expr,
        ordered: bool,
        weights: Option<Expr>,
        default: Option<Expr>,
    },
    Boolean {
        weights: Option<Expr>,
        default: Option<Expr>,
    },
    Constant(Expr),
}

pub(crate) struct Range {
    /// The type of the number, without the `Option` around it.
    pub(crate) number: Type,
    pub(crate) low: Expr,
    pub(crate) high: Expr,
    pub(crate) log: bool,
    pub(crate) step: Option<Expr>,
    pub(crate) none: Absence,
    pub(crate) start: Option<Start>,
    pub(crate) prior: Option<Prior>,
}

/// Can the value be none?
#[allow(clippy::large_enum_variant, reason = "a handful live while a macro runs")]
pub(crate) enum Absence {
    Never,
    AsLikely,
    WithProbability(Expr),
}

/// The default value, where the search starts.
#[allow(clippy::large_enum_variant, reason = "a handful live while a macro runs")]
pub(crate) enum Start {
    None,
    Number(Expr),
}

const COLLECTIONS: [&str; 7] = ["Vec", "HashMap", "HashSet", "BTreeMap", "BTreeSet", "VecDeque", "Box"];

impl Kind {
    pub(crate) fn of(ty: &Type, attributes: FieldAttributes) -> syn::Result<Self> {
        if attributes.flatten.is_some() {
            allow(&attributes, "a flattened field", &["flatten"])?;
            return Ok(Kind::Nested { flatten: true });
        }
        if let Some(value) = &attributes.constant {
            allow(&attributes, "a constant", &["rename", "constant"])?;
            return Ok(Kind::Constant(converted(value, ty)));
        }
        if attributes.choices.is_some() || attributes.ordinal.is_some() {
            return labels(ty, &attributes);
        }
        if attributes.low.is_some() || attributes.high.is_some() || is_number(option_of(ty).unwrap_or(ty)) {
            return number(ty, attributes);
        }
        if is_called(ty, "bool") {
            allow(&attributes, "a truth value", &["rename", "weights", "default"])?;
            return Ok(Kind::Boolean { weights: attributes.weights, default: attributes.default });
        }
        refuse_types(ty)?;
        allow(&attributes, "a field with parameters of its own", &["rename"])?;
        Ok(Kind::Nested { flatten: false })
    }
}

fn labels(ty: &Type, attributes: &FieldAttributes) -> syn::Result<Kind> {
    let ordered = attributes.ordinal.is_some();
    let own = if ordered { "ordinal" } else { "choices" };
    allow(attributes, "a list of alternatives", &["rename", own, "weights", "default"])?;
    let list = attributes.choices.as_ref().or(attributes.ordinal.as_ref()).expect("one of the two is there");
    if items(list).is_some_and(syn::punctuated::Punctuated::is_empty) {
        return Err(syn::Error::new(list.span(), "the list is empty; give at least one alternative"));
    }
    if let (Some(values), Some(weights)) = (items(list), attributes.weights.as_ref().and_then(items))
        && values.len() != weights.len()
    {
        let problem = format!("{} weights for {} alternatives; give one each", weights.len(), values.len());
        return Err(syn::Error::new(attributes.weights.span(), problem));
    }
    Ok(Kind::Labels {
        list: converted(list, ty),
        ordered,
        weights: attributes.weights.clone(),
        default: attributes.default.as_ref().map(|value| converted(value, ty)),
    })
}

fn number(ty: &Type, attributes: FieldAttributes) -> syn::Result<Kind> {
    let inner = option_of(ty);
    let keys = ["rename", "low", "high", "log", "step", "none", "default", "prior"];
    allow(&attributes, "a number", &keys)?;
    let number = inner.unwrap_or(ty).clone();
    let bound = |bound: Option<&Expr>, name: &str| {
        let problem = || format!("a number needs `{name}`: #[space(low = …, high = …)], or `choices = […]`");
        bound.map(|value| converted(value, &number)).ok_or_else(|| syn::Error::new(ty.span(), problem()))
    };
    let (low, high) = (bound(attributes.low.as_ref(), "low")?, bound(attributes.high.as_ref(), "high")?);
    let none = match (attributes.none, inner) {
        (None, Some(_)) => Absence::AsLikely,
        (Some(chance), Some(_)) => Absence::WithProbability(converted(&chance, &syn::parse_quote!(f64))),
        (None, None) => Absence::Never,
        (Some(chance), None) => {
            let problem = "`none` is the probability that an `Option` is `None`; make the field an `Option`";
            return Err(syn::Error::new(chance.span(), problem));
        }
    };
    Ok(Kind::Number(Box::new(Range {
        low,
        high,
        log: attributes.log.is_some(),
        step: attributes.step.as_ref().map(|value| converted(value, &number)),
        none,
        start: attributes.default.map(|value| start_of(value, &number)),
        prior: attributes.prior,
        number,
    })))
}

/// Reads `None`, `Some(3)` or just `3`.
fn start_of(value: Expr, number: &Type) -> Start {
    match value {
        Expr::Path(path) if path.path.is_ident("None") => Start::None,
        Expr::Call(call) if call.args.len() == 1 && is_some(&call.func) => {
            Start::Number(converted(&call.args[0], number))
        }
        other => Start::Number(converted(&other, number)),
    }
}

fn is_some(function: &Expr) -> bool {
    matches!(function, Expr::Path(path) if path.path.is_ident("Some"))
}

/// Rejects keys that have no meaning for this kind of field.
fn allow(attributes: &FieldAttributes, kind: &str, keys: &[&str]) -> syn::Result<()> {
    match attributes.given.iter().find(|(key, _)| !keys.contains(key)) {
        None => Ok(()),
        Some((key, span)) => Err(syn::Error::new(
            *span,
            format!("`{key}` does not fit {kind}, which takes {}", keys.join(", ")),
        )),
    }
}

/// Reports unsupported types with a hint instead of a missing trait.
fn refuse_types(ty: &Type) -> syn::Result<()> {
    let advice = match ty {
        Type::Path(_) if is_called(ty, "String") || is_called(ty, "str") => {
            "text needs its alternatives: #[space(choices = [\"a\", \"b\"])]"
        }
        Type::Path(_) if option_of(ty).is_some_and(|t| is_called(t, "bool") || is_called(t, "String")) => {
            "list the alternatives: #[space(choices = [None, Some(…)])]"
        }
        Type::Path(_) if is_called(ty, "i128") || is_called(ty, "u128") => {
            "128-bit integers cannot be searched; use i64"
        }
        Type::Path(_) if COLLECTIONS.iter().any(|name| is_called(ty, name)) => {
            "a space has a fixed set of parameters; use a struct or an enum with one field per parameter"
        }
        Type::Path(_) | Type::Group(_) | Type::Paren(_) | Type::Macro(_) => return Ok(()),
        Type::Tuple(_) => "the parameters of a tuple have no names; use a struct with named fields",
        Type::Reference(_) => "a configuration owns its values; use the type without the reference",
        _ => "only numbers, bool, alternatives and types that derive `Space` can be searched",
    };
    Err(syn::Error::new(ty.span(), advice))
}
