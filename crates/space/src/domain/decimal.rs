//! Exact decimals: 0.1 is one tenth, not the nearest double.

/// digits · 10^exponent, the shortest decimal that parses to `x`.
pub(super) fn shortest(x: f64) -> (i128, i32) {
    let text = format!("{x:e}");
    let (mantissa, exponent) = text.split_once('e').expect("`{:e}` always writes an exponent");
    let exponent: i32 = exponent.parse().expect("`{:e}` writes a whole exponent");
    let fraction = mantissa.split_once('.').map_or(0, |(_, digits)| digits.len());
    let digits: i128 = mantissa.replace('.', "").parse().expect("a shortest mantissa has at most 17 digits");
    (digits, exponent - fraction as i32)
}

/// `x · 10^places` as an integer, if that is exact.
pub(super) fn scaled(x: f64, places: i32) -> Option<i128> {
    let (digits, exponent) = shortest(x);
    let shift = u32::try_from(exponent + places).ok()?;
    (shift <= 30).then(|| 10i128.checked_pow(shift).and_then(|power| digits.checked_mul(power)))?
}

/// Number of decimal places of `x`.
pub(super) fn places(x: f64) -> i32 {
    if x == 0.0 { 0 } else { (-shortest(x).1).max(0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_what_was_written() {
        assert_eq!(shortest(0.1), (1, -1));
        assert_eq!(shortest(-12.5), (-125, -1));
        assert_eq!(shortest(1e22), (1, 22));
        assert_eq!(scaled(0.3, 1), Some(3));
        assert_eq!(scaled(0.25, 1), None);
        assert_eq!(places(0.001), 3);
        assert_eq!(places(1000.0), 0);
    }
}
