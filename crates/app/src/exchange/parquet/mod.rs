//! Parquet files: one row group, one page per column, plain values, no compression.
//!
//! Studies are small, so nothing is gained by what makes the full library large: a file is the magic number, the pages,
//! and a footer in Thrift's compact protocol  [Apache Parquet format 2.10, `parquet.thrift`]. Every column may be
//! empty; whether a cell is there comes first in a page, as runs, then the values that are.
mod footer;
mod page;
mod thrift;

use super::columns::Column;

const MAGIC: &[u8] = b"PAR1";

/// Where a column lies in the file.
struct Chunk<'a> {
    column: &'a Column,
    offset: usize,
    length: usize,
}

/// A table as the bytes of a Parquet file.
pub(crate) fn parquet(columns: &[Column]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    let mut chunks = Vec::with_capacity(columns.len());
    for column in columns {
        let page = page::page(column);
        chunks.push(Chunk { column, offset: bytes.len(), length: page.len() });
        bytes.extend(page);
    }
    let footer = footer::footer(&chunks);
    bytes.extend(&footer);
    bytes.extend(u32::try_from(footer.len()).unwrap_or(u32::MAX).to_le_bytes());
    bytes.extend(MAGIC);
    bytes
}

#[cfg(test)]
mod tests;
