//! Numbers for people.

/// At most six significant digits: `0.0823`, `12.3457`, `1e-5`, `3.2e8`.
///
/// ```
/// assert_eq!(arbora_space::words::short(0.000_000_000_000_115_946_862), "1.15947e-13");
/// ```
pub fn short(number: f64) -> String {
    if number == 0.0 || !number.is_finite() {
        return format!("{number}");
    }
    let scientific = format!("{number:.5e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let power: i32 = exponent.parse().unwrap_or(0);
    if (-4..6).contains(&power) {
        let decimals = usize::try_from(5 - power).unwrap_or(0);
        return trimmed(&format!("{number:.decimals$}")).to_owned();
    }
    format!("{}e{exponent}", trimmed(digits))
}

fn trimmed(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (number, text) in [
            (0.0, "0"),
            (0.1 + 0.2, "0.3"),
            (12.345_678_9, "12.3457"),
            (-1234.5, "-1234.5"),
            (999_999.96, "1e6"),
            (1e-5, "1e-5"),
            (0.000_123_456_7, "0.000123457"),
            (3.2e8, "3.2e8"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(short(number), text);
        }
    }
}
