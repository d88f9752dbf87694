//! Loops over slices, one vector of entries at a time.
//!
//! A remainder shorter than a vector uses the same instructions as the body, so an entry does not
//! depend on its position in the slice.
use super::simd::{LaneWork, Lanes, Numbers, dispatch};

/// Number of parallel sums: an addition has a latency of four cycles, so four sums keep the CPU
/// busy.
const FOUR: usize = 4;

/// out ← f(out), entry by entry.
#[inline(always)]
pub fn update<L: Lanes>(lanes: L, out: &mut [f64], f: impl Fn(Numbers<L>) -> Numbers<L>) {
    let (body, rest) = L::as_mut_simd_f64s(out);
    for values in body {
        *values = f(Numbers::new(lanes, *values)).values;
    }
    if !rest.is_empty() {
        let value = Numbers::new(lanes, lanes.partial_load_f64s(rest));
        lanes.partial_store_f64s(rest, f(value).values);
    }
}

/// out ← f(out, x), entry by entry.
#[inline(always)]
pub fn zip_update<L: Lanes>(
    lanes: L,
    out: &mut [f64],
    x: &[f64],
    f: impl Fn(Numbers<L>, Numbers<L>) -> Numbers<L>,
) {
    let (body, rest) = L::as_mut_simd_f64s(out);
    let (x_body, x_rest) = L::as_simd_f64s(x);
    for (values, &x) in body.iter_mut().zip(x_body) {
        *values = f(Numbers::new(lanes, *values), Numbers::new(lanes, x)).values;
    }
    if !rest.is_empty() {
        let value = Numbers::new(lanes, lanes.partial_load_f64s(rest));
        let x = Numbers::new(lanes, lanes.partial_load_f64s(x_rest));
        lanes.partial_store_f64s(rest, f(value, x).values);
    }
}

/// out ← f(a, b), entry by entry.
#[inline(always)]
pub(crate) fn combine<L: Lanes>(
    lanes: L,
    out: &mut [f64],
    (a, b): (&[f64], &[f64]),
    f: impl Fn(Numbers<L>, Numbers<L>) -> Numbers<L>,
) {
    let (body, rest) = L::as_mut_simd_f64s(out);
    let ((a_body, a_rest), (b_body, b_rest)) = (L::as_simd_f64s(a), L::as_simd_f64s(b));
    for ((values, &a), &b) in body.iter_mut().zip(a_body).zip(b_body) {
        *values = f(Numbers::new(lanes, a), Numbers::new(lanes, b)).values;
    }
    if !rest.is_empty() {
        let a = Numbers::new(lanes, lanes.partial_load_f64s(a_rest));
        let b = Numbers::new(lanes, lanes.partial_load_f64s(b_rest));
        lanes.partial_store_f64s(rest, f(a, b).values);
    }
}

/// Σ weight · f(x). Lanes past the end have weight zero.
#[inline(always)]
pub fn weighted_sum<L: Lanes>(
    lanes: L,
    weights: &[f64],
    x: &[f64],
    f: impl Fn(Numbers<L>) -> Numbers<L>,
) -> f64 {
    let term = Term { lanes, f };
    let ((body, rest), (x_body, x_rest)) = (L::as_simd_f64s(weights), L::as_simd_f64s(x));
    let ((fours, few), (x_fours, x_few)) = (body.as_chunks::<FOUR>(), x_body.as_chunks::<FOUR>());
    let mut sums = [Numbers::splat(lanes, 0.0); FOUR];
    for (weights, x) in fours.iter().zip(x_fours) {
        for k in 0..FOUR {
            sums[k] = term.add(weights[k], x[k], sums[k]);
        }
    }
    let mut sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    for (&weight, &x) in few.iter().zip(x_few) {
        sum = term.add(weight, x, sum);
    }
    if !rest.is_empty() {
        sum = term.add(lanes.partial_load_f64s(rest), lanes.partial_load_f64s(x_rest), sum);
    }
    sum.sum()
}

/// One term of a weighted sum. A type, because inlining cannot be forced for a closure.
struct Term<L, F> {
    lanes: L,
    f: F,
}

impl<L: Lanes, F: Fn(Numbers<L>) -> Numbers<L>> Term<L, F> {
    #[inline(always)]
    fn add(&self, weight: L::f64s, x: L::f64s, sum: Numbers<L>) -> Numbers<L> {
        Numbers::new(self.lanes, weight).times_plus((self.f)(Numbers::new(self.lanes, x)), sum)
    }
}

/// The number of entries in four registers.
#[inline(always)]
pub(crate) fn block_width<L: Lanes>() -> usize {
    FOUR * L::F64_LANES
}

/// The first [`block_width`] entries of a slice.
#[inline(always)]
pub(crate) fn load_block<L: Lanes>(lanes: L, from: &[f64]) -> [Numbers<L>; FOUR] {
    let (body, _) = L::as_simd_f64s(&from[..block_width::<L>()]);
    std::array::from_fn(
        #[inline(always)]
        |k| Numbers::new(lanes, body[k]),
    )
}

/// Overwrites the first [`block_width`] entries of a slice.
#[inline(always)]
pub(crate) fn store_block<L: Lanes>(block: [Numbers<L>; FOUR], to: &mut [f64]) {
    let (body, _) = L::as_mut_simd_f64s(&mut to[..block_width::<L>()]);
    for k in 0..FOUR {
        body[k] = block[k].values;
    }
}

/// Σ aᵢ·bᵢ over the shorter of the two.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    struct Dot<'a>(&'a [f64], &'a [f64]);
    impl LaneWork for Dot<'_> {
        type Output = f64;
        #[inline(always)]
        fn with_simd<L: Lanes>(self, lanes: L) -> f64 {
            weighted_sum(
                lanes,
                self.0,
                self.1,
                #[inline(always)]
                |x| x,
            )
        }
    }
    let shared = a.len().min(b.len());
    dispatch(Dot(&a[..shared], &b[..shared]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_include_the_rest() {
        for n in 0..20 {
            let a: Vec<f64> = (0..n).map(f64::from).collect();
            assert_eq!(dot(&a, &a), a.iter().map(|x| x * x).sum::<f64>());
        }
    }
}
