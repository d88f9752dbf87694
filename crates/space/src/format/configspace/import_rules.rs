//! Converts `ConfigSpace` conditions and forbidden clauses to expressions.
use crate::error::SpaceError;
use crate::expression::{Comparison, Expression, Term};
use crate::format::view::{Fields, View};

/// A condition, and the name of its child parameter.
pub(super) fn condition<'a>(item: &View<'a>) -> Result<(&'a str, Expression), SpaceError> {
    let fields = item.fields()?;
    fields.only(&["type", "child", "parent", "value", "values", "conditions"])?;
    let child = fields.required("child")?;
    let kind = fields.required("type")?;
    let expression = match kind.text()? {
        "EQ" => against(&fields, "parent", Comparison::Equal)?,
        "NEQ" => against(&fields, "parent", Comparison::Different)?,
        "LT" => against(&fields, "parent", Comparison::Less)?,
        "GT" => against(&fields, "parent", Comparison::Greater)?,
        "IN" => among(&fields, "parent")?,
        "AND" => Expression::All(parts(&fields, "conditions", |part| same_child(part, &child))?),
        "OR" => Expression::Any(parts(&fields, "conditions", |part| same_child(part, &child))?),
        other => return Err(kind.unknown(other, &["EQ", "NEQ", "LT", "GT", "IN", "AND", "OR"])),
    };
    Ok((child.text()?, expression))
}

fn same_child(part: &View<'_>, child: &View<'_>) -> Result<Expression, SpaceError> {
    let (name, expression) = condition(part)?;
    match child.text()? {
        outer if outer == name => Ok(expression),
        outer => Err(part.fail(format!("condition on `{name}` inside a condition on `{outer}`"))),
    }
}

const CLAUSES: [&str; 14] = [
    "EQUALS",
    "IN",
    "AND",
    "OR",
    "CLAUSE_LT",
    "CLAUSE_LE",
    "CLAUSE_GT",
    "CLAUSE_GE",
    "RELATION_LT",
    "RELATION_LE",
    "RELATION_EQ",
    "RELATION_GT",
    "RELATION_GE",
    "RELATION",
];

/// A forbidden clause.
pub(super) fn forbidden(item: &View<'_>) -> Result<Expression, SpaceError> {
    let fields = item.fields()?;
    fields.only(&["type", "name", "value", "values", "clauses", "left", "right", "lambda"])?;
    let kind = fields.required("type")?;
    match kind.text()? {
        "EQUALS" => against(&fields, "name", Comparison::Equal),
        "IN" => among(&fields, "name"),
        "AND" => parts(&fields, "clauses", forbidden).map(Expression::All),
        "OR" => parts(&fields, "clauses", forbidden).map(Expression::Any),
        "RELATION" => {
            let sign = fields.required("lambda")?;
            relation(&fields, &sign, sign.text()?)
        }
        word => match word.split_once('_') {
            Some(("CLAUSE", sign)) if sign != "EQ" => against(&fields, "name", comparison(&kind, sign)?),
            Some(("RELATION", sign)) => relation(&fields, &kind, sign),
            _ => Err(kind.unknown(word, &CLAUSES)),
        },
    }
}

fn comparison(at: &View<'_>, sign: &str) -> Result<Comparison, SpaceError> {
    match sign {
        "LT" => Ok(Comparison::Less),
        "LE" => Ok(Comparison::AtMost),
        "EQ" => Ok(Comparison::Equal),
        "GT" => Ok(Comparison::Greater),
        "GE" => Ok(Comparison::AtLeast),
        other => Err(at.unknown(other, &["LT", "LE", "EQ", "GT", "GE"])),
    }
}

fn relation(fields: &Fields<'_>, at: &View<'_>, sign: &str) -> Result<Expression, SpaceError> {
    let side = |name: &str| Ok(Term::Parameter(fields.required(name)?.text()?.to_owned()));
    Ok(Expression::Compare(side("left")?, comparison(at, sign)?, side("right")?))
}

fn against(fields: &Fields<'_>, of: &str, op: Comparison) -> Result<Expression, SpaceError> {
    let name = fields.required(of)?.text()?.to_owned();
    let value = fields.required("value")?.value()?;
    Ok(Expression::Compare(Term::Parameter(name), op, Term::Value(value)))
}

fn among(fields: &Fields<'_>, of: &str) -> Result<Expression, SpaceError> {
    let name = fields.required(of)?.text()?.to_owned();
    Ok(Expression::In(name, fields.required("values")?.values()?))
}

fn parts<'a>(
    fields: &Fields<'a>,
    of: &str,
    read: impl Fn(&View<'a>) -> Result<Expression, SpaceError>,
) -> Result<Vec<Expression>, SpaceError> {
    fields.required(of)?.list()?.iter().map(read).collect()
}
