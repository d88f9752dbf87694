use super::super::columns::Kind;
use super::*;
use arbora_space::Value;

fn columns() -> Vec<Column> {
    let column = |name: &str, kind, cells: &[Option<Value>]| Column {
        name: name.to_owned(),
        kind,
        cells: cells.to_vec(),
    };
    vec![
        column(
            "number",
            Kind::Integer,
            &[Some(0.into()), Some((-7).into()), Some(Value::Int(i64::MAX)), Some(3.into())],
        ),
        column("value", Kind::Real, &[Some(0.1.into()), None, Some((-1e300).into()), None]),
        column("flag", Kind::Truth, &[Some(true.into()), Some(false.into()), None, Some(true.into())]),
        column(
            "text",
            Kind::Text,
            &[Some("".into()), Some("größe, \"x\"\n".into()), None, Some(Value::None)],
        ),
        column("at", Kind::Time, &[Some(Value::Int(1_763_254_800_125)), None, None, None]),
        column("empty", Kind::Text, &[None, None, None, None]),
    ]
}

/// The bytes that pyarrow 26 read back as exactly these columns, with these types.
#[test]
fn the_bytes_are_those_that_another_reader_understood() {
    assert_eq!(parquet(&columns()), include_bytes!("../../../tests/data/columns.parquet"));
}

#[test]
fn more_than_fourteen_columns_and_no_rows_are_possible() {
    let one = |i: usize| Column { name: format!("c{i}"), kind: Kind::Real, cells: Vec::new() };
    let bytes = parquet(&(0..20).map(one).collect::<Vec<_>>());
    assert!(bytes.starts_with(MAGIC) && bytes.ends_with(MAGIC));
    let length = u32::from_le_bytes(bytes[bytes.len() - 8..bytes.len() - 4].try_into().unwrap());
    // The footer begins with its version, field 1, a 32-bit integer: 1 as zigzag.
    let footer = &bytes[bytes.len() - 8 - length as usize..];
    assert_eq!(footer[..2], [0x15, 0x02]);
}
