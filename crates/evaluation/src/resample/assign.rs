//! Assigns rows to folds: stratified by class, and in whole groups if rows have groups.
use super::Share;
use crate::error::EvaluationError;
use crate::rows::Rows;
use arbora_space::Rng;
use std::collections::BTreeMap;

/// Splits rows into `parts` folds of nearly equal size.
pub(super) fn split_into_folds(
    rows: &Rows,
    among: &[usize],
    parts: usize,
    rng: &mut Rng,
) -> Result<Vec<Vec<usize>>, EvaluationError> {
    match rows.groups() {
        Some(groups) => split_groups(rows, groups, among, parts, rng),
        None if among.len() < parts => Err(EvaluationError::TooFew { parts, of: "rows", have: among.len() }),
        None => {
            let mut folds = vec![Vec::new(); parts];
            for (i, row) in by_class(rows, among, rng).into_iter().enumerate() {
                folds[i % parts].push(row);
            }
            Ok(folds)
        }
    }
}

/// Splits off about this share of the rows; returns (taken, left).
pub(super) fn take_share(
    rows: &Rows,
    among: &[usize],
    share: Share,
    rng: &mut Rng,
) -> Result<(Vec<usize>, Vec<usize>), EvaluationError> {
    let wanted = share.rows(among.len())?;
    let mut taken = match rows.groups() {
        Some(groups) => groups_up_to(rows, groups, among, wanted, rng),
        None => spread_over_classes(rows, among, wanted, rng),
    };
    if taken.len() == among.len() {
        return Err(share.refused(among.len()));
    }
    taken.sort_unstable();
    let left = among.iter().copied().filter(|row| taken.binary_search(row).is_err()).collect();
    Ok((taken, left))
}

/// All rows, sorted by class and shuffled within each class. Assigning them to folds in turn
/// stratifies the folds.
fn by_class(rows: &Rows, among: &[usize], rng: &mut Rng) -> Vec<usize> {
    let mut classes: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for &row in among {
        classes.entry(rows.class(row)).or_default().push(row);
    }
    let mut order = Vec::with_capacity(among.len());
    for members in classes.values_mut() {
        rng.shuffle(members);
        order.append(members);
    }
    order
}

/// About every ⌈n/wanted⌉-th row of the class-sorted order: from a class of c rows, c·wanted/n, up
/// to one row.
fn spread_over_classes(rows: &Rows, among: &[usize], wanted: usize, rng: &mut Rng) -> Vec<usize> {
    let order = by_class(rows, among, rng);
    let n = order.len();
    let is_step = |i: usize| (i + 1) * wanted / n > i * wanted / n;
    (0..n).filter(|&i| is_step(i)).map(|i| order[i]).collect()
}

/// Groups in random order, as lists of their rows.
fn shuffled_groups(groups: &[u32], among: &[usize], rng: &mut Rng) -> Vec<Vec<usize>> {
    let mut members: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for &row in among {
        members.entry(groups[row]).or_default().push(row);
    }
    let mut members: Vec<Vec<usize>> = members.into_values().collect();
    rng.shuffle(&mut members);
    members
}

/// Assigns the largest groups first, so that small ones can even out the sizes.
fn split_groups(
    rows: &Rows,
    groups: &[u32],
    among: &[usize],
    parts: usize,
    rng: &mut Rng,
) -> Result<Vec<Vec<usize>>, EvaluationError> {
    let mut members = shuffled_groups(groups, among, rng);
    if members.len() < parts {
        return Err(EvaluationError::TooFew { parts, of: "groups", have: members.len() });
    }
    members.sort_by_key(|group| std::cmp::Reverse(group.len()));
    let folds = assign_groups(rows, members, among.len(), &vec![among.len() / parts; parts]);
    Ok(folds.into_iter().map(|groups| groups.concat()).collect())
}

/// About `wanted` rows in whole groups; groups alike in size and classes are equally likely to be
/// chosen. Takes at least one group, and leaves at least one if there are two.
fn groups_up_to(rows: &Rows, groups: &[u32], among: &[usize], wanted: usize, rng: &mut Rng) -> Vec<usize> {
    let members = shuffled_groups(groups, among, rng);
    let mut sides = assign_groups(rows, members, among.len(), &[wanted, among.len() - wanted]);
    for (empty, full) in [(0, 1), (1, 0)] {
        if sides[empty].is_empty() {
            let smallest = (0..sides[full].len()).min_by_key(|&group| sides[full][group].len());
            let moved = smallest.map(|group| sides[full].swap_remove(group));
            sides[empty].extend(moved);
        }
    }
    sides.swap_remove(0).concat()
}

/// Assigns each group to the part whose balance suffers least. With h and g the rows of a class
/// (and of all classes) in the part and in the group, n the total, and w the target size of the
/// part, this is the part with the smallest Σ ((h + g)² − h²)/(w·n). An empty part comes before a
/// nonempty one of the same size.
fn assign_groups(
    rows: &Rows,
    members: Vec<Vec<usize>>,
    count: usize,
    sizes: &[usize],
) -> Vec<Vec<Vec<usize>>> {
    let tally = |list: &[usize]| {
        let mut counts: BTreeMap<u32, f64> = BTreeMap::new();
        for &row in list {
            *counts.entry(rows.class(row)).or_default() += 1.0;
        }
        counts
    };
    let totals = tally(&members.concat());
    let mut assigned: Vec<Vec<Vec<usize>>> = vec![Vec::new(); sizes.len()];
    let mut held: Vec<(f64, BTreeMap<u32, f64>)> = vec![(0.0, BTreeMap::new()); sizes.len()];
    for group in members {
        let (size, counts) = (group.len() as f64, tally(&group));
        let cost = |part: usize| {
            let (rows, classes) = &held[part];
            let grown = |h: f64, g: f64, n: f64| g * (2.0 * h + g) / n;
            let of_class =
                |(c, &g): (&u32, &f64)| grown(classes.get(c).copied().unwrap_or(0.0), g, totals[c]);
            let unbalanced = grown(*rows, size, count as f64) + counts.iter().map(of_class).sum::<f64>();
            unbalanced / sizes[part].max(1) as f64
        };
        let best = (0..sizes.len()).min_by(|&a, &b| cost(a).total_cmp(&cost(b)));
        let best = best.expect("there is at least one part");
        held[best].0 += size;
        for (class, g) in counts {
            *held[best].1.entry(class).or_default() += g;
        }
        assigned[best].push(group);
    }
    assigned
}
