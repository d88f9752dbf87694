//! The footer: the columns, their types, and where they lie.
use super::super::columns::Kind;
use super::Chunk;
use super::thrift::Structure;

const OPTIONAL: i32 = 1;
const ENCODINGS: [i32; 2] = [0, 3]; // plain values, run-length levels
const UNCOMPRESSED: i32 = 0;

/// The number of a type on disk, and of what it means where the two differ.
fn types(kind: Kind) -> (i32, Option<i32>) {
    match kind {
        Kind::Truth => (0, None),
        Kind::Integer => (2, None),
        Kind::Time => (2, Some(9)),
        Kind::Real => (5, None),
        Kind::Text => (6, Some(0)),
    }
}

/// `FileMetaData`.
pub(super) fn footer(chunks: &[Chunk<'_>]) -> Vec<u8> {
    let rows = chunks.first().map_or(0, |chunk| chunk.column.cells.len());
    let root =
        Structure::default().text(4, "schema").integer(5, i32::try_from(chunks.len()).unwrap_or(i32::MAX));
    let schema: Vec<Structure> = std::iter::once(root).chain(chunks.iter().map(element)).collect();
    let group = Structure::default()
        .structures(1, chunks.iter().map(place))
        .long(2, chunks.iter().map(|chunk| chunk.length).sum())
        .long(3, rows);
    Structure::default()
        .integer(1, 1)
        .structures(2, schema.into_iter())
        .long(3, rows)
        .structures(4, std::iter::once(group))
        .text(6, "arbora")
        .end()
}

/// `SchemaElement`.
fn element(chunk: &Chunk<'_>) -> Structure {
    let (stored, meant) = types(chunk.column.kind);
    let element = Structure::default().integer(1, stored).integer(3, OPTIONAL).text(4, &chunk.column.name);
    match meant {
        Some(meant) => element.integer(6, meant),
        None => element,
    }
}

/// `ColumnChunk` with its `ColumnMetaData`.
fn place(chunk: &Chunk<'_>) -> Structure {
    let (stored, _) = types(chunk.column.kind);
    let data = Structure::default()
        .integer(1, stored)
        .integers(2, &ENCODINGS)
        .texts(3, &[&chunk.column.name])
        .integer(4, UNCOMPRESSED)
        .long(5, chunk.column.cells.len())
        .long(6, chunk.length)
        .long(7, chunk.length)
        .long(9, chunk.offset);
    Structure::default().long(2, chunk.offset).structure(3, data)
}
