//! One page: a header, which cells are there, and the values of those.
use super::super::columns::{Column, Kind};
use super::thrift::{Structure, variable};
use arbora_space::Value;

const DATA_PAGE: i32 = 0;
const PLAIN: i32 = 0;
const RUN_LENGTH: i32 = 3;

/// A column as the bytes of its only page.
pub(super) fn page(column: &Column) -> Vec<u8> {
    let cells: Vec<Option<&Value>> =
        column.cells.iter().map(|cell| cell.as_ref().filter(|v| !v.is_none())).collect();
    let mut body = Vec::new();
    let present = presence(&cells);
    body.extend((present.len() as u32).to_le_bytes());
    body.extend(present);
    values(column.kind, cells.iter().copied().flatten(), &mut body);
    let size = i32::try_from(body.len()).unwrap_or(i32::MAX);
    let data = Structure::default()
        .integer(1, i32::try_from(cells.len()).unwrap_or(i32::MAX))
        .integer(2, PLAIN)
        .integer(3, RUN_LENGTH)
        .integer(4, RUN_LENGTH);
    let header =
        Structure::default().integer(1, DATA_PAGE).integer(2, size).integer(3, size).structure(5, data);
    let mut bytes = header.end();
    bytes.extend(body);
    bytes
}

/// Runs of cells that are there (1) or not (0): twice the length, then the level.
fn presence(cells: &[Option<&Value>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for run in cells.chunk_by(|a, b| a.is_some() == b.is_some()) {
        variable(&mut bytes, (run.len() as u64) << 1);
        bytes.push(u8::from(run[0].is_some()));
    }
    bytes
}

fn values<'a>(kind: Kind, values: impl Iterator<Item = &'a Value>, bytes: &mut Vec<u8>) {
    match kind {
        Kind::Truth => truths(values, bytes),
        Kind::Integer | Kind::Time => {
            values.for_each(|value| bytes.extend(value.as_i64().unwrap_or_default().to_le_bytes()));
        }
        Kind::Real => values.for_each(|value| bytes.extend(value.as_f64().unwrap_or(f64::NAN).to_le_bytes())),
        Kind::Text => values.for_each(|value| {
            let text = value.to_string();
            bytes.extend((text.len() as u32).to_le_bytes());
            bytes.extend(text.as_bytes());
        }),
    }
}

/// Eight to a byte, the lowest bit first.
fn truths<'a>(values: impl Iterator<Item = &'a Value>, bytes: &mut Vec<u8>) {
    let truths: Vec<bool> = values.map(|value| value.as_bool().unwrap_or_default()).collect();
    for eight in truths.chunks(8) {
        bytes.push(eight.iter().rev().fold(0, |byte, truth| byte << 1 | u8::from(*truth)));
    }
}
