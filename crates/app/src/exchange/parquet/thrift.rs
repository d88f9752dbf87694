//! Thrift's compact protocol, as far as a footer needs it: structures, lists, integers, text.
//!
//! A field is one byte, the distance to the field before and the type, then its value; integers are zigzag variable
//! length; a list is its length and the type of its elements.

const INTEGER_32: u8 = 5;
const INTEGER_64: u8 = 6;
const TEXT: u8 = 8;
const LIST: u8 = 9;
const STRUCTURE: u8 = 12;

/// A structure being written. Fields must be written in the order of their numbers.
#[derive(Default)]
pub(super) struct Structure {
    bytes: Vec<u8>,
    last: u8,
}

impl Structure {
    pub(super) fn integer(mut self, field: u8, value: i32) -> Self {
        self.field(field, INTEGER_32);
        zigzag(&mut self.bytes, value.into());
        self
    }

    pub(super) fn long(mut self, field: u8, value: usize) -> Self {
        self.field(field, INTEGER_64);
        zigzag(&mut self.bytes, i64::try_from(value).unwrap_or(i64::MAX));
        self
    }

    pub(super) fn text(mut self, field: u8, value: &str) -> Self {
        self.field(field, TEXT);
        write_text(&mut self.bytes, value);
        self
    }

    pub(super) fn structure(mut self, field: u8, value: Structure) -> Self {
        self.field(field, STRUCTURE);
        self.bytes.extend(value.end());
        self
    }

    pub(super) fn structures(mut self, field: u8, values: impl ExactSizeIterator<Item = Structure>) -> Self {
        self.list(field, STRUCTURE, values.len());
        values.for_each(|value| self.bytes.extend(value.end()));
        self
    }

    pub(super) fn integers(mut self, field: u8, values: &[i32]) -> Self {
        self.list(field, INTEGER_32, values.len());
        for value in values {
            zigzag(&mut self.bytes, (*value).into());
        }
        self
    }

    pub(super) fn texts(mut self, field: u8, values: &[&str]) -> Self {
        self.list(field, TEXT, values.len());
        for value in values {
            write_text(&mut self.bytes, value);
        }
        self
    }

    /// The bytes, with the mark that ends a structure.
    pub(super) fn end(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }

    fn field(&mut self, field: u8, kind: u8) {
        debug_assert!(field > self.last && field - self.last < 16, "fields ascend");
        self.bytes.push((field - self.last) << 4 | kind);
        self.last = field;
    }

    fn list(&mut self, field: u8, kind: u8, length: usize) {
        self.field(field, LIST);
        if length < 15 {
            self.bytes.push((length as u8) << 4 | kind);
        } else {
            self.bytes.push(0xF0 | kind);
            variable(&mut self.bytes, length as u64);
        }
    }
}

/// Seven bits a byte, the lowest first.
pub(super) fn variable(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

fn zigzag(bytes: &mut Vec<u8>, value: i64) {
    variable(bytes, (value << 1 ^ value >> 63) as u64);
}

fn write_text(bytes: &mut Vec<u8>, text: &str) {
    variable(bytes, text.len() as u64);
    bytes.extend(text.as_bytes());
}
