//! Escapes text for a table cell that a spreadsheet opens.
//!
//! Spreadsheets evaluate a cell that starts with `=`, `+`, `-` or `@` (possibly after a tab or a
//! carriage return) as a formula, quoted or not. Such text gets an apostrophe in front, which they
//! read as "this is text". Text that already starts with such apostrophes gets one more, so that
//! removing one always restores the text. A number is not a formula and stays as it is.
use std::borrow::Cow;

/// Escapes a text for a cell.
///
/// ```
/// use arbora_space::words::{guarded, unguarded};
/// assert_eq!(guarded("=1+2"), "'=1+2");
/// assert_eq!(guarded("-0.5"), "-0.5");
/// assert_eq!(guarded("'tis"), "'tis");
/// assert_eq!(unguarded("'=1+2"), "=1+2");
/// ```
pub fn guarded(text: &str) -> Cow<'_, str> {
    if is_formula(text) { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

/// Restores the text of a cell: the inverse of [`guarded`].
pub fn unguarded(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|text| is_formula(text)).unwrap_or(cell)
}

/// Would it be evaluated, apart from leading apostrophes?
fn is_formula(text: &str) -> bool {
    let bare = text.trim_start_matches('\'');
    bare.starts_with(['=', '+', '-', '@', '\t', '\r']) && bare.parse::<f64>().is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula_and_every_text_comes_back() {
        for text in [
            "=cmd|'/c calc'!A1",
            "+1+1",
            "-1",
            "-1+2",
            "-",
            "@SUM(A1)",
            "\t=1",
            "\r=1",
            "'=1",
            "''=1",
            "'-1",
            "'",
            "",
            "plain",
            "'tis",
            "+5e3",
            "-inf",
        ] {
            let cell = guarded(text);
            let runs = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
            assert!(!runs || cell.parse::<f64>().is_ok(), "{text:?}");
            assert_eq!(unguarded(&cell), text);
        }
    }
}
