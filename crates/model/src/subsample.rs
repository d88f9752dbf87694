//! Selects a subset of rows where a fit to all of them would take too long.
//!
//! A process costs Σ n_g³ per likelihood and Σ n_g² memory per draw of θ, where n_g is the number
//! of rows in a group that can be correlated. Up to Σ n_g³ = 1000³ and 4000 rows in total, all rows
//! are used. Beyond that, every group is cut to the same number of rows, the largest that fits:
//! half of them have the group's lowest losses, the others are spread evenly over the rest in order
//! of loss, including the worst. So the best region is known in full and the rest in outline, every
//! branch is represented, and the best row is always kept. Cost: n ln n.
//!
//! The result depends on the observations alone; rows keep their order. If there are too many
//! branches, those with the lowest losses stay.
use crate::dataset::Dataset;
use crate::error::FitError;
use crate::kernel::Coupling;
use arbora_space::BranchKey;
use std::collections::BTreeMap;

/// Most rows of one group; 1000 take a third of a second per suggestion.
const ROWS: usize = 1000;

/// Most rows in total, which bounds memory if there are many small groups.
const IN_ALL: usize = 4 * ROWS;

/// The rows to fit a process to, ascending; `None` for all rows. Surrogates whose fit grows like n³
/// return this from [`Surrogate::training_rows`](crate::Surrogate::training_rows).
pub fn rows(data: &Dataset, coupling: Coupling) -> Option<Vec<usize>> {
    rows_of(ROWS, data, coupling)
}

/// Like [`rows`], with this limit for a single group.
pub(crate) fn rows_of(most: usize, data: &Dataset, coupling: Coupling) -> Option<Vec<usize>> {
    if data.len() <= most {
        return None;
    }
    let groups = groups(data, coupling);
    let fits = |cap: usize| {
        let kept = || groups.iter().map(|rows| rows.len().min(cap));
        kept().sum::<usize>() <= IN_ALL
            && kept().map(|n| (n as u128).pow(3)).sum::<u128>() <= (most as u128).pow(3)
    };
    if fits(usize::MAX) {
        return None;
    }
    let cap = largest(1, most, fits);
    let mut kept: Vec<usize> = groups.iter().take(IN_ALL).flat_map(|rows| outline(rows, cap)).collect();
    kept.sort_unstable();
    Some(kept)
}

/// Matrices per group that a fit holds at the same time: one per draw of θ, and temporary ones.
const MATRICES: usize = 16;

/// Fails if a model of these rows does not fit into memory. Called before allocating, since running
/// out of memory would abort the process.
pub(crate) fn check_memory(data: &Dataset, coupling: Coupling) -> Result<(), FitError> {
    check_memory_of(MATRICES, data, coupling)
}

/// Fails if this number of matrices per group of rows does not fit into memory. Called before
/// allocating, since running out of memory would abort the process.
pub fn check_memory_of(matrices: usize, data: &Dataset, coupling: Coupling) -> Result<(), FitError> {
    let squares = groups(data, coupling).into_iter().map(|rows| rows.len() * rows.len());
    let entries = matrices * squares.sum::<usize>();
    let mut probe: Vec<f64> = Vec::new();
    let reserved = probe.try_reserve_exact(entries);
    // Keeps the compiler from removing the allocation.
    std::hint::black_box(&probe);
    reserved.map_err(|_| FitError::NoMemory { rows: data.len(), bytes: entries * size_of::<f64>() })
}

/// Rows that can be correlated, each group sorted by loss; the group with the lowest loss comes
/// first.
fn groups(data: &Dataset, coupling: Coupling) -> Vec<Vec<usize>> {
    let losses = data.losses();
    let mut by_loss: Vec<usize> = (0..data.len()).collect();
    by_loss.sort_by(|&a, &b| losses[a].total_cmp(&losses[b]));
    let mut places: BTreeMap<BranchKey, usize> = BTreeMap::new();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for row in by_loss {
        let key = match coupling {
            Coupling::Everywhere => BranchKey::ROOT,
            Coupling::SameBranch => data.points().branches()[row],
        };
        let place = *places.entry(key).or_insert(groups.len());
        if place == groups.len() {
            groups.push(Vec::new());
        }
        groups[place].push(row);
    }
    groups
}

/// The largest number from `low` to `high` that fits, `low` if none does. If a number fits, so do
/// all smaller ones.
fn largest(mut low: usize, mut high: usize, fits: impl Fn(usize) -> bool) -> usize {
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if fits(middle) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    low
}

/// At most `cap` of the rows, which are sorted by loss: half of them from the start, then an even
/// spread to the last.
fn outline(rows: &[usize], cap: usize) -> Vec<usize> {
    if rows.len() <= cap {
        return rows.to_vec();
    }
    let (best, rest) = rows.split_at(cap.div_ceil(2));
    let count = cap - best.len();
    let spread = (1..=count).map(|i| rest[i * rest.len() / count - 1]);
    best.iter().copied().chain(spread).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbora_space::Points;

    /// Losses in scrambled order, branches in turn.
    fn data(count: usize, branches: u64) -> Dataset {
        let mut points = Points::new(1);
        for i in 0..count as u64 {
            points.push_parts(&[0.5], &[true], BranchKey::ROOT.then(0, i % branches));
        }
        let losses = (0..count).map(|i| ((i * 7919) % count) as f64).collect();
        Dataset::new(points, losses).unwrap()
    }

    #[test]
    fn few_rows_all_matter() {
        for coupling in [Coupling::Everywhere, Coupling::SameBranch] {
            assert_eq!(rows(&data(ROWS, 3), coupling), None);
        }
        assert_eq!(rows(&data(2 * ROWS, 10), Coupling::SameBranch), None, "ten groups of 200 are quick");
    }

    #[test]
    fn the_work_is_bounded_and_the_best_and_every_branch_are_kept() {
        for (count, branches) in [(1001, 1), (20_000, 1), (20_000, 7), (20_000, 500), (20_000, 5000)] {
            let data = data(count, branches);
            for coupling in [Coupling::Everywhere, Coupling::SameBranch] {
                let Some(kept) = rows(&data, coupling) else { panic!("{count} rows are too many") };
                assert!(kept.is_sorted_by(|a, b| a < b), "each once, in order");
                let few = data.select(&kept).unwrap();
                let work: usize = groups(&few, coupling).iter().map(|rows| rows.len().pow(3)).sum();
                assert!(few.len() <= IN_ALL && work <= ROWS.pow(3), "{} rows", few.len());
                assert_eq!(rows(&few, coupling), None, "what was thinned is thin");
                assert!(few.losses().contains(&0.0));
                if branches <= 500 && coupling == Coupling::SameBranch {
                    assert_eq!(groups(&few, coupling).len(), branches as usize);
                }
                if branches == 1 {
                    assert!(few.losses().contains(&(count as f64 - 1.0)), "the worst is an outline's end");
                    assert_eq!(few.len(), ROWS);
                    assert!((0..ROWS / 2).all(|loss| few.losses().contains(&(loss as f64))));
                }
            }
        }
    }
}
