//! Curves over trials with bands around them.
use super::canvas::{Anchor, Canvas, stroke};
use super::ticks::ticks;

/// One line.
pub struct ChartLine {
    /// As the legend calls it.
    pub name: String,
    /// Trial, low end of the band, middle, high end.
    pub points: Vec<(f64, f64, f64, f64)>,
}

/// Several lines over the same trials.
pub struct Curves<'a> {
    /// Above the chart.
    pub title: &'a str,
    /// Below it.
    pub across: &'a str,
    /// Beside it.
    pub upwards: &'a str,
    /// The lines, in the order of the legend.
    pub lines: Vec<ChartLine>,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 66.0;
const RIGHT: f64 = 560.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 350.0;

impl Curves<'_> {
    /// The chart.
    pub fn svg(&self) -> String {
        let mut canvas = Canvas::new(WIDTH, HEIGHT, self.title);
        canvas.words((LEFT, 22.0), Anchor::Start, 14.0, "#000000", self.title);
        let range = self.range();
        frame(&mut canvas, range);
        canvas.words(
            (f64::midpoint(LEFT, RIGHT), HEIGHT - 12.0),
            Anchor::Middle,
            12.0,
            "#000000",
            self.across,
        );
        canvas.upwards((18.0, f64::midpoint(TOP, BOTTOM)), 12.0, self.upwards);
        // Many bands over each other must not hide the lines.
        let opacity = if self.lines.len() > 5 { 0.06 } else { 0.13 };
        for (i, line) in self.lines.iter().enumerate().filter(|(_, line)| !line.points.is_empty()) {
            let upper = line.points.iter().map(|p| place(range, (p.0, p.3)));
            let lower = line.points.iter().rev().map(|p| place(range, (p.0, p.1)));
            canvas.area(&upper.chain(lower).collect::<Vec<_>>(), stroke(i).0, opacity);
        }
        for (i, line) in self.lines.iter().enumerate().filter(|(_, line)| !line.points.is_empty()) {
            let middle: Vec<(f64, f64)> = line.points.iter().map(|p| place(range, (p.0, p.2))).collect();
            let (colour, dashes) = stroke(i);
            canvas.path(&middle, colour, dashes, 1.8);
        }
        self.legend(&mut canvas);
        canvas.finish()
    }

    /// Best at the end first, as the lines end.
    fn legend(&self, canvas: &mut Canvas) {
        let mut order: Vec<usize> = (0..self.lines.len()).collect();
        let end = |i: &usize| self.lines[*i].points.last().map_or(f64::INFINITY, |p| p.2);
        order.sort_by(|a, b| end(b).total_cmp(&end(a)));
        for (row, i) in order.into_iter().enumerate() {
            let ((colour, dashes), y) = (stroke(i), TOP + 12.0 + 20.0 * row as f64);
            canvas.path(&[(RIGHT + 14.0, y - 4.0), (RIGHT + 44.0, y - 4.0)], colour, dashes, 2.4);
            canvas.words((RIGHT + 50.0, y), Anchor::Start, 12.0, "#000000", &self.lines[i].name);
        }
    }

    fn range(&self) -> Range {
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let ends = |values: &mut dyn Iterator<Item = f64>| {
            values
                .filter(|v| v.is_finite())
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
        };
        let (left, right) = wide(ends(&mut points().map(|p| p.0)));
        let (low, high) = wide(ends(&mut points().flat_map(|p| [p.1, p.3])));
        let margin = 0.04 * (high - low);
        Range { across: (left, right), upwards: (low - margin, high + margin) }
    }
}

#[derive(Clone, Copy)]
struct Range {
    across: (f64, f64),
    upwards: (f64, f64),
}

/// A range with something in it.
fn wide((low, high): (f64, f64)) -> (f64, f64) {
    match (low.is_finite() && high.is_finite(), high > low) {
        (true, true) => (low, high),
        (true, false) => (low - 0.5, high + 0.5),
        (false, _) => (0.0, 1.0),
    }
}

fn place(range: Range, (x, y): (f64, f64)) -> (f64, f64) {
    let share = |v: f64, (low, high): (f64, f64)| ((v - low) / (high - low)).clamp(0.0, 1.0);
    (LEFT + share(x, range.across) * (RIGHT - LEFT), BOTTOM - share(y, range.upwards) * (BOTTOM - TOP))
}

fn frame(canvas: &mut Canvas, range: Range) {
    let (upwards, digits) = ticks(range.upwards.0, range.upwards.1, 6);
    for tick in upwards {
        let (_, y) = place(range, (range.across.0, tick));
        canvas.line((LEFT, y), (RIGHT, y), "#DDDDDD", 1.0);
        let text = format!("{tick:.digits$}").replace('-', "−");
        canvas.words((LEFT - 6.0, y + 4.0), Anchor::End, 11.0, "#333333", &text);
    }
    let (across, digits) = ticks(range.across.0, range.across.1, 8);
    for tick in across {
        let (x, _) = place(range, (tick, range.upwards.0));
        canvas.line((x, BOTTOM), (x, BOTTOM + 4.0), "#333333", 1.0);
        canvas.words((x, BOTTOM + 17.0), Anchor::Middle, 11.0, "#333333", &format!("{tick:.digits$}"));
    }
    canvas.line((LEFT, BOTTOM), (RIGHT, BOTTOM), "#333333", 1.0);
    canvas.line((LEFT, TOP), (LEFT, BOTTOM), "#333333", 1.0);
}
