//! Reference values: mpmath with 60 digits.
use super::*;

#[track_caller]
fn assert_close(got: f64, want: f64, tolerance: f64) {
    assert!((got - want).abs() <= tolerance * want.abs(), "got {got:e}, want {want:e}");
}

/// z, ln h(z), (ln h)′(z).
const LOG_H: [(f64, f64, f64); 14] = [
    (10.0, std::f64::consts::LN_10, 0.1),
    (2.0, 0.697_383_545_788_228_3, 0.486_559_318_785_283_86),
    (0.0, -0.918_938_533_204_672_7, 1.253_314_137_315_500_3),
    (-0.5, -1.620_516_264_387_32, 1.559_873_148_348_079_7),
    (-1.0, -2.485_121_025_712_641, 1.904_271_233_329_692),
    (-3.0, -7.869_686_059_603_029, 3.532_337_517_625_160_6),
    (-4.9, -16.212_816_407_897_733, 5.267_910_100_563_279),
    (-5.0, -16.744_301_162_660_99, 5.361_816_241_288_088),
    (-5.1, -17.285_185_774_704_836, 5.455_905_951_876_874),
    (-10.0, -55.553_122_036_122_35, 10.194_383_033_412_553),
    (-40.0, -808.298_568_356_62, 40.049_906_657_648_52),
    (-1e3, -500_014.734_452_091_16, 1_000.001_999_994),
    (-1e6, -500_000_000_028.55, 1_000_000.000_002),
    (-1e9, -5.000_000_000_000_000_6e17, 1e9),
];

/// z, ln Φ(z), φ(z)/Φ(z).
const LN_CDF: [(f64, f64, f64); 8] = [
    (8.0, -6.220_960_574_271_786e-16, 5.052_271_083_536_895e-15),
    (1.0, -0.172_753_779_023_449_9, 0.287_599_970_939_178_4),
    (0.0, -LN_2, 0.797_884_560_802_865_4),
    (-1.0, -1.841_021_645_009_263_6, 1.525_135_276_160_981),
    (-5.0, -15.064_998_393_988_725, 5.186_503_967_125_842),
    (-8.0, -35.013_437_159_914_55, 8.121_368_112_236_112),
    (-30.0, -454.321_243_956_343_2, 30.033_259_667_433_676),
    (-100.0, -5_005.524_208_694_205, 100.009_998_000_999_26),
];

/// u, e^u·E₁(u), 1/(e^u·E₁(u)) − u.
const SCALED_E1: [(f64, f64, f64); 11] = [
    (1e-10, 22.448_635_267_383_79, 0.044_546_137_698_092_62),
    (1e-4, 8.634_088_070_212_725, 0.115_719_990_700_576_92),
    (0.1, 2.014_642_544_708_451_5, 0.396_365_969_549_558_3),
    (0.5, 0.922_910_632_483_730_5, 0.583_528_528_985_311_6),
    (1.0, 0.596_347_362_323_194_1, 0.676_875_028_178_700_9),
    (2.0, 0.361_328_616_888_222_6, 0.767_563_799_989_169_2),
    (5.0, 0.170_422_176_284_732_2, 0.867_780_953_162_186),
    (20.0, 0.047_718_545_495_960_84, 0.956_212_927_417_191_7),
    (100.0, 0.009_901_942_286_733_018, 0.990_287_667_080_860_2),
    (1e4, 9.999_000_199_940_023e-5, 0.999_900_029_987_007_1),
    (1e8, 9.999_999_900_000_002e-9, 0.999_999_990_000_000_3),
];

#[test]
fn log_h_and_its_slope_match_high_precision() {
    for (z, value, slope) in LOG_H {
        let (got, got_slope) = log_h_with_slope(z);
        assert_close(got, value, 2e-15);
        assert_close(got_slope, slope, 1e-14);
        assert_eq!(log_h(z), got);
    }
}

#[test]
fn slope_of_log_h_is_the_ratio_of_cdf_to_h() {
    for step in 0..60 {
        let z = 3.0 - 0.25 * f64::from(step);
        let (value, slope) = log_h_with_slope(z);
        assert_close(slope, libm::exp(ln_cdf(z) - value), 1e-12);
    }
}

#[test]
fn ln_cdf_matches_high_precision_in_both_tails() {
    for (z, value, slope) in LN_CDF {
        // Rounding z/√2 alone moves Φ(−8) by 64 half-units in the last place.
        assert_close(ln_cdf(z), value, 1e-14);
        assert_close(ln_cdf_slope(z), slope, 1e-14);
    }
}

#[test]
fn scaled_e1_matches_high_precision() {
    for (u, value, excess) in SCALED_E1 {
        assert_close(scaled_e1(u), value, 4e-15);
        assert_close(e1_excess(u), excess, 4e-15);
    }
}

#[test]
fn nothing_jumps_where_the_formula_changes() {
    let around = |f: fn(f64) -> f64, at: f64, slope: f64| {
        let step = 1e-9;
        let change = f(at + step) - f(at - step);
        assert!((change - 2.0 * step * slope).abs() < 1e-13 * (1.0 + f(at).abs()), "at {at}: {change:e}");
    };
    around(log_h, -1.0, 1.904_271_233_329_692);
    around(log_h, -5.0, 5.361_816_241_288_088);
    around(ln_cdf, 0.0, 0.797_884_560_802_865_4);
    around(ln_cdf, -1.0, 1.525_135_276_160_981);
    around(scaled_e1, 1.0, 0.596_347_362_323_194_1 - 1.0);
}

#[test]
fn functions_are_monotone_over_the_whole_line() {
    let mut last = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    for step in 0..4000 {
        let z = 12.0 - 0.02 * f64::from(4000 - step);
        let now = (log_h(z), ln_cdf(z));
        assert!(now.0 > last.0 && now.1 >= last.1, "at {z}");
        last = now;
    }
}

#[test]
fn log1mexp_keeps_its_digits_at_both_ends() {
    // ln(1 − eˣ) at x = −1e−12 is ln(1e−12) − ½e−12; at −50 it is −e⁻⁵⁰.
    assert_close(log1mexp(-1e-12), libm::log(1e-12) - 0.5e-12, 1e-15);
    assert_close(log1mexp(-50.0), -libm::exp(-50.0), 1e-15);
    assert_close(log1mexp(-LN_2), -LN_2, 1e-15);
    assert_eq!(log1mexp(0.0), f64::NEG_INFINITY);
}

#[test]
fn infinities_do_not_turn_into_nan() {
    assert_eq!(log_h(f64::NEG_INFINITY), f64::NEG_INFINITY);
    assert_eq!(log_h(f64::INFINITY), f64::INFINITY);
    assert_eq!(ln_cdf(f64::NEG_INFINITY), f64::NEG_INFINITY);
    assert_eq!(ln_cdf(f64::INFINITY), 0.0);
    assert_eq!(scaled_e1(f64::INFINITY), 0.0);
}
