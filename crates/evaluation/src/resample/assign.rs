//! Dealing rows out to parts: equal shares of every class, in whole groups where there are some.
use super::Share;
use crate::error::EvaluationError;
use crate::rows::Rows;
use arbora_space::Rng;
use std::collections::BTreeMap;

/// Deals rows into so many parts of nearly equal size.
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

/// Takes out about this share of the rows: (taken, left).
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

/// All rows, class after class, shuffled within each: dealing them in turn gives every part its share of a class.
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

/// Every ⌈n/wanted⌉-th row or so of the class-sorted order: of a class of c rows, c·wanted/n up to one.
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

/// Equal parts: the largest groups first, so that the small ones can make up for them.
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

/// About so many rows in whole groups, any of them as likely to be among them as another of its kind; one group at
/// least, and not all, as long as there are two.
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

/// Gives each group to the part that it unbalances least: with h and g the rows of a class (and of all classes) in part
/// and group, n those in all and w the rows the part is to have, the part of least Σ ((h + g)² − h²)/(w·n). An empty part
/// comes before one of the same size that is not.
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
