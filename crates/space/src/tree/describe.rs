//! Describes the domain and the condition of a parameter.
use crate::domain::Domain;
use crate::id::ParamId;
use crate::parameter::Role;
use crate::space::Space;
use crate::value::Value;
use crate::words::short;

impl Space {
    /// The domain of a parameter: `1e-5 … 100000, log`, `1 … 30, or none`, `linear | rbf`,
    /// `low < high`.
    pub fn describe(&self, id: ParamId) -> String {
        let parameter = self.parameter(id);
        let (range, is_log) = match parameter.domain() {
            Domain::Real(real) => (span(&real.low().into(), &real.high().into()), real.is_log()),
            Domain::Lattice(lattice) => {
                let step = lattice.step();
                let by = if step == 1.0 { String::new() } else { format!(" by {}", short(step)) };
                (span(&lattice.value(0), &lattice.value(lattice.count() - 1)) + &by, lattice.is_log())
            }
            Domain::Labels(labels) => {
                let shown: Vec<String> = labels.offered().map(|i| brief(labels.value(i))).collect();
                (shown.join(if labels.is_ordered() { " < " } else { " | " }), false)
            }
        };
        let log = if is_log { ", log" } else { "" };
        let none = if matches!(parameter.role(), Role::Number { .. }) { ", or none" } else { "" };
        format!("{range}{log}{none}")
    }

    /// The condition of a parameter as declared; `None` if it is always active.
    pub fn describe_when(&self, id: ParamId) -> Option<String> {
        let name = self.parameter(id).name();
        let declared = self.spec().parameters.iter().find(|declared| declared.name == name)?;
        let conditions: Vec<String> = declared.when.iter().map(ToString::to_string).collect();
        (!conditions.is_empty()).then(|| conditions.join(" and "))
    }
}

fn span(low: &Value, high: &Value) -> String {
    format!("{} … {}", brief(low), brief(high))
}

fn brief(value: &Value) -> String {
    match value {
        Value::Real(number) => short(*number),
        other => other.to_string(),
    }
}
