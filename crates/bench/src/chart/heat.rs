//! A matrix of numbers from 0 to 1 as shades, dark for one.
use super::canvas::{Anchor, Canvas};

const SIDE: f64 = 300.0;

/// The matrix under its title, with a scale beside it.
pub fn heat(title: &str, matrix: &[Vec<f64>]) -> String {
    let mut canvas = Canvas::new(SIDE + 110.0, SIDE + 70.0, title);
    canvas.words((20.0, 22.0), Anchor::Start, 14.0, "#000000", title);
    let cell = SIDE / matrix.len().max(1) as f64;
    for (i, row) in matrix.iter().enumerate() {
        for (j, value) in row.iter().enumerate().filter(|(_, value)| **value > 0.002) {
            let place = (20.0 + cell * j as f64, 34.0 + cell * i as f64);
            canvas.rectangle(place, (cell + 0.2, cell + 0.2), &shade(*value));
        }
    }
    frame(&mut canvas);
    canvas.words(
        (20.0 + SIDE / 2.0, SIDE + 56.0),
        Anchor::Middle,
        12.0,
        "#000000",
        "configurations, by choice",
    );
    canvas.finish()
}

fn frame(canvas: &mut Canvas) {
    let corners =
        [(20.0, 34.0), (20.0 + SIDE, 34.0), (20.0 + SIDE, 34.0 + SIDE), (20.0, 34.0 + SIDE), (20.0, 34.0)];
    canvas.path(&corners, "#333333", "", 1.0);
    for step in 0..50 {
        let value = 1.0 - f64::from(step) / 49.0;
        canvas.rectangle(
            (SIDE + 36.0, 34.0 + SIDE * f64::from(step) / 50.0),
            (14.0, SIDE / 50.0 + 0.3),
            &shade(value),
        );
    }
    for (value, y) in [("1", 40.0), ("½", 38.0 + SIDE / 2.0), ("0", 36.0 + SIDE)] {
        canvas.words((SIDE + 56.0, y), Anchor::Start, 11.0, "#333333", value);
    }
}

/// From white to a deep blue.
fn shade(value: f64) -> String {
    let mix = |full: f64| (255.0 - (255.0 - full) * value.clamp(0.0, 1.0)).round() as u8;
    format!("#{:02X}{:02X}{:02X}", mix(0.0), mix(52.0), mix(110.0))
}
