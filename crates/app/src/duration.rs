//! Durations as people write and read them: `90`, `45s`, `10m`, `1h30m`, `250ms`, `2d`.
use std::time::Duration;

const UNITS: [(&str, f64); 5] = [("ms", 1e-3), ("s", 1.0), ("m", 60.0), ("h", 3600.0), ("d", 86400.0)];

/// Reads a duration; a bare number counts seconds. The error says what can be written instead.
pub fn parse(text: &str) -> Result<Duration, String> {
    let bad = || format!("`{text}` is not a duration; write 45, 45s, 10m or 1h30m");
    let mut seconds = 0.0;
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err(bad());
    }
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
        let number: f64 = rest[..digits].parse().map_err(|_| bad())?;
        rest = &rest[digits..];
        let letters = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        seconds += number * unit(&rest[..letters]).ok_or_else(bad)?;
        rest = &rest[letters..];
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| bad())
}

fn unit(name: &str) -> Option<f64> {
    if name.is_empty() {
        return Some(1.0);
    }
    UNITS.iter().find(|(known, _)| *known == name).map(|(_, seconds)| *seconds)
}

/// Shows a duration with the two units that matter.
pub(crate) fn show(duration: Duration) -> String {
    match duration.as_secs() {
        0 => format!("{}ms", duration.as_millis()),
        1..60 => format!("{:.1}s", duration.as_secs_f64()),
        seconds => show_seconds(seconds),
    }
}

/// Shows whole seconds with the two units that matter.
pub(crate) fn show_seconds(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m {:02}s", seconds / 60, seconds % 60),
        3600..86400 => format!("{}h {:02}m", seconds / 3600, seconds % 3600 / 60),
        _ => format!("{}d {:02}h", seconds / 86400, seconds % 86400 / 3600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_written() {
        for (text, milliseconds) in [
            ("90", 90_000),
            ("45s", 45_000),
            ("10m", 600_000),
            ("1h30m", 5_400_000),
            ("250ms", 250),
            ("0.5h", 1_800_000),
            (".5h", 1_800_000),
            (" 2d ", 172_800_000),
            ("0", 0),
        ] {
            assert_eq!(parse(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
    }

    #[test]
    fn nonsense_is_refused_with_examples() {
        for text in ["", "m", "10x", "1.2.3s", "-5s", "10 m", "1e400", "∞"] {
            assert!(parse(text).unwrap_err().contains("10m"), "{text}");
        }
    }

    #[test]
    fn the_two_largest_units_are_shown() {
        for (seconds, text) in
            [(0.25, "250ms"), (4.24, "4.2s"), (61.0, "1m 01s"), (5400.0, "1h 30m"), (90_000.0, "1d 01h")]
        {
            assert_eq!(show(Duration::from_secs_f64(seconds)), text);
        }
    }
}
