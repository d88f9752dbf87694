//! A space under construction: declared line by line, every line checked where it is written.
//!
//! A declaration is judged together with the deciders its condition names, and theirs, but without the rest: a
//! mistake is reported at its own line, and declaring n parameters costs n small checks. What only the whole can
//! show, such as constraints that leave nothing, comes to light at first use.
use arbora_space::{ExpressionSource, Param, Space, SpaceError, SpaceSpec};
use std::sync::Arc;

/// Which way a constraint points.
#[derive(Clone, Copy)]
pub(crate) enum Rule {
    Forbid,
    Require,
}

/// Declarations, and the space they make once it was asked for.
#[derive(Clone, Default)]
pub(crate) struct SpaceBuilder {
    spec: SpaceSpec,
    built: Option<Arc<Space>>,
}

impl SpaceBuilder {
    /// From a space as written; the whole is checked at once.
    pub(crate) fn read(spec: SpaceSpec) -> Result<Self, SpaceError> {
        let space = Space::new(parsed(spec)?)?;
        Ok(Self { spec: space.spec().clone(), built: Some(Arc::new(space)) })
    }

    /// The space as written so far.
    pub(crate) fn spec(&self) -> &SpaceSpec {
        &self.spec
    }

    /// The space, checked as a whole when first asked for.
    pub(crate) fn space(&mut self) -> Result<Arc<Space>, SpaceError> {
        if let Some(space) = &self.built {
            return Ok(Arc::clone(space));
        }
        let space = Arc::new(Space::new(self.spec.clone())?);
        self.built = Some(Arc::clone(&space));
        Ok(space)
    }

    /// Adds a parameter whose deciders are declared already.
    pub(crate) fn declare(&mut self, mut param: Param) -> Result<(), SpaceError> {
        if self.spec.parameters.iter().any(|known| known.name == param.name) {
            return Err(SpaceError::DuplicateName { name: param.name });
        }
        param.when = param.when.iter().map(read).collect::<Result<_, _>>()?;
        let mut part = SpaceSpec::new(self.behind(&names(&param.when)));
        part.parameters.push(param.clone());
        Space::new(part)?;
        self.spec.parameters.push(param);
        self.built = None;
        Ok(())
    }

    /// Adds a constraint on parameters that are declared already.
    pub(crate) fn constrain(&mut self, rule: Rule, text: String) -> Result<(), SpaceError> {
        let written = read(&ExpressionSource::Text(text))?;
        let part = SpaceSpec::new(self.behind(&names(std::slice::from_ref(&written))));
        let (part, list) = match rule {
            Rule::Forbid => (part.forbid(written.clone()), &mut self.spec.forbidden),
            Rule::Require => (part.require(written.clone()), &mut self.spec.required),
        };
        Space::new(part)?;
        list.push(written);
        self.built = None;
        Ok(())
    }

    /// The parameters of these names and all they depend on; everything if one is unknown, so that the complaint
    /// about it can point to a similar name.
    fn behind(&self, names_wanted: &[String]) -> Vec<Param> {
        let mut open = names_wanted.to_vec();
        let mut wanted = vec![false; self.spec.parameters.len()];
        while let Some(name) = open.pop() {
            let Some(at) = self.spec.parameters.iter().position(|param| param.name == name) else {
                return self.spec.parameters.clone();
            };
            if !wanted[at] {
                wanted[at] = true;
                open.extend(names(&self.spec.parameters[at].when));
            }
        }
        let all = self.spec.parameters.iter().zip(wanted);
        all.filter(|(_, is_wanted)| *is_wanted).map(|(param, _)| param.clone()).collect()
    }
}

/// The same space with every expression read, so that two spaces compare by meaning and not by spelling.
fn parsed(mut spec: SpaceSpec) -> Result<SpaceSpec, SpaceError> {
    for param in &mut spec.parameters {
        param.when = param.when.iter().map(read).collect::<Result<_, _>>()?;
    }
    spec.forbidden = spec.forbidden.iter().map(read).collect::<Result<_, _>>()?;
    spec.required = spec.required.iter().map(read).collect::<Result<_, _>>()?;
    Ok(spec)
}

fn read(written: &ExpressionSource) -> Result<ExpressionSource, SpaceError> {
    written.read().map(ExpressionSource::Parsed)
}

fn names(written: &[ExpressionSource]) -> Vec<String> {
    let expressions = written.iter().filter_map(|written| written.read().ok());
    expressions.flat_map(|e| e.parameters().into_iter().map(str::to_owned).collect::<Vec<_>>()).collect()
}
