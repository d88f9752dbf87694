//! DIRECT: divides a box into smaller ones where the function is low or unexplored.
//!
//! [Jones, Perttunen & Stuckman 1993]: a box is represented by the value at its centre. Each round
//! divides the potentially optimal boxes, those that contain the lowest value for some Lipschitz
//! constant: the lower right hull of (size, value), without boxes that could improve the best value
//! by no more than 10⁻⁴·|best|. Each is cut into three along its longest sides, the side with the
//! best new centre first, so that good centres keep large boxes. Deterministic, no gradient, no
//! start. It needs d evaluations for a first look, and fails much beyond ten dimensions, where the
//! boxes stay large. All evaluations of a round are requested together.
use arbora_model::descent::Minimum;
use std::collections::BTreeMap;

/// Replaces NaN: far above all other values, but differences stay finite.
const HOPELESS: f64 = 1e300;

/// Settings of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Direct {
    /// Maximum evaluations; the centre is always evaluated.
    pub evaluations: usize,
    /// A box must be able to improve the best value by this fraction.
    pub promise: f64,
}

impl Default for Direct {
    fn default() -> Self {
        Self { evaluations: 1000, promise: 1e-4 }
    }
}

/// A box of the unit cube.
struct Cell {
    centre: Vec<f64>,
    /// How often each side was cut in three.
    cuts: Vec<u32>,
    value: f64,
}

impl Cell {
    /// Total number of cuts. Sides differ by at most one cut, so this orders boxes by size.
    fn total(&self) -> u32 {
        self.cuts.iter().sum()
    }

    /// Half the diagonal.
    fn size(&self) -> f64 {
        0.5 * self.cuts.iter().map(|&cuts| side(cuts).powi(2)).sum::<f64>().sqrt()
    }

    /// The sides with the fewest cuts.
    fn longest(&self) -> Vec<usize> {
        let least = self.cuts.iter().min().copied().unwrap_or(0);
        (0..self.cuts.len()).filter(|&i| self.cuts[i] == least).collect()
    }
}

/// The length of a side after this many cuts.
fn side(cuts: u32) -> f64 {
    3.0_f64.powi(-(cuts as i32))
}

impl Direct {
    /// Minimises in a box with finite bounds. `function` evaluates many points at once; NaN counts
    /// as a very large value.
    pub fn minimize(
        &self,
        bounds: &[(f64, f64)],
        mut function: impl FnMut(&[Vec<f64>]) -> Vec<f64>,
    ) -> Minimum {
        let mut evaluate = |centres: &[Vec<f64>]| -> Vec<f64> {
            let points: Vec<Vec<f64>> = centres.iter().map(|centre| inside(bounds, centre)).collect();
            let values = function(&points);
            values.into_iter().map(|value| if value.is_finite() { value } else { HOPELESS }).collect()
        };
        let centre = vec![0.5; bounds.len()];
        let value = evaluate(std::slice::from_ref(&centre))[0];
        let mut cells = vec![Cell { centre, cuts: vec![0; bounds.len()], value }];
        let mut spent = 1;
        while spent < self.evaluations {
            let cuts = self.cuts(&cells, self.evaluations - spent);
            let asked: Vec<Vec<f64>> =
                cuts.iter().flat_map(|(cell, sides)| beside(&cells[*cell], sides)).collect();
            if asked.is_empty() {
                break;
            }
            let values = evaluate(&asked);
            spent += asked.len();
            let mut new = asked.into_iter().zip(values);
            for (cell, sides) in cuts {
                let born: Vec<(Vec<f64>, f64)> = new.by_ref().take(2 * sides.len()).collect();
                divide(&mut cells, cell, &sides, &born);
            }
        }
        let best = cells.iter().min_by(|a, b| a.value.total_cmp(&b.value)).expect("the centre is one");
        let value = if best.value < HOPELESS { best.value } else { f64::INFINITY };
        Minimum { point: inside(bounds, &best.centre), value, evaluations: spent }
    }

    /// The boxes to divide and along which sides, as far as the budget allows.
    fn cuts(&self, cells: &[Cell], mut budget: usize) -> Vec<(usize, Vec<usize>)> {
        let mut cuts = Vec::new();
        for cell in self.promising(cells) {
            let mut sides = cells[cell].longest();
            sides.truncate(budget / 2);
            budget -= 2 * sides.len();
            if !sides.is_empty() {
                cuts.push((cell, sides));
            }
        }
        cuts
    }

    /// Potentially optimal boxes, smallest first; the oldest among equals.
    fn promising(&self, cells: &[Cell]) -> Vec<usize> {
        let mut best_of_size: BTreeMap<u32, usize> = BTreeMap::new();
        for (i, cell) in cells.iter().enumerate() {
            let best = best_of_size.entry(cell.total()).or_insert(i);
            if cell.value < cells[*best].value {
                *best = i;
            }
        }
        let least = cells.iter().map(|cell| cell.value).fold(HOPELESS, f64::min);
        let ranked: Vec<(usize, f64, f64)> =
            best_of_size.values().rev().map(|&i| (i, cells[i].size(), cells[i].value)).collect();
        let keeps = |&(k, (_, size, value)): &(usize, (usize, f64, f64))| {
            let rise = |other: &(usize, f64, f64)| (value - other.2) / (size - other.1);
            let low = ranked[..k].iter().map(rise).fold(0.0, f64::max);
            let high = ranked[k + 1..].iter().map(rise).fold(f64::INFINITY, f64::min);
            low <= high && value - high * size <= least - self.promise * least.abs()
        };
        ranked.iter().copied().enumerate().filter(keeps).map(|(_, (i, _, _))| i).collect()
    }
}

