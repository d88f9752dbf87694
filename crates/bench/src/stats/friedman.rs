//! Friedman's test: do k methods differ at all over N problems?
//!
//! χ² = 12N/(k(k+1)) · (Σ R̄ⱼ² − k(k+1)²/4) with k − 1 degrees of freedom; divided by 1 − Σ(t³−t)/(N(k³−k)) where rows
//! have ties; Iman and Davenport's F = (N−1)χ²/(N(k−1) − χ²) is less conservative.
use super::ranks::RankTable;
use statrs::distribution::{ChiSquared, ContinuousCDF, FisherSnedecor};

/// The outcome of the test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Friedman {
    /// χ².
    pub statistic: f64,
    /// Its p-value.
    pub p: f64,
    /// χ² corrected for ties.
    pub corrected: f64,
    /// Its p-value.
    pub corrected_p: f64,
    /// Iman and Davenport's F, from the corrected χ².
    pub f: f64,
    /// Its p-value.
    pub f_p: f64,
}

impl Friedman {
    /// Of a table of ranks.
    pub fn of(table: &RankTable) -> Self {
        let (n, k) = (table.problems() as f64, table.methods() as f64);
        let squares: f64 = table.average().iter().map(|r| r * r).sum();
        let statistic = (12.0 * n / (k * (k + 1.0)) * (squares - k * (k + 1.0).powi(2) / 4.0)).max(0.0);
        let untied = 1.0 - table.ties() / (n * (k * k * k - k));
        let corrected = if untied > 0.0 { statistic / untied } else { 0.0 };
        let rest = n * (k - 1.0) - corrected;
        let f = if rest > 0.0 { (n - 1.0) * corrected / rest } else { f64::INFINITY };
        Self {
            statistic,
            p: chi_squared_tail(statistic, k - 1.0),
            corrected,
            corrected_p: chi_squared_tail(corrected, k - 1.0),
            f,
            f_p: f_tail(f, k - 1.0, (k - 1.0) * (n - 1.0)),
        }
    }
}

fn chi_squared_tail(x: f64, freedom: f64) -> f64 {
    ChiSquared::new(freedom).map_or(1.0, |distribution| distribution.sf(x))
}

fn f_tail(x: f64, first: f64, second: f64) -> f64 {
    if x.is_infinite() {
        return 0.0;
    }
    FisherSnedecor::new(first, second).map_or(1.0, |distribution| distribution.sf(x))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Average ranks alone, as papers print them: χ² by the formula.
    fn printed(ranks: &[f64], problems: f64) -> (f64, f64) {
        let k = ranks.len() as f64;
        let squares: f64 = ranks.iter().map(|r| r * r).sum();
        let statistic = 12.0 * problems / (k * (k + 1.0)) * (squares - k * (k + 1.0).powi(2) / 4.0);
        (statistic, chi_squared_tail(statistic, k - 1.0))
    }

    #[test]
    fn the_papers_tables() {
        // Lévesque et al. 2017, table I: mid-ranks of the printed errors over 24 data sets, as multiples of 1/48.
        let ranks = [340, 439, 267, 334, 371, 232, 263, 343, 197, 120, 262].map(|r| f64::from(r) / 48.0);
        let (statistic, p) = printed(&ranks, 24.0);
        assert!((statistic - 74.733).abs() < 5e-4, "{statistic}");
        assert!((p / 5.36e-12 - 1.0).abs() < 1e-2, "{p}");
        // Demšar 2006, § 3.2.2: χ² = 9.28 over 14 data sets.
        let (statistic, _) = printed(&[44.0, 28.0, 40.5, 27.5].map(|r: f64| r / 14.0), 14.0);
        assert!((statistic - 9.28).abs() < 5e-3, "{statistic}");
        // Lévesque 2018, table 4.4: 18 data sets.
        let (statistic, p) = printed(&[122, 102, 69, 67].map(|r| f64::from(r) / 36.0), 18.0);
        assert!((statistic - 17.817).abs() < 5e-4, "{statistic}");
        assert!((p / 4.80e-4 - 1.0).abs() < 1e-2, "{p}");
    }

    #[test]
    fn equal_methods_do_not_differ_and_opposite_ones_do() {
        let same = RankTable::of(&vec![vec![1.0, 1.0, 1.0]; 5]).unwrap();
        assert_eq!((Friedman::of(&same).statistic, Friedman::of(&same).corrected_p), (0.0, 1.0));
        let apart = RankTable::of(&vec![vec![1.0, 2.0, 3.0]; 10]).unwrap();
        let test = Friedman::of(&apart);
        assert_eq!(test.statistic, 20.0, "N(k − 1) is the largest there is");
        assert_eq!(test.f_p, 0.0);
    }
}
