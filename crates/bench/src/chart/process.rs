//! A Gaussian process over one number, what it has seen, and below it what is wished for  [T18, Fig. 2.2].
use super::canvas::{Anchor, Canvas};

/// What is drawn; all lists over the same places in [0, 1].
pub struct ProcessChart<'a> {
    /// Above the chart.
    pub title: &'a str,
    /// The true loss.
    pub truth: &'a [f64],
    /// The mean of the process.
    pub mean: &'a [f64],
    /// Its standard deviation.
    pub deviation: &'a [f64],
    /// The acquisition, any scale.
    pub wish: &'a [f64],
    /// Places and losses seen.
    pub seen: &'a [(f64, f64)],
}

const LEFT: f64 = 40.0;
const RIGHT: f64 = 560.0;
const TRUTH: &str = "#000000";
const MEAN: &str = "#0072B2";
const WISH: &str = "#D55E00";

/// The process above, the acquisition below, its maximum marked in both.
pub fn process(chart: &ProcessChart<'_>) -> String {
    let mut canvas = Canvas::new(760.0, 440.0, chart.title);
    canvas.words((LEFT, 22.0), Anchor::Start, 14.0, "#000000", chart.title);
    let low = chart.mean.iter().zip(chart.deviation).map(|(m, s)| m - 2.0 * s);
    let high = chart.mean.iter().zip(chart.deviation).map(|(m, s)| m + 2.0 * s);
    let (low, high): (Vec<f64>, Vec<f64>) = (low.collect(), high.collect());
    let all = low.iter().chain(&high).chain(chart.truth);
    let (least, most) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(*v), b.max(*v)));
    let up = |value: f64| 280.0 - (value - least) / (most - least).max(1e-12) * 240.0;
    let across = |i: usize| LEFT + (RIGHT - LEFT) * i as f64 / (chart.mean.len() - 1).max(1) as f64;
    let line =
        |values: &[f64]| values.iter().enumerate().map(|(i, v)| (across(i), up(*v))).collect::<Vec<_>>();
    let band: Vec<(f64, f64)> = line(&high).into_iter().chain(line(&low).into_iter().rev()).collect();
    canvas.area(&band, MEAN, 0.18);
    canvas.path(&line(chart.truth), TRUTH, "5 4", 1.4);
    canvas.path(&line(chart.mean), MEAN, "", 2.0);
    let wish = wish(&mut canvas, chart.wish, &across);
    canvas.line((wish, 40.0), (wish, 410.0), "#888888", 1.0);
    for (x, loss) in chart.seen {
        canvas.dot((LEFT + x * (RIGHT - LEFT), up(*loss)), 4.0, TRUTH);
    }
    let legend = [(TRUTH, "5 4", "true loss"), (MEAN, "", "mean ± 2 deviations"), (WISH, "", "acquisition")];
    for (row, (colour, dashes, name)) in legend.into_iter().enumerate() {
        let y = 60.0 + 20.0 * row as f64;
        canvas.path(&[(RIGHT + 14.0, y - 4.0), (RIGHT + 44.0, y - 4.0)], colour, dashes, 2.2);
        canvas.words((RIGHT + 50.0, y), Anchor::Start, 12.0, "#000000", name);
    }
    canvas.dot((RIGHT + 29.0, 117.0), 4.0, TRUTH);
    canvas.words((RIGHT + 50.0, 121.0), Anchor::Start, 12.0, "#000000", "evaluated");
    canvas.line((RIGHT + 29.0, 132.0), (RIGHT + 29.0, 146.0), "#888888", 1.0);
    canvas.words((RIGHT + 50.0, 143.0), Anchor::Start, 12.0, "#000000", "next");
    canvas.words(
        (f64::midpoint(LEFT, RIGHT), 430.0),
        Anchor::Middle,
        12.0,
        "#000000",
        "parameter, from 0 to 1",
    );
    canvas.upwards((20.0, 160.0), 12.0, "loss");
    canvas.upwards((20.0, 360.0), 12.0, "wish");
    canvas.finish()
}

/// Draws the acquisition and returns where it is highest.
fn wish(canvas: &mut Canvas, wish: &[f64], across: &dyn Fn(usize) -> f64) -> f64 {
    let (least, most) =
        wish.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(*v), b.max(*v)));
    let up = |value: f64| 410.0 - (value - least) / (most - least).max(1e-12) * 90.0;
    let mut area: Vec<(f64, f64)> = wish.iter().enumerate().map(|(i, v)| (across(i), up(*v))).collect();
    canvas.path(&area, WISH, "", 1.8);
    area.extend([(across(wish.len().saturating_sub(1)), 410.0), (across(0), 410.0)]);
    canvas.area(&area, WISH, 0.15);
    let best = (0..wish.len()).max_by(|a, b| wish[*a].total_cmp(&wish[*b])).unwrap_or(0);
    across(best)
}
