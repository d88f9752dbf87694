//! Tables: a header, aligned columns, numbers to the right, cut at the width of the terminal.
use arbora_space::words::visible;
use std::fmt::Write;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// In place of a value that is not there.
pub(crate) const ABSENT: &str = "·";
/// Between two columns.
const GAP: usize = 2;

/// A table to be shown.
pub(crate) struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// With these columns.
    pub(crate) fn new<S: Into<String>>(header: impl IntoIterator<Item = S>) -> Self {
        Self { header: header.into_iter().map(cell).collect(), rows: Vec::new() }
    }

    /// One more line, a cell per column.
    pub(crate) fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        self.rows.push(cells.into_iter().map(cell).collect());
    }

    /// As text; lines longer than `width` end with `…`.
    pub(crate) fn show(&self, width: Option<usize>) -> String {
        let widths: Vec<usize> = (0..self.header.len()).map(|column| self.width_of(column)).collect();
        let right: Vec<bool> = (0..self.header.len()).map(|column| self.is_number(column)).collect();
        let mut text = String::new();
        for cells in std::iter::once(&self.header).chain(&self.rows) {
            let mut line = String::new();
            for ((cell, width), right) in cells.iter().zip(&widths).zip(&right) {
                let blanks = " ".repeat(width - cell.width());
                let (before, after) = if *right { (blanks.as_str(), "") } else { ("", blanks.as_str()) };
                write!(line, "{before}{cell}{after}{:GAP$}", "").expect("a string can be written");
            }
            writeln!(text, "{}", cut(line.trim_end(), width)).expect("a string can be written");
        }
        text
    }

    fn width_of(&self, column: usize) -> usize {
        let cells = self.rows.iter().chain([&self.header]);
        cells.filter_map(|row| row.get(column)).map(|cell| cell.width()).max().unwrap_or(0)
    }

    fn is_number(&self, column: usize) -> bool {
        let mut cells = self
            .rows
            .iter()
            .filter_map(|row| row.get(column))
            .filter(|cell| !cell.is_empty() && *cell != ABSENT);
        cells.clone().next().is_some() && cells.all(|cell| cell.parse::<f64>().is_ok())
    }
}

/// A cell is one line, whatever it quotes.
fn cell(text: impl Into<String>) -> String {
    visible(&text.into()).into_owned()
}

/// A line that fits: a longer one ends with `…`.
pub(crate) fn cut(line: &str, width: Option<usize>) -> String {
    match width {
        Some(width) if line.width() > width => {
            let mut taken = 0;
            let fits = |c: &char| {
                taken += c.width().unwrap_or(0);
                taken < width
            };
            line.chars().take_while(fits).chain(['…']).collect()
        }
        _ => line.to_owned(),
    }
}

/// The width of the terminal, if the output goes to one.
pub(crate) fn width(is_terminal: bool) -> Option<usize> {
    if !is_terminal {
        return None;
    }
    Some(terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0).max(20)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_numbers_end_alike() {
        let mut table = Table::new(["trial", "model", "loss"]);
        table.row(["1", "svm", "0.5"]);
        table.row(["12", "forest", ""]);
        assert_eq!(table.show(None), "trial  model   loss\n    1  svm      0.5\n   12  forest\n");
    }

    #[test]
    fn wide_characters_take_two_columns() {
        let mut table = Table::new(["model", "loss"]);
        table.row(["随机森林", "0.5"]);
        table.row(["svm", "12"]);
        table.row(["café", "3"]);
        assert_eq!(table.show(None), "model     loss\n随机森林   0.5\nsvm         12\ncafé         3\n",);
        assert_eq!(cut("随机森林", Some(8)), "随机森林");
        assert_eq!(cut("随机森林", Some(6)), "随机…", "five columns would split a character");
    }

    #[test]
    fn long_lines_are_cut_and_nothing_controls_the_terminal() {
        let mut table = Table::new(["value"]);
        table.row(["\u{1b}[31mred\nnext and more"]);
        let shown = table.show(Some(12));
        assert_eq!(shown.lines().nth(1), Some("\\u{1b}[31mr…"), "{shown:?}");
    }
}
