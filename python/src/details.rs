//! An error taken apart: the name of its variant, and its fields as a dict. The enums serialize themselves, so no
//! variant can be forgotten here.
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde::ser::{Error, Impossible, Serialize, SerializeSeq, SerializeStructVariant, Serializer};
use std::fmt;

/// The name of the variant and its data.
pub(crate) type Parts<'py> = (String, Bound<'py, PyDict>);

/// Takes an error apart.
pub(crate) fn parts<'py>(py: Python<'py>, error: &impl Serialize) -> PyResult<Parts<'py>> {
    error.serialize(Plain(py)).map_err(|trouble| trouble.0)?.extract()
}

/// Values of Python; a variant becomes a pair of its name and its fields.
#[derive(Clone, Copy)]
struct Plain<'py>(Python<'py>);

struct Fields<'py> {
    py: Python<'py>,
    variant: &'static str,
    found: Bound<'py, PyDict>,
}

struct Items<'py>(Python<'py>, Bound<'py, PyList>);

#[derive(Debug)]
struct Trouble(PyErr);

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Trouble {}

impl Error for Trouble {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Trouble(pyo3::exceptions::PyValueError::new_err(message.to_string()))
    }
}

type Object<'py> = Result<Bound<'py, PyAny>, Trouble>;
type Never<'py> = Impossible<Bound<'py, PyAny>, Trouble>;

fn object<'py, T: IntoPyObject<'py>>(py: Python<'py>, value: T) -> Object<'py> {
    value.into_bound_py_any(py).map_err(Trouble)
}

fn unsupported<T>(what: &str) -> Result<T, Trouble> {
    Err(Trouble::custom(format!("an error holds {what}, which is not shown")))
}

/// Methods that hand a value to Python as it is.
macro_rules! as_it_is {
    ($($method:ident: $kind:ty),*) => {
        $(fn $method(self, value: $kind) -> Object<'py> { object(self.0, value) })*
    };
}

impl<'py> Serializer for Plain<'py> {
    type Ok = Bound<'py, PyAny>;
    type Error = Trouble;
    type SerializeSeq = Items<'py>;
    type SerializeTuple = Never<'py>;
    type SerializeTupleStruct = Never<'py>;
    type SerializeTupleVariant = Never<'py>;
    type SerializeMap = Never<'py>;
    type SerializeStruct = Never<'py>;
    type SerializeStructVariant = Fields<'py>;

    as_it_is!(
        serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_u128: u128,
        serialize_f32: f32, serialize_f64: f64, serialize_char: char, serialize_str: &str
    );

    fn serialize_bytes(self, _: &[u8]) -> Object<'py> {
        unsupported("bytes")
    }

    fn serialize_none(self) -> Object<'py> {
        Ok(self.0.None().into_bound(self.0))
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Object<'py> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Object<'py> {
        self.serialize_none()
    }

    fn serialize_unit_struct(self, _: &'static str) -> Object<'py> {
        self.serialize_none()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Object<'py> {
        object(self.0, (variant, PyDict::new(self.0)))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Object<'py> {
        value.serialize(self)
    }

    /// An error around another one: its message says what the other is about.
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: &T,
    ) -> Object<'py> {
        object(self.0, (variant, PyDict::new(self.0)))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items<'py>, Trouble> {
        Ok(Items(self.0, PyList::empty(self.0)))
    }

    fn serialize_tuple(self, _: usize) -> Result<Never<'py>, Trouble> {
        unsupported("a tuple")
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Never<'py>, Trouble> {
        unsupported("a tuple")
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Never<'py>, Trouble> {
        unsupported("a tuple")
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Never<'py>, Trouble> {
        unsupported("a map")
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Never<'py>, Trouble> {
        unsupported("a struct")
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Fields<'py>, Trouble> {
        Ok(Fields { py: self.0, variant, found: PyDict::new(self.0) })
    }
}

impl<'py> SerializeSeq for Items<'py> {
    type Ok = Bound<'py, PyAny>;
    type Error = Trouble;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Trouble> {
        self.1.append(value.serialize(Plain(self.0))?).map_err(Trouble)
    }

    fn end(self) -> Object<'py> {
        Ok(self.1.into_any())
    }
}

impl<'py> SerializeStructVariant for Fields<'py> {
    type Ok = Bound<'py, PyAny>;
    type Error = Trouble;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Trouble> {
        // A path that is no text cannot be serialized; the message shows it as well as it can be shown.
        let value = value.serialize(Plain(self.py)).ok();
        self.found.set_item(name, value).map_err(Trouble)
    }

    fn end(self) -> Object<'py> {
        object(self.py, (self.variant, self.found))
    }
}
