//! How large a generation is and how fast it learns  [Hansen 2016, table 1; Lévesque 2018, chapter 3].

/// Constants of a run in N dimensions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Rates {
    /// λ = ⌊4 + 3 ln N⌋: points per generation.
    pub(crate) lambda: usize,
    /// μ = ⌊λ/2⌋: points selected.
    pub(crate) mu: usize,
    /// w_i ∝ ln(μ+½) − ln i, summing to one.
    pub(crate) weights: Vec<f64>,
    /// 1/Σw²: how many equal points the selected are worth.
    pub(crate) mu_eff: f64,
    pub(crate) c_c: f64,
    pub(crate) c_sigma: f64,
    pub(crate) c_1: f64,
    pub(crate) c_mu: f64,
    pub(crate) d_sigma: f64,
    /// E‖N(0, I)‖, to a part in 10⁴.
    pub(crate) chi: f64,
}

impl Rates {
    /// A diagonal C has N entries to learn instead of N²/2 and learns (N+2)/3 times as fast.
    pub(crate) fn new(dimensions: usize, is_full: bool) -> Self {
        let n = dimensions.max(1) as f64;
        let lambda = (4.0 + 3.0 * libm::log(n)).floor() as usize;
        let mu = lambda / 2;
        let raw: Vec<f64> = (1..=mu).map(|i| libm::log(mu as f64 + 0.5) - libm::log(i as f64)).collect();
        let total: f64 = raw.iter().sum();
        let weights: Vec<f64> = raw.iter().map(|w| w / total).collect();
        let mu_eff = weights.iter().map(|w| w * w).sum::<f64>().recip();
        let quicker = if is_full { 1.0 } else { (n + 2.0) / 3.0 };
        let c_sigma = (mu_eff + 2.0) / (n + mu_eff + 3.0);
        let c_1 = (quicker * 2.0 / ((n + 1.3).powi(2) + mu_eff)).min(1.0);
        let c_mu = quicker * 2.0 * (mu_eff - 2.0 + mu_eff.recip()) / ((n + 2.0).powi(2) + mu_eff);
        Self {
            lambda,
            mu,
            weights,
            mu_eff,
            c_c: 4.0 / (n + 4.0),
            c_sigma,
            c_1,
            c_mu: c_mu.min(1.0 - c_1),
            d_sigma: 1.0 + 2.0 * (((mu_eff - 1.0) / (n + 1.0)).sqrt() - 1.0).max(0.0) + c_sigma,
            chi: n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_thesis_names_the_sizes_of_two_and_fourteen_dimensions() {
        let (two, fourteen) = (Rates::new(2, true), Rates::new(14, true));
        assert_eq!((two.lambda, two.mu, fourteen.lambda), (6, 3, 11));
    }

    #[test]
    fn ten_dimensions_by_hand() {
        // Computed from the formulas with fifty digits.
        let rates = Rates::new(10, true);
        assert_eq!((rates.lambda, rates.mu), (10, 5));
        assert!((rates.weights.iter().sum::<f64>() - 1.0).abs() < 1e-15);
        for (found, exact) in [
            (rates.mu_eff, 3.167_299_281_410_703),
            (rates.chi, 3.084_726_565_169_012),
            (rates.c_c, 0.285_714_285_714_285_7),
            (rates.c_sigma, 0.319_614_252_910_633_46),
            (rates.c_1, 0.015_283_824_524_751_716),
            (rates.c_mu, 0.020_154_282_761_208_384),
            (rates.d_sigma, 1.319_614_252_910_633_5),
        ] {
            assert!((found / exact - 1.0).abs() < 1e-13, "{found} {exact}");
        }
    }
}
