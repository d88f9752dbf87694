//! Functional analysis of variance on a random forest  [Hutter, Hoos & Leyton-Brown 2014].
//!
//! With leaf cells of volume vᵢ and mean μᵢ: f₀ = Σvᵢμᵢ, V = Σvᵢ(μᵢ − f₀)²; the marginal of parameters U is
//! a_U(x) = Σᵢ [x ∈ cellᵢ along U]·vᵢ/|cellᵢ along U|·μᵢ, and V_U = Var a_U − Σ_{W⊂U} V_W. Exact for the forest, which
//! is piecewise constant; averaged over trees. O(leaves·cuts) per parameter, O(leaves·cuts²) per pair.
//!
//! What it says is about the forest: with few trials, or a forest that cannot follow the loss, shares are too even.
use super::{Importance, Region, ranked, regions, too_few};
use crate::error::SearchError;
use crate::history::History;
use arbora_model::{Dataset, Forest, ForestCell, ForestSpec, Side, TreeModel, Workers};
use arbora_space::{BranchKey, ColumnKind, Encoding, ParamId, Rng, Space};

/// Shares of variance by a forest.
#[derive(Clone, Debug, PartialEq)]
pub struct Fanova {
    /// More trees than for search: shares are averages over trees.
    pub forest: ForestSpec,
}

impl Default for Fanova {
    fn default() -> Self {
        Self { forest: ForestSpec { trees: 32, depth: 64, ..ForestSpec::default() } }
    }
}

/// What two parameters account for together and not alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interaction {
    /// One.
    pub first: ParamId,
    /// The other.
    pub second: ParamId,
    /// Share of the variance beyond what each accounts for alone.
    pub share: f64,
}

impl Fanova {
    /// What every parameter accounts for alone, largest first; in one branch, or each in the region where it is active.
    pub fn shares(
        &self,
        space: &Space,
        history: &History,
        branch: Option<BranchKey>,
        rng: &mut Rng,
    ) -> Result<Vec<Importance>, SearchError> {
        let mut all = Vec::new();
        for region in regions(space, history, branch) {
            let trees = self.grow(space, &region, rng)?;
            for &parameter in &region.judged {
                let share = average(&trees, |tree| tree.variance_of(&[parameter.index()]));
                all.push(Importance { parameter, share, trials: region.trials.len() });
            }
        }
        if all.is_empty() { Err(too_few(history)) } else { Ok(ranked(all)) }
    }

    /// What every pair of parameters that are active everywhere (or in a branch) accounts for beyond each alone,
    /// largest first.
    pub fn interactions(
        &self,
        space: &Space,
        history: &History,
        branch: Option<BranchKey>,
        rng: &mut Rng,
    ) -> Result<Vec<Interaction>, SearchError> {
        let widest = regions(space, history, branch).into_iter().max_by_key(|r| r.trials.len());
        let region = widest.ok_or_else(|| too_few(history))?;
        let trees = self.grow(space, &region, rng)?;
        let mut all = Vec::new();
        for (i, &first) in region.present.iter().enumerate() {
            for &second in &region.present[i + 1..] {
                let (a, b) = (first.index(), second.index());
                let share = average(&trees, |tree| {
                    tree.variance_of(&[a, b]) - tree.variance_of(&[a]) - tree.variance_of(&[b])
                });
                all.push(Interaction { first, second, share: share.max(0.0) });
            }
        }
        all.sort_by(|a, b| b.share.total_cmp(&a.share));
        Ok(all)
    }

    fn grow(&self, space: &Space, region: &Region<'_>, rng: &mut Rng) -> Result<Vec<Pieces>, SearchError> {
        // All columns may split, also those active in a part of the region only: what they explain would otherwise be
        // noise that the others fit.
        let layout = space.layout();
        let points = space.encode(region.trials.iter().map(|t| &t.configuration), &Encoding::default());
        let losses = region.trials.iter().filter_map(|t| t.loss()).collect();
        let forest: Forest = self.forest.build(layout, &Workers::serial())?;
        let model = forest.grow(&Dataset::new(points, losses)?, rng)?;
        let kinds: Vec<ColumnKind> = layout.columns.iter().map(|c| c.kind).collect();
        Ok(model.trees().iter().map(|tree| Pieces::new(tree, &kinds)).collect())
    }
}

/// Mean over trees of a variance as a share of the tree's own; a tree that is one leaf says nothing.
fn average(trees: &[Pieces], variance: impl Fn(&Pieces) -> f64) -> f64 {
    let telling: Vec<&Pieces> = trees.iter().filter(|t| t.variance > 0.0).collect();
    if telling.is_empty() {
        return 0.0;
    }
    telling.iter().map(|t| variance(t) / t.variance).sum::<f64>() / telling.len() as f64
}

/// A tree as a piecewise constant function.
struct Pieces {
    /// Cell, volume, mean.
    leaves: Vec<(ForestCell, f64, f64)>,
    centre: f64,
    variance: f64,
}

impl Pieces {
    fn new(tree: &TreeModel, kinds: &[ColumnKind]) -> Self {
        let leaves: Vec<(ForestCell, f64, f64)> = tree
            .cells(kinds)
            .into_iter()
            .map(|(cell, leaf)| {
                let volume = (0..kinds.len()).map(|c| cell.side(c).length()).product();
                (cell, volume, leaf.mean)
            })
            .collect();
        let centre = leaves.iter().map(|(_, v, m)| v * m).sum();
        let variance = leaves.iter().map(|(_, v, m)| v * (m - centre) * (m - centre)).sum();
        Self { leaves, centre, variance }
    }

