//! The place of a type inside a larger one: the name and the condition of its parameters.
use crate::expression::{Comparison, Expression, Term};
use crate::spec::{DomainSpec, ExpressionSource, Param};
use crate::value::Value;

/// A place in the tree of types.
///
/// ```
/// use arbora_space::typed::Scope;
/// let learner = Scope::root().field("learner");
/// assert_eq!(learner.variant("svm").field("C").name(), "learner.svm.C");
/// ```
#[derive(Clone, Debug)]
pub struct Scope {
    path: String,
    /// Does the path end in a name that the type at this place may use for itself?
    is_named: bool,
    /// The innermost decision; it implies those above it.
    when: Option<Expression>,
}

impl Scope {
    /// The place of the outermost type: no name, no condition.
    pub fn root() -> Self {
        Self { path: String::new(), is_named: false, when: None }
    }

    /// The full name of the parameter at this place.
    pub fn name(&self) -> &str {
        &self.path
    }

    /// A place with a name: this one, or one called `name` inside it.
    #[must_use]
    pub fn own(&self, name: &str) -> Self {
        if self.is_named { self.clone() } else { self.field(name) }
    }

    /// The place of a field.
    #[must_use]
    pub fn field(&self, name: &str) -> Self {
        Self { path: self.join(name), is_named: true, when: self.when.clone() }
    }

    /// The place of a flattened type, whose fields count as fields of its container.
    #[must_use]
    pub fn flattened(&self) -> Self {
        Self { is_named: false, ..self.clone() }
    }

    /// The place of everything that is active only if the choice here is `label`.
    #[must_use]
    pub fn variant(&self, label: &str) -> Self {
        let choice = Term::Parameter(self.path.clone());
        let when = Expression::Compare(choice, Comparison::Equal, Term::Value(Value::from(label)));
        Self { path: self.join(label), is_named: true, when: Some(when) }
    }

    /// The parameter at this place.
    pub fn param(&self, domain: DomainSpec) -> Param {
        let param = Param::new(self.path.clone(), domain);
        match &self.when {
            Some(condition) => param.when(condition.clone()),
            None => param,
        }
    }

    /// A constraint of a type, about parameters at this place. Text that does not parse is kept, so
    /// that the check of the whole space reports it.
    pub fn constraint(&self, text: &str) -> ExpressionSource {
        moved(text, |name| self.join(name))
    }

    /// Like [`constraint`](Self::constraint), for a type that calls its own choice `own`.
    pub fn constraint_of(&self, own: &str, text: &str) -> ExpressionSource {
        moved(text, |name| match name.strip_prefix(own) {
            Some("") => self.path.clone(),
            Some(rest) if rest.starts_with('.') => format!("{}{rest}", self.path),
            _ => self.join(name),
        })
    }

    fn join(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }
}

fn moved(text: &str, to: impl Fn(&str) -> String) -> ExpressionSource {
    match text.parse::<Expression>() {
        Ok(expression) => expression.renamed(&to).into(),
        Err(_) => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_takes_its_own_name_only_where_it_has_no_other() {
        assert_eq!(Scope::root().own("kernel").name(), "kernel");
        assert_eq!(Scope::root().field("k").own("kernel").name(), "k");
        assert_eq!(Scope::root().field("k").flattened().own("kernel").name(), "k.kernel");
    }

    #[test]
    fn only_the_innermost_decision_is_written() {
        let at = Scope::root().field("a").variant("x").field("b").variant("y").field("c");
        let param = at.param(DomainSpec::Boolean);
        assert_eq!(param.name, "a.x.b.y.c");
        assert_eq!(param.when, [ExpressionSource::from("a.x.b == 'y'".parse::<Expression>().unwrap())]);
    }

    #[test]
    fn constraints_move_with_their_type() {
        let read = |text: &str| ExpressionSource::from(text.parse::<Expression>().unwrap());
        assert_eq!(Scope::root().constraint("a < b"), read("a < b"));
        let at = Scope::root().field("p");
        assert_eq!(at.constraint("a < b"), read("p.a < p.b"));
        assert_eq!(
            at.constraint_of("model", "model == 'svm' and model.svm.C > 1"),
            read("p == 'svm' and p.svm.C > 1")
        );
        assert_eq!(at.constraint_of("model", "svm.C > 1 and models"), read("p.svm.C > 1 and p.models"));
        assert_eq!(at.constraint("a <"), ExpressionSource::from("a <"));
    }
}
