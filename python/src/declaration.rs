//! A parameter as the façade declares it: a dict with the fields of the file format.
use crate::failure::Failure;
use crate::value::{value, values};
use arbora_space::{DomainSpec, Param, Prior, SpaceError, Value, Written};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyString};

/// The parameter that a name and some fields declare. The façade decides which fields there are.
pub(crate) fn param(name: &str, fields: &Bound<'_, PyDict>) -> PyResult<Param> {
    let fields = Fields { name, fields };
    let mut param = Param::new(name, fields.domain()?);
    param.default = fields.given("default")?.map(|object| value(&object)).transpose()?;
    param.none = fields.given("none")?.map(|object| chance(&object)).transpose()?.flatten();
    param.prior = fields.prior()?;
    if let Some(texts) = fields.given("when")? {
        param.when = texts.extract::<Vec<String>>()?.into_iter().map(Written::from).collect();
    }
    if let Some(retired) = fields.given("retired")? {
        param.retired = values(&retired)?;
    }
    Ok(param)
}

/// True is an even chance of none, false is none at all.
fn chance(object: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
    match object.cast::<PyBool>() {
        Ok(truth) => Ok(truth.is_true().then_some(0.5)),
        Err(_) => object.extract::<f64>().map(Some),
    }
}

struct Fields<'a, 'py> {
    name: &'a str,
    fields: &'a Bound<'py, PyDict>,
}

impl<'py> Fields<'_, 'py> {
    fn given(&self, field: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.fields.get_item(field)
    }

    fn needed(&self, field: &str) -> PyResult<Bound<'py, PyAny>> {
        let missing = || PyTypeError::new_err(format!("parameter `{}`: `{field}` is missing", self.name));
        self.given(field)?.ok_or_else(missing)
    }

    fn domain(&self) -> PyResult<DomainSpec> {
        let kind: String = self.needed("type")?.extract()?;
        let log = self.given("log")?.map_or(Ok(false), |object| object.is_truthy())?;
        Ok(match kind.as_str() {
            "real" => DomainSpec::Real {
                low: self.real("low")?,
                high: self.real("high")?,
                log,
                step: self.given("step")?.is_some().then(|| self.real("step")).transpose()?,
            },
            "integer" => DomainSpec::Integer {
                low: self.whole("low")?,
                high: self.whole("high")?,
                log,
                step: self.given("step")?.is_some().then(|| self.whole("step")).transpose()?,
            },
            "choice" => DomainSpec::Choice(values(&self.needed("choices")?)?),
            "ordinal" => DomainSpec::Ordinal(values(&self.needed("values")?)?),
            "boolean" => DomainSpec::Boolean,
            "constant" => DomainSpec::Constant(value(&self.needed("value")?)?),
            other => return Err(PyValueError::new_err(format!("no parameters are of type `{other}`"))),
        })
    }

    fn real(&self, field: &str) -> PyResult<f64> {
        let object = self.needed(field)?;
        let number = if object.is_instance_of::<PyBool>() { None } else { object.extract::<f64>().ok() };
        number.ok_or_else(|| self.not_a("number", field, &object))
    }

    fn whole(&self, field: &str) -> PyResult<i64> {
        let object = self.needed(field)?;
        if object.is_instance_of::<PyInt>() && object.extract::<i64>().is_err() {
            let problem =
                "is too big: whole numbers have 64 bits; declare it by real, or search its logarithm";
            return Err(PyValueError::new_err(format!(
                "parameter `{}`: {field} = {object} {problem}",
                self.name
            )));
        }
        match value(&object) {
            Ok(Value::Bool(_)) | Err(_) => Err(self.not_a("whole number", field, &object)),
            Ok(number) => number.as_i64().ok_or_else(|| self.not_a("whole number", field, &object)),
        }
    }

    fn not_a(&self, what: &str, field: &str, object: &Bound<'_, PyAny>) -> PyErr {
        let shown = object.repr().map_or_else(|_| "?".to_owned(), |text| text.to_string());
        PyTypeError::new_err(format!("parameter `{}`: {field} must be a {what}, got {shown}", self.name))
    }

    fn prior(&self) -> PyResult<Prior> {
        if let Some(weights) = self.given("weights")? {
            return Ok(Prior::Weights(weights.extract()?));
        }
        let Some(object) = self.given("prior")? else { return Ok(Prior::Flat) };
        let parts = object.cast::<PyDict>().ok();
        let kind: String = match parts {
            None => object
                .cast::<PyString>()
                .map_err(|_| self.not_a("text or a dict", "prior", &object))?
                .extract()?,
            Some(parts) => parts.get_item("kind")?.map_or(Ok(String::new()), |kind| kind.extract())?,
        };
        let number = |field: &str| -> PyResult<f64> {
            let found = parts.map(|parts| parts.get_item(field)).transpose()?.flatten();
            let missing = || self.bad_prior(format!("prior `{kind}` needs the number `{field}`"));
            found.ok_or_else(missing)?.extract()
        };
        match kind.as_str() {
            "flat" => Ok(Prior::Flat),
            "uniform" => Ok(Prior::Uniform),
            "log-uniform" => Ok(Prior::LogUniform),
            "normal" => Ok(Prior::Normal { mean: number("mean")?, sd: number("sd")? }),
            "log-normal" => Ok(Prior::LogNormal { mu: number("mu")?, sigma: number("sigma")? }),
            other => Err(self.bad_prior(format!(
                "no prior is called `{other}`; known are flat, uniform, log-uniform, normal, log-normal"
            ))),
        }
    }

    fn bad_prior(&self, problem: String) -> PyErr {
        Failure::from(SpaceError::BadPrior { name: self.name.to_owned(), problem }).raise(self.fields.py())
    }
}
