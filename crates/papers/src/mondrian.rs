//! Mondrian kernel: the fraction of random partitions in which two points fall into the same cell.
//!
//! k(a, b) = 1/M Σₘ 1[cell_m(a) = cell_m(b)]  [Lévesque et al. 2017, §IV.B; Roy & Teh 2009]
//!
//! A cell of the box is cut after a waiting time E ~ Exp(Σⱼ sideⱼ), along side j with probability ∝
//! sideⱼ, at a uniform position, until the lifetime λ = 1/ℓ is over. Two points stay together with
//! probability exp(−λ·‖a − b‖₁), so the kernel tends to the Laplace kernel as M grows, with
//! variance p(1 − p)/M. One sample serves all lifetimes: later cuts refine earlier cells. Cuts are
//! not stored: each one follows from its tree and the path to it, so only cells that contain a
//! point are ever computed. Positive semi-definite, with rank at most the number of occupied cells,
//! so the noise must not vanish. Categories are compared by their position; coordinates outside the
//! box count as its edge. O(n·M·depth·d + n²·M) per matrix, no derivatives. Use `laplace` unless
//! you want the random partition itself.
use arbora_model::SpecError;
use arbora_model::component::Component;
use arbora_model::hyper::{Hyper, Update};
use arbora_model::kernel::{Kernel, KernelBatch, KernelContext, KernelScope};
use arbora_model::linalg::Matrix;
use arbora_space::{Point, Points};
use serde::{Deserialize, Serialize};

/// Random partitions, as data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MondrianSpec {
    /// Number of partitions (M).
    pub trees: usize,
}

impl Default for MondrianSpec {
    /// As in the papers' figures.
    fn default() -> Self {
        Self { trees: 30 }
    }
}

impl Component<dyn Kernel> for MondrianSpec {
    const KIND: &'static str = "mondrian";

    fn build(&self, context: KernelContext<'_>) -> Result<Box<dyn Kernel>, SpecError> {
        if self.trees == 0 {
            let problem = "kernel `mondrian`: `trees` must be at least 1, got 0".to_owned();
            return Err(SpecError::Refused { problem });
        }
        Ok(Box::new(Mondrian::new(&context, self.trees)))
    }
}

/// The kernel over the varying columns of a layout.
#[derive(Clone)]
struct Mondrian {
    columns: Vec<usize>,
    trees: usize,
    scope: KernelScope,
    hypers: Vec<Hyper>,
}

impl Mondrian {
    fn new(context: &KernelContext<'_>, trees: usize) -> Self {
        let &KernelContext { layout, scale, scope, .. } = context;
        let columns: Vec<usize> = layout.varying().collect();
        let length = scale.for_dimensions(columns.len()).hyper("length".into(), Update::Single);
        Self { columns, trees, scope, hypers: vec![length] }
    }

    /// The cells of a point for a lifetime, one per tree.
    fn cells(&self, lifetime: f64, at: Point<'_>, cells: &mut Vec<u64>) {
        let takes_part =
            |&column: &usize| self.scope == KernelScope::Everywhere || at.active().is_active(column);
        let place: Vec<f64> =
            self.columns.iter().copied().filter(takes_part).map(|c| at.x()[c].clamp(0.0, 1.0)).collect();
        let mut sides = Vec::with_capacity(place.len());
        cells.extend((0..self.trees).map(|tree| cell_within(tree as u64, &place, lifetime, &mut sides)));
    }

    fn all_cells(&self, lifetime: f64, rows: &Points) -> Vec<u64> {
        let mut cells = Vec::with_capacity(rows.len() * self.trees);
        rows.iter().for_each(|row| self.cells(lifetime, row, &mut cells));
        cells
    }

    fn share(&self, a: &[u64], b: &[u64]) -> f64 {
        let together: u32 = a.iter().zip(b).map(|(a, b)| u32::from(a == b)).sum();
        f64::from(together) / self.trees as f64
    }
}

/// λ = 1/ℓ = e^{−θ}.
fn lifetime(theta: &[f64]) -> f64 {
    libm::exp(-theta[0])
}