    /// Variance of the marginal of some columns.
    fn variance_of(&self, columns: &[usize]) -> f64 {
        let mut cells: Vec<(Vec<f64>, f64)> = vec![(Vec::new(), 1.0)];
        for &column in columns {
            let steps = self.steps(column);
            cells = cells
                .iter()
                .flat_map(|(at, size)| {
                    steps
                        .iter()
                        .map(move |(code, length)| ([at.as_slice(), &[*code]].concat(), size * length))
                })
                .collect();
        }
        let marginal = |at: &[f64]| -> f64 {
            let holding = self
                .leaves
                .iter()
                .filter(|(cell, ..)| columns.iter().zip(at).all(|(&c, &code)| cell.side(c).holds(code)));
            holding
                .map(|(cell, v, m)| {
                    let along: f64 = columns.iter().map(|&c| cell.side(c).length()).product();
                    if along > 0.0 { v / along * m } else { 0.0 }
                })
                .sum()
        };
        cells.iter().map(|(at, size)| size * (marginal(at) - self.centre).powi(2)).sum()
    }

    /// Where the function is constant along a column: a code inside, and the share of the edge.
    fn steps(&self, column: usize) -> Vec<(f64, f64)> {
        if let Some((Side::Categories(marks), k)) =
            self.leaves.first().map(|(cell, ..)| cell.side(column)).map(|side| match side {
                Side::Categories(marks) => (side, marks.len()),
                Side::Interval(..) => (side, 0),
            })
        {
            let code = |i: usize| if k > 1 { i as f64 / (k - 1) as f64 } else { 0.5 };
            return (0..marks.len()).map(|i| (code(i), 1.0 / k as f64)).collect();
        }
        let mut cuts = vec![0.0, 1.0];
        for (cell, ..) in &self.leaves {
            if let Side::Interval(low, high) = cell.side(column) {
                cuts.extend([*low, *high].into_iter().filter(|c| (0.0..=1.0).contains(c)));
            }
        }
        cuts.sort_by(f64::total_cmp);
        cuts.dedup();
        cuts.windows(2).map(|pair| (0.5 * (pair[0] + pair[1]), pair[1] - pair[0])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::importance::laws::study_of;
    use arbora_space::Param;

    fn flat() -> Space {
        Space::new([
            Param::real("x", 0.0, 1.0),
            Param::real("y", 0.0, 1.0),
            Param::choice("c", ["a", "b", "c"]),
            Param::real("idle", 0.0, 1.0),
        ])
        .unwrap()
    }

    /// V_U by summing over the product of all steps: the definition, without marginals.
    #[test]
    fn variances_equal_brute_force() {
        let space = flat();
        let study = study_of(&space, 60, |v| 3.0 * v("x") + v("y") * v("x") + 0.3 * v("c"));
        let fanova = Fanova { forest: ForestSpec { trees: 2, depth: 4, ..ForestSpec::default() } };
        let region = &regions(&space, study.history(), None)[0];
        for pieces in fanova.grow(&space, region, &mut Rng::new(3)).unwrap() {
            let steps: Vec<Vec<(f64, f64)>> = (0..4).map(|c| pieces.steps(c)).collect();
            let value = |at: &[f64; 4]| {
                let inside = |cell: &ForestCell| (0..4).all(|c| cell.side(c).holds(at[c]));
                pieces.leaves.iter().find(|(cell, ..)| inside(cell)).unwrap().2
            };
            let (mut mean, mut square) = (0.0, 0.0);
            let mut along_x = vec![0.0; steps[0].len()];
            for (i, x) in steps[0].iter().enumerate() {
                for y in &steps[1] {
                    for c in &steps[2] {
                        for z in &steps[3] {
                            let (f, rest) = (value(&[x.0, y.0, c.0, z.0]), y.1 * c.1 * z.1);
                            mean += x.1 * rest * f;
                            square += x.1 * rest * f * f;
                            along_x[i] += rest * f;
                        }
                    }
                }
            }
            let by_x: f64 = steps[0].iter().zip(&along_x).map(|(s, a)| s.1 * (a - mean).powi(2)).sum();
            assert!((pieces.centre - mean).abs() < 1e-12);
            assert!((pieces.variance - (square - mean * mean)).abs() < 1e-12);
            assert!((pieces.variance_of(&[0]) - by_x).abs() < 1e-12);
        }
    }

    #[test]
    fn shares_follow_the_variances_of_an_additive_loss() {
        let space = flat();
        // Var(3x) : Var(y) = 9 : 1.
        let study = study_of(&space, 400, |v| 3.0 * v("x") + v("y"));
        let shares = Fanova::default().shares(&space, study.history(), None, &mut Rng::new(1)).unwrap();
        let of =
            |name: &str| shares.iter().find(|s| space.parameter(s.parameter).name() == name).unwrap().share;
        assert!((of("x") - 0.9).abs() < 0.05 && (of("y") - 0.1).abs() < 0.05, "{shares:?}");
        assert!(of("idle") < 0.02 && of("c") < 0.02, "{shares:?}");
    }

    #[test]
    fn an_interaction_is_what_is_left_after_each_alone() {
        let space = flat();
        // (x−½)(y−½): nothing alone, everything together.
        let study = study_of(&space, 400, |v| (v("x") - 0.5) * (v("y") - 0.5));
        let pairs = Fanova::default().interactions(&space, study.history(), None, &mut Rng::new(1)).unwrap();
        let names = [pairs[0].first, pairs[0].second].map(|id| space.parameter(id).name().to_owned());
        assert_eq!(names, ["x", "y"]);
        assert!(pairs[0].share > 0.4, "{pairs:?}");
    }
}
