//! Critical-difference diagrams: average ranks on an axis, bars over those that cannot be told apart  [Demšar 2006].
use super::canvas::{Anchor, Canvas};

/// What is drawn.
pub struct Ranked<'a> {
    /// Above the diagram.
    pub title: &'a str,
    /// Names and average ranks, best first.
    pub entries: Vec<(String, f64)>,
    /// The critical difference.
    pub difference: f64,
    /// Positions of the first and last entry of every bar.
    pub bars: Vec<(usize, usize)>,
}

const WIDTH: f64 = 760.0;
const LEFT: f64 = 190.0;
const RIGHT: f64 = 570.0;
const AXIS: f64 = 84.0;

/// Best on the left; the left half is named on the left.
pub fn critical_difference(ranked: &Ranked<'_>) -> String {
    let count = ranked.entries.len();
    let half = count.div_ceil(2);
    let below = AXIS + 22.0 + 9.0 * ranked.bars.len() as f64;
    let height = below + 20.0 * half as f64 + 16.0;
    let mut canvas = Canvas::new(WIDTH, height, ranked.title);
    canvas.words((20.0, 22.0), Anchor::Start, 14.0, "#000000", ranked.title);
    let most = (count as f64).max(2.0);
    let at = |rank: f64| LEFT + (rank - 1.0) / (most - 1.0) * (RIGHT - LEFT);
    axis(&mut canvas, count, &at);
    let end = at(1.0) + (at(2.0) - at(1.0)) * ranked.difference;
    if end <= WIDTH - 20.0 {
        canvas.line((at(1.0), 48.0), (end, 48.0), "#000000", 2.0);
        for x in [at(1.0), end] {
            canvas.line((x, 44.0), (x, 52.0), "#000000", 2.0);
        }
    }
    let words = format!("critical difference {:.2}", ranked.difference);
    canvas.words(
        (f64::midpoint(at(1.0), end.min(WIDTH - 20.0)), 41.0),
        Anchor::Middle,
        11.0,
        "#000000",
        &words,
    );
    for (i, (name, rank)) in ranked.entries.iter().enumerate() {
        let x = at(*rank);
        let is_left = i < half;
        let row = if is_left { i } else { count - 1 - i };
        let y = below + 20.0 * row as f64 + 10.0;
        let edge = if is_left { LEFT - 20.0 } else { RIGHT + 20.0 };
        canvas.line((x, AXIS), (x, y), "#555555", 1.0);
        canvas.line((x, y), (edge, y), "#555555", 1.0);
        let (anchor, beside) = if is_left { (Anchor::End, edge - 5.0) } else { (Anchor::Start, edge + 5.0) };
        canvas.words((beside, y + 4.0), anchor, 12.0, "#000000", &format!("{name}  {rank:.2}"));
    }
    for (row, (first, last)) in ranked.bars.iter().enumerate() {
        let y = AXIS + 12.0 + 9.0 * row as f64;
        let (from, to) = (at(ranked.entries[*first].1) - 4.0, at(ranked.entries[*last].1) + 4.0);
        canvas.line((from, y), (to, y), "#D55E00", 4.5);
    }
    canvas.finish()
}

fn axis(canvas: &mut Canvas, count: usize, at: &dyn Fn(f64) -> f64) {
    canvas.line((LEFT, AXIS), (RIGHT, AXIS), "#000000", 1.4);
    for rank in 1..=count.max(2) {
        let x = at(rank as f64);
        canvas.line((x, AXIS - 6.0), (x, AXIS), "#000000", 1.2);
        canvas.words((x, AXIS - 10.0), Anchor::Middle, 11.0, "#333333", &rank.to_string());
    }
}