/// The cell of a point: a hash of the cuts on the way to it. `sides` is reused memory.
fn cell_within(tree: u64, place: &[f64], lifetime: f64, sides: &mut Vec<(f64, f64)>) -> u64 {
    let (mut node, mut time) = (mix(tree ^ 0x6d6f_6e64_7269_616e), 0.0);
    sides.clear();
    sides.resize(place.len(), (0.0, 1.0));
    loop {
        let rate: f64 = sides.iter().map(|(low, high)| high - low).sum();
        time -= libm::log(open_unit(mix(node ^ 1))) / rate;
        // Also if no side is left: with a rate of zero the waiting time is infinite.
        if time.is_nan() || time > lifetime {
            return node;
        }
        let mut along = rate * open_unit(mix(node ^ 2));
        let last = sides.len() - 1;
        let cut = sides[..last].iter().position(|(low, high)| {
            along -= high - low;
            along < 0.0
        });
        let cut = cut.unwrap_or(last);
        let (low, high) = sides[cut];
        let at = low + (high - low) * open_unit(mix(node ^ 3));
        let is_above = place[cut] > at;
        sides[cut] = if is_above { (at, high) } else { (low, at) };
        node = mix(node ^ 4 ^ u64::from(is_above) << 32);
    }
}

/// A uniform number strictly between 0 and 1 from random bits.
fn open_unit(bits: u64) -> f64 {
    ((bits >> 12) as f64 + 0.5) * 2.0_f64.powi(-52)
}

/// The finaliser of SplitMix64: a bijection with full avalanche.
fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Kernel for Mondrian {
    fn hypers(&self) -> &[Hyper] {
        &self.hypers
    }

    fn cov(&self, theta: &[f64], a: Point<'_>, b: Point<'_>) -> f64 {
        let (mut here, mut there) = (Vec::new(), Vec::new());
        self.cells(lifetime(theta), a, &mut here);
        self.cells(lifetime(theta), b, &mut there);
        self.share(&here, &there)
    }

    fn diagonal(&self, _theta: &[f64], _at: &Points, out: &mut [f64]) {
        out.fill(1.0);
    }

    fn batch(&self, rows: &Points) -> Box<dyn KernelBatch> {
        Box::new(MondrianBatch { law: self.clone(), rows: rows.clone() })
    }
}

struct MondrianBatch {
    law: Mondrian,
    rows: Points,
}

impl KernelBatch for MondrianBatch {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn depends_on(&self, _hyper: usize) -> bool {
        true
    }

    fn gram(&self, theta: &[f64], out: &mut Matrix) {
        let cells = self.law.all_cells(lifetime(theta), &self.rows);
        let of = |i: usize| &cells[i * self.law.trees..(i + 1) * self.law.trees];
        for j in 0..self.len() {
            let column = &mut out.col_mut(j)[j..];
            column.iter_mut().enumerate().for_each(|(i, out)| *out = self.law.share(of(j + i), of(j)));
        }
    }

