//! Comma-separated values  [RFC 4180]. An empty cell is inactive or unknown; `none` is the value none. A text that a
//! spreadsheet would run as a formula has an apostrophe before it, see [`guarded`].
use super::columns::{Column, Kind};
use arbora_space::Value;
use arbora_space::words::guarded;
use arbora_store::Timestamp;

/// A table as text, with a header.
pub(crate) fn csv(columns: &[Column]) -> String {
    let mut text = line(columns.iter().map(|column| guarded(&column.name).into_owned()));
    let rows = columns.first().map_or(0, |column| column.cells.len());
    for row in 0..rows {
        text.push_str(&line(columns.iter().map(|column| cell(column.kind, column.cells[row].as_ref()))));
    }
    text
}

fn cell(kind: Kind, value: Option<&Value>) -> String {
    match (kind, value) {
        (_, None) => String::new(),
        (Kind::Time, Some(Value::Int(at))) => Timestamp(*at).to_string(),
        (_, Some(Value::Text(text))) => guarded(text).into_owned(),
        (_, Some(value)) => value.to_string(),
    }
}

fn line(cells: impl Iterator<Item = String>) -> String {
    cells.map(quoted).collect::<Vec<_>>().join(",") + "\r\n"
}

fn quoted(cell: String) -> String {
    let is_plain = !cell.contains([',', '"', '\r', '\n']) && cell.trim() == cell;
    if is_plain { cell } else { format!("\"{}\"", cell.replace('"', "\"\"")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_a_formula_and_numbers_stay_numbers() {
        let cells = ["=1+1", "@x", "-5", "\t=1"].map(|text| Some(Value::from(text)));
        let cells = [cells.to_vec(), vec![Some((-5).into()), Some((-0.5).into())]].concat();
        let column = Column { name: "=c".into(), kind: Kind::Text, cells };
        assert_eq!(csv(&[column]), "'=c\r\n'=1+1\r\n'@x\r\n-5\r\n'\t=1\r\n-5\r\n-0.5\r\n");
    }

    #[test]
    fn cells_with_commas_quotes_and_lines_are_quoted() {
        let cells = [Some(Value::from("a,b")), Some("say \"x\"\n".into()), Some(Value::None), None];
        let column = Column { name: "c".into(), kind: Kind::Text, cells: cells.to_vec() };
        assert_eq!(csv(&[column]), "c\r\n\"a,b\"\r\n\"say \"\"x\"\"\n\"\r\nnone\r\n\r\n");
    }
}
