//! Lines, areas and words on a white sheet.
use std::fmt::Write;

/// Okabe and Ito's colours, without the yellow that is lost on white; black last.
pub(super) const COLOURS: [&str; 7] =
    ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000"];

/// How lines are drawn once the colours are used up.
const DASHES: [&str; 3] = ["", "7 3", "2 3"];

/// Colour and dashes of the line of this number.
pub(super) fn stroke(number: usize) -> (&'static str, &'static str) {
    (COLOURS[number % COLOURS.len()], DASHES[number / COLOURS.len() % DASHES.len()])
}

/// Where words stand relative to their place.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    fn word(self) -> &'static str {
        match self {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        }
    }
}

/// A sheet that is drawn on.
pub(super) struct Canvas {
    width: f64,
    height: f64,
    title: String,
    body: String,
}

impl Canvas {
    pub(super) fn new(width: f64, height: f64, title: &str) -> Self {
        Self { width, height, title: escape(title), body: String::new() }
    }

    fn put(&mut self, line: std::fmt::Arguments<'_>) {
        writeln!(self.body, "{line}").expect("writing to a string does not fail");
    }

    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: &str, width: f64) {
        let ((x1, y1), (x2, y2)) = (from, to);
        self.put(format_args!(
            r#"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" stroke="{colour}" stroke-width="{width}"/>"#
        ));
    }

    pub(super) fn path(&mut self, points: &[(f64, f64)], colour: &str, dashes: &str, width: f64) {
        let points = written(points);
        self.put(format_args!(
            r#"<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-dasharray="{dashes}" stroke-linejoin="round"/>"#
        ));
    }

    pub(super) fn area(&mut self, points: &[(f64, f64)], colour: &str, opacity: f64) {
        let points = written(points);
        self.put(format_args!(
            r#"<polygon points="{points}" fill="{colour}" fill-opacity="{opacity}" stroke="none"/>"#
        ));
    }

    pub(super) fn rectangle(&mut self, place: (f64, f64), size: (f64, f64), colour: &str) {
        let ((x, y), (w, h)) = (place, size);
        self.put(format_args!(
            r#"<rect x="{x:.2}" y="{y:.2}" width="{w:.2}" height="{h:.2}" fill="{colour}"/>"#
        ));
    }

    pub(super) fn dot(&mut self, place: (f64, f64), radius: f64, colour: &str) {
        let (x, y) = place;
        self.put(format_args!(r#"<circle cx="{x:.1}" cy="{y:.1}" r="{radius}" fill="{colour}"/>"#));
    }

    pub(super) fn words(&mut self, place: (f64, f64), anchor: Anchor, size: f64, colour: &str, text: &str) {
        let ((x, y), anchor, text) = (place, anchor.word(), escape(text));
        self.put(format_args!(
            r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}" font-size="{size}" fill="{colour}">{text}</text>"#
        ));
    }

    /// Words that read upwards.
    pub(super) fn upwards(&mut self, place: (f64, f64), size: f64, text: &str) {
        let ((x, y), text) = (place, escape(text));
        self.put(format_args!(
            r#"<text transform="translate({x:.1} {y:.1}) rotate(-90)" text-anchor="middle" font-size="{size}">{text}</text>"#
        ));
    }

    pub(super) fn finish(self) -> String {
        let Self { width, height, title, body } = self;
        format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-family="Helvetica, Arial, sans-serif" role="img">
<title>{title}</title>
<rect width="{width}" height="{height}" fill="#FFFFFF"/>
{body}</svg>
"##
        )
    }
}

fn written(points: &[(f64, f64)]) -> String {
    points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ")
}

/// Text that XML takes as text.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