    fn cross(&self, theta: &[f64], at: &Points, out: &mut Matrix) {
        out.reshape(self.len(), at.len());
        let (trees, lifetime) = (self.law.trees, lifetime(theta));
        let (here, there) = (self.law.all_cells(lifetime, &self.rows), self.law.all_cells(lifetime, at));
        for j in 0..at.len() {
            let other = &there[j * trees..(j + 1) * trees];
            let column = out.col_mut(j).iter_mut().zip(here.chunks(trees));
            column.for_each(|(out, own)| *out = self.law.share(own, other));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbora_model::linalg::{Factor, Scratch, dot};
    use arbora_space::Rng;

    fn place(d: usize, rng: &mut Rng) -> Vec<f64> {
        (0..d).map(|_| rng.unit()).collect()
    }

    fn cell(tree: u64, place: &[f64], lifetime: f64) -> u64 {
        cell_within(tree, place, lifetime, &mut Vec::new())
    }

    fn same(trees: usize, a: &[f64], b: &[f64], lifetime: f64) -> f64 {
        let together = (0..trees as u64).filter(|&m| cell(m, a, lifetime) == cell(m, b, lifetime)).count();
        together as f64 / trees as f64
    }

    /// P(same cell) = exp(−λ‖Δ‖₁), four standard errors at 20,000 trees.
    #[test]
    fn many_trees_are_a_laplace_kernel() {
        let (trees, mut rng) = (20_000, Rng::new(7));
        for (d, lifetime) in [(1, 1.0), (2, 3.0), (3, 1.33), (5, 0.5), (2, 0.01)] {
            for _ in 0..3 {
                let (a, b) = (place(d, &mut rng), place(d, &mut rng));
                let distance: f64 = a.iter().zip(&b).map(|(a, b)| (a - b).abs()).sum();
                let p = libm::exp(-lifetime * distance);
                let error = 4.0 * (p * (1.0 - p) / trees as f64).sqrt();
                let found = same(trees, &a, &b, lifetime);
                assert!((found - p).abs() <= error, "{d} {lifetime}: {found} instead of {p}");
            }
        }
    }

    /// Cells of a longer lifetime refine those of a shorter one: points that are apart stay apart.
    #[test]
    fn cells_only_get_finer() {
        let mut rng = Rng::new(11);
        for tree in 0..300 {
            let (a, b) = (place(3, &mut rng), place(3, &mut rng));
            let together: Vec<bool> = (0..40)
                .map(|i| cell(tree, &a, 0.2 * f64::from(i)) == cell(tree, &b, 0.2 * f64::from(i)))
                .collect();
            assert!(together[0] && together.windows(2).all(|pair| pair[0] >= pair[1]));
        }
    }

    /// The whole tree as the process defines it, cell by cell: the boxes and their cells.
    fn eager(tree: u64, lifetime: f64) -> Vec<(Vec<(f64, f64)>, u64)> {
        let mut open = vec![(mix(tree ^ 0x6d6f_6e64_7269_616e), 0.0, vec![(0.0, 1.0); 2])];
        let mut leaves = Vec::new();
        while let Some((node, born, sides)) = open.pop() {
            let lengths: Vec<f64> = sides.iter().map(|(low, high): &(f64, f64)| high - low).collect();
            let rate = lengths[0] + lengths[1];
            let time = born - libm::log(open_unit(mix(node ^ 1))) / rate;
            if time > lifetime {
                leaves.push((sides, node));
                continue;
            }
            let cut = usize::from(rate * open_unit(mix(node ^ 2)) >= lengths[0]);
            let at = sides[cut].0 + lengths[cut] * open_unit(mix(node ^ 3));
            for is_above in [false, true] {
                let mut half = sides.clone();
                half[cut] = if is_above { (at, sides[cut].1) } else { (sides[cut].0, at) };
                open.push((mix(node ^ 4 ^ u64::from(is_above) << 32), time, half));
            }
        }
        leaves
    }

    #[test]
    fn lazy_cells_are_those_of_the_whole_tree() {
        let mut rng = Rng::new(13);
        for tree in 0..40 {
            let leaves = eager(tree, 4.0);
            let area: f64 = leaves.iter().map(|(s, _)| (s[0].1 - s[0].0) * (s[1].1 - s[1].0)).sum();
            assert!((area - 1.0).abs() < 1e-12, "cells tile the box");
            for _ in 0..20 {
                let at = place(2, &mut rng);
                let holds =
                    |sides: &[(f64, f64)]| sides.iter().zip(&at).all(|((low, high), x)| x > low && x <= high);
                let (_, own) = leaves.iter().find(|(sides, _)| holds(sides)).unwrap();
                assert_eq!(cell(tree, &at, 4.0), *own);
            }
        }
    }

    /// Bayesian regression on one-hot cells, weights N(0, 1/M), has the posterior of the process.
    #[test]
    fn weights_and_functions_agree() {
        let (trees, noise, mut rng) = (12, 0.1, Rng::new(17));
        let rows: Vec<Vec<f64>> = (0..10).map(|_| place(2, &mut rng)).collect();
        let y: Vec<f64> = (0..9).map(|_| rng.normal()).collect();
        let k = |i: usize, j: usize| same(trees, &rows[i], &rows[j], 2.0);
        let form = |size: usize, ridge: f64, entry: &dyn Fn(usize, usize) -> f64| {
            let mut factor = Factor::default();
            let fill = &mut |out: &mut Matrix| *out = Matrix::from_fn(size, size, entry);
            factor.form(size, ridge, &mut Scratch::default(), fill).unwrap();
            factor
        };
        let gram = form(9, noise, &k);
        let (mut v, mut w): (Vec<f64>, Vec<f64>) = ((0..9).map(|i| k(i, 9)).collect(), y.clone());
        gram.solve_lower(&mut v);
        gram.solve_lower(&mut w);
        let mut known: Vec<(u64, u64)> = Vec::new();
        for row in &rows {
            known.extend((0..trees as u64).map(|m| (m, cell(m, row, 2.0))));
        }
        known.sort_unstable();
        known.dedup();
        let z = |i: usize, c: usize| {
            let (m, own) = known[c];
            f64::from(cell(m, &rows[i], 2.0) == own) / (trees as f64).sqrt()
        };
        // A = ZᵀZ + νI, mean = zᵀA⁻¹Zᵀy, variance = ν·zᵀA⁻¹z.
        let a = form(known.len(), noise, &|c, d| (0..9).map(|i| z(i, c) * z(i, d)).sum());
        let mut at: Vec<f64> = (0..known.len()).map(|c| z(9, c)).collect();
        let mut pull: Vec<f64> = (0..known.len()).map(|c| (0..9).map(|i| z(i, c) * y[i]).sum()).collect();
        a.solve_lower(&mut at);
        a.solve_lower(&mut pull);
        assert!((dot(&at, &pull) - dot(&v, &w)).abs() < 1e-9);
        assert!((noise * dot(&at, &at) - (1.0 - dot(&v, &v))).abs() < 1e-9);
    }
}
