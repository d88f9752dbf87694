//! Dealing rows out to parts: equal shares of every class, or whole groups.
use crate::error::EvaluationError;
use crate::rows::Rows;
use arbora_space::Rng;
use std::collections::BTreeMap;

/// Deals rows into so many parts of nearly equal size.
pub(super) fn deal(
    rows: &Rows,
    among: &[usize],
    parts: usize,
    rng: &mut Rng,
) -> Result<Vec<Vec<usize>>, EvaluationError> {
    match rows.groups() {
        Some(groups) => deal_groups(groups, among, parts, rng),
        None if among.len() < parts => Err(EvaluationError::TooFew { parts, of: "rows", have: among.len() }),
        None => {
            let mut hands = vec![Vec::new(); parts];
            for (turn, row) in by_class(rows, among, rng).into_iter().enumerate() {
                hands[turn % parts].push(row);
            }
            Ok(hands)
        }
    }
}

/// Takes out about this share of the rows: (taken, left).
pub(crate) fn take_share(
    rows: &Rows,
    among: &[usize],
    what: &'static str,
    share: f64,
    rng: &mut Rng,
) -> Result<(Vec<usize>, Vec<usize>), EvaluationError> {
    let refused = EvaluationError::Share { what, share, rows: among.len() };
    if !(share > 0.0 && share < 1.0) {
        return Err(refused);
    }
    let wanted = (share * among.len() as f64).round() as usize;
    let mut taken = match rows.groups() {
        Some(groups) => groups_up_to(groups, among, wanted, rng),
        None => spread_over_classes(rows, among, wanted, rng),
    };
    if taken.is_empty() || taken.len() == among.len() {
        return Err(refused);
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

fn members_of_groups(groups: &[u32], among: &[usize]) -> Vec<Vec<usize>> {
    let mut members: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for &row in among {
        members.entry(groups[row]).or_default().push(row);
    }
    members.into_values().collect()
}

/// The largest group first to the smallest part, so that sizes stay close; equal groups in random order.
fn deal_groups(
    groups: &[u32],
    among: &[usize],
    parts: usize,
    rng: &mut Rng,
) -> Result<Vec<Vec<usize>>, EvaluationError> {
    let mut members = members_of_groups(groups, among);
    if members.len() < parts {
        return Err(EvaluationError::TooFew { parts, of: "groups", have: members.len() });
    }
    rng.shuffle(&mut members);
    members.sort_by_key(|group| std::cmp::Reverse(group.len()));
    let mut hands = vec![Vec::new(); parts];
    for group in members {
        let smallest = hands.iter_mut().min_by_key(|hand| hand.len()).expect("there is at least one part");
        smallest.extend(group);
    }
    Ok(hands)
}

/// Random groups while they bring the number of rows closer to what is wanted; one group at least.
fn groups_up_to(groups: &[u32], among: &[usize], wanted: usize, rng: &mut Rng) -> Vec<usize> {
    let mut members = members_of_groups(groups, among);
    rng.shuffle(&mut members);
    let mut taken = Vec::new();
    for group in members {
        if taken.is_empty() || taken.len() + group.len() / 2 < wanted {
            taken.extend(group);
        }
    }
    taken
}
