//! Converts literals to the type of their field: `low = 1` may bound an `f64`, `"rbf"` may be a
//! `String`.
use crate::types::is_called;
use syn::{Expr, ExprLit, Lit, LitFloat, Type, UnOp};

/// The expression with its literals converted; anything else is left to the compiler.
pub(crate) fn converted(expression: &Expr, ty: &Type) -> Expr {
    match expression {
        Expr::Array(array) => {
            let mut array = array.clone();
            array.elems.iter_mut().for_each(|item| *item = converted(item, ty));
            Expr::Array(array)
        }
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
            let mut unary = unary.clone();
            *unary.expr = converted(&unary.expr, ty);
            Expr::Unary(unary)
        }
        Expr::Lit(ExprLit { lit: Lit::Int(whole), attrs }) if whole.suffix().is_empty() => {
            let Some(float) = ["f64", "f32"].into_iter().find(|name| is_called(ty, name)) else {
                return expression.clone();
            };
            let lit = LitFloat::new(&format!("{}{float}", whole.base10_digits()), whole.span());
            Expr::Lit(ExprLit { attrs: attrs.clone(), lit: Lit::Float(lit) })
        }
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
            syn::parse_quote_spanned!(text.span()=> ::core::convert::From::from(#text))
        }
        other => other.clone(),
    }
}