/// Maps the unit cube to the box.
fn inside(bounds: &[(f64, f64)], centre: &[f64]) -> Vec<f64> {
    bounds.iter().zip(centre).map(|(&(low, high), share)| low + share * (high - low)).collect()
}

/// The new centres of a box: one step down and one step up along every side.
fn beside(cell: &Cell, sides: &[usize]) -> Vec<Vec<f64>> {
    let step = |i: usize, sign: f64| {
        let mut centre = cell.centre.clone();
        centre[i] += sign * side(cell.cuts[i] + 1);
        centre
    };
    sides.iter().flat_map(|&i| [step(i, -1.0), step(i, 1.0)]).collect()
}

/// Cuts a box, the side with the best new centre first. `born` holds two centres with their values
/// per side.
fn divide(cells: &mut Vec<Cell>, cell: usize, sides: &[usize], born: &[(Vec<f64>, f64)]) {
    let best = |k: usize| born[2 * k].1.min(born[2 * k + 1].1);
    let mut order: Vec<usize> = (0..sides.len()).collect();
    order.sort_by(|&a, &b| best(a).total_cmp(&best(b)));
    for k in order {
        cells[cell].cuts[sides[k]] += 1;
        let cuts = cells[cell].cuts.clone();
        for (centre, value) in &born[2 * k..2 * k + 2] {
            cells.push(Cell { centre: centre.clone(), cuts: cuts.clone(), value: *value });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn branin(x: &[f64]) -> f64 {
        let pi = std::f64::consts::PI;
        let bend = x[1] - 5.1 / (4.0 * pi * pi) * x[0] * x[0] + 5.0 / pi * x[0] - 6.0;
        bend * bend + 10.0 * (1.0 - 1.0 / (8.0 * pi)) * x[0].cos() + 10.0
    }

    fn run(evaluations: usize, bounds: &[(f64, f64)], f: impl Fn(&[f64]) -> f64) -> (Minimum, Vec<Vec<f64>>) {
        let mut asked = Vec::new();
        let lowest = Direct { evaluations, ..Direct::default() }.minimize(bounds, |points| {
            asked.extend(points.iter().cloned());
            points.iter().map(|x| f(x)).collect()
        });
        (lowest, asked)
    }

    /// Jones et al. 1993, table 1: Branin within 0.01 % after 195 evaluations; here a few more.
    #[test]
    fn branin_is_found_as_fast_as_published() {
        let (lowest, _) = run(250, &[(-5.0, 10.0), (0.0, 15.0)], branin);
        assert!((lowest.value - 0.397_887_357_729_738).abs() < 1e-4 * 0.397_887, "{lowest:?}");
        assert_eq!(lowest.value, branin(&lowest.point));
    }

    #[test]
    fn every_point_is_in_the_box_and_asked_once() {
        let bounds = [(-1.0, 2.0), (3.0, 3.5), (0.0, 1.0)];
        let (lowest, asked) = run(500, &bounds, |x| x.iter().map(|x| (x - 0.3).abs()).sum());
        assert!(lowest.evaluations == asked.len() && asked.len() <= 500 && asked.len() > 490);
        for (i, point) in asked.iter().enumerate() {
            assert!(point.iter().zip(bounds).all(|(x, (low, high))| (low..=high).contains(x)));
            assert!(asked[..i].iter().all(|other| other != point));
        }
    }

    /// The boxes tile the cube: their volumes sum to one.
    #[test]
    fn boxes_tile_the_cube() {
        let mut cells = vec![Cell { centre: vec![0.5; 3], cuts: vec![0; 3], value: 0.0 }];
        for round in 0..20 {
            let (cell, sides) = ((7 * round) % cells.len(), cells[(7 * round) % cells.len()].longest());
            let born = beside(&cells[cell], &sides);
            let born: Vec<(Vec<f64>, f64)> = born
                .into_iter()
                .map(|c| {
                    let value = c[0] - c[1] * c[2];
                    (c, value)
                })
                .collect();
            divide(&mut cells, cell, &sides, &born);
        }
        let volume: f64 = cells.iter().map(|cell| side(cell.total())).sum();
        assert!((volume - 1.0).abs() < 1e-12);
        for cell in &cells {
            let cuts = (cell.cuts.iter().max().unwrap(), cell.cuts.iter().min().unwrap());
            assert!(cuts.0 - cuts.1 <= 1);
        }
    }

    #[test]
    fn holes_are_stepped_around_and_nothing_at_all_is_survived() {
        let hole = |x: &[f64]| if x[0] > 0.4 { f64::NAN } else { (x[0] - 0.39).powi(2) + x[1] };
        let (lowest, _) = run(400, &[(0.0, 1.0); 2], hole);
        assert!(lowest.value < 1e-2, "{lowest:?}");
        assert_eq!(run(50, &[(0.0, 1.0)], |_| f64::NAN).0.value, f64::INFINITY);
        assert_eq!(run(50, &[], |_| 7.0).0, Minimum { point: vec![], value: 7.0, evaluations: 1 });
        assert_eq!(run(0, &[(0.0, 1.0)], |x| x[0]).0.evaluations, 1);
    }
}
