//! Who was chosen how often: one bar per row, divided.
use super::canvas::{Anchor, COLOURS, Canvas};

const LEFT: f64 = 190.0;
const RIGHT: f64 = 640.0;
const TOP: f64 = 40.0;

/// Shades beyond the colours.
const MORE: [&str; 4] = ["#888888", "#BBBBBB", "#F0E442", "#7A4E9E"];

/// Rows of counts by kind, the kinds in the legend.
pub fn shares(title: &str, kinds: &[String], rows: &[(String, Vec<usize>)]) -> String {
    let legend = kinds.len().div_ceil(5);
    let bottom = TOP + 24.0 * rows.len() as f64 + 10.0;
    let mut canvas = Canvas::new(760.0, bottom + 22.0 * legend as f64 + 12.0, title);
    canvas.words((20.0, 22.0), Anchor::Start, 14.0, "#000000", title);
    for (i, (name, counts)) in rows.iter().enumerate() {
        let y = TOP + 24.0 * i as f64;
        canvas.words((LEFT - 8.0, y + 14.0), Anchor::End, 12.0, "#000000", name);
        let (total, mut x) = (counts.iter().sum::<usize>().max(1) as f64, LEFT);
        for (kind, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let width = (RIGHT - LEFT) * *count as f64 / total;
            canvas.rectangle((x, y), (width, 18.0), colour(kind));
            canvas.line((x + width, y), (x + width, y + 18.0), "#FFFFFF", 1.0);
            x += width;
        }
        canvas.words((RIGHT + 8.0, y + 14.0), Anchor::Start, 11.0, "#333333", &format!("{total} runs"));
    }
    for (kind, name) in kinds.iter().enumerate() {
        let (x, y) = (30.0 + 145.0 * (kind % 5) as f64, bottom + 22.0 * (kind / 5) as f64);
        canvas.rectangle((x, y), (12.0, 12.0), colour(kind));
        canvas.words((x + 17.0, y + 11.0), Anchor::Start, 12.0, "#000000", name);
    }
    canvas.finish()
}

fn colour(kind: usize) -> &'static str {
    let all = COLOURS.len() + MORE.len();
    COLOURS.iter().chain(&MORE).nth(kind % all).copied().unwrap_or(COLOURS[0])
}
