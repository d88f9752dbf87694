//! Ties in ensembles: slots and greedy selection against brute force in exact arithmetic.
//!
//! Losses of votes are ratios of integers. A sigmoid is not, but s(x) + s(−x) = 1: only the
//! difference between the number of rows that lead by x and that trail by x counts, and two losses
//! are equal if all these differences are.
#![allow(clippy::unwrap_used)]
use arbora_evaluation::ensemble::{
    ABSENT, Bagging, Greedy, Member, Pool, SlotRule, Slots, VoteLoss, Voters, sigmoid_scale,
};
use arbora_space::Rng;
use std::cmp::Ordering;
use std::collections::BTreeMap;

const LOSSES: [VoteLoss; 5] =
    [VoteLoss::ZeroOne, VoteLoss::SquaredMargin, VoteLoss::CBound, VoteLoss::Sigmoid, VoteLoss::Margin];
const FOLDS: usize = 5;
/// A multiple of every number of voters in a test.
const UNIT: i128 = 60;

/// A ratio of integers, in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Ratio(i128, i128);

fn ratio(above: i128, below: i128) -> Ratio {
    let (mut divisor, mut rest) = (below, above.abs());
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    Ratio(above / divisor, below / divisor)
}

impl Ratio {
    fn number(self) -> f64 {
        self.0 as f64 / self.1 as f64
    }
}

/// A loss without rounding.
#[derive(Clone, Debug)]
enum Exact {
    Ratio(Ratio),
    /// For every lead, the share of rows that have it minus the share that trail by it, if nonzero;
    /// the scale; and the loss as a number, to order unequal losses.
    Sigmoid(BTreeMap<Ratio, Ratio>, f64, f64),
}

/// Votes for the true class, for the strongest other class, and in total.
struct Tally {
    right: i128,
    rival: i128,
    all: i128,
}

fn sigmoid(rows: &[Tally], members: u32) -> Exact {
    let mut net: BTreeMap<Ratio, i128> = BTreeMap::new();
    for row in rows {
        let lead = row.right - row.rival;
        *net.entry(ratio(lead.abs(), row.all)).or_default() += lead.signum();
    }
    net.retain(|_, rows| *rows != 0);
    let (a, n) = (sigmoid_scale(members), rows.len() as i128);
    // s(x) − ½ = ½ tanh(ax/2)
    let above =
        |(lead, rows): (&Ratio, &i128)| 0.5 * (0.5 * a * lead.number()).tanh() * *rows as f64 / n as f64;
    let loss = 0.5 - net.iter().map(above).sum::<f64>();
    Exact::Sigmoid(net.into_iter().map(|(lead, rows)| (lead, ratio(rows, n))).collect(), a, loss)
}

fn compare(a: &Exact, b: &Exact) -> Ordering {
    match (a, b) {
        (Exact::Ratio(Ratio(a, n)), Exact::Ratio(Ratio(b, m))) => (a * m).cmp(&(b * n)),
        (Exact::Sigmoid(a, a_scale, x), Exact::Sigmoid(b, b_scale, y)) => {
            if a == b && (a_scale == b_scale || a.is_empty()) { Ordering::Equal } else { x.total_cmp(y) }
        }
        _ => panic!("two kinds of loss"),
    }
}

/// The first member with the lowest losses, compared lexicographically.
fn first(open: &[usize], losses: &[&dyn Fn(usize) -> Exact]) -> usize {
    let mut tied = open.to_vec();
    for loss in losses {
        let exact: Vec<Exact> = tied.iter().map(|member| loss(*member)).collect();
        let least = exact.iter().min_by(|a, b| compare(a, b)).unwrap().clone();
        let kept = tied.into_iter().zip(exact).filter(|(_, e)| compare(e, &least).is_eq());
        tied = kept.map(|(member, _)| member).collect();
    }
    tied[0]
}

struct Case {
    labels: Vec<u32>,
    classes: u32,
    votes: Vec<Vec<u32>>,
}

impl Case {
    /// Small, so that ties are frequent; with gaps, some members abstain on some rows.
    fn draw(rng: &mut Rng, has_gaps: bool) -> Self {
        let classes = 2 + rng.below(3) as u32;
        let rows = FOLDS * (1 + rng.below(4));
        let mut class = || rng.below(classes as usize) as u32;
        let labels: Vec<u32> = (0..rows).map(|_| class()).collect();
        let mut votes: Vec<Vec<u32>> = (0..10).map(|_| (0..rows).map(|_| class()).collect()).collect();
        for vote in votes.iter_mut().flatten() {
            if has_gaps && rng.unit() < 0.2 {
                *vote = ABSENT;
            }
        }
        Self { labels, classes, votes }
    }

    fn pool(&self) -> Pool {
        let mut pool = Pool::new(self.labels.clone(), self.classes as usize).unwrap();
        for (trial, votes) in self.votes.iter().enumerate() {
            let member =
                Member { trial: trial as u64, loss: self.rounded_alone(trial), votes: votes.clone() };
            pool.push(member).unwrap();
        }
        pool
    }

    fn is_wrong(&self, member: usize, row: usize) -> bool {
        self.votes[member][row] != self.labels[row]
    }

    /// The mean over folds of error rates, added up in floating point.
    fn rounded_alone(&self, member: usize) -> f64 {
        let fold = self.labels.len() / FOLDS;
        let wrong = |k: usize| (k * fold..(k + 1) * fold).filter(|row| self.is_wrong(member, *row)).count();
        (0..FOLDS).map(|k| wrong(k) as f64 / fold as f64 / FOLDS as f64).sum()
    }

    /// Folds have equal sizes, so this is the overall error rate.
    fn alone(&self, member: usize) -> Exact {
        let wrong = (0..self.labels.len()).filter(|row| self.is_wrong(member, *row)).count();
        Exact::Ratio(ratio(wrong as i128, self.labels.len() as i128))
    }

    /// Of the rows with at least one vote.
    fn tallies(&self, members: &[usize]) -> Vec<Tally> {
        let count = |row: usize, class: u32| {
            members.iter().filter(|member| self.votes[**member][row] == class).count() as i128
        };
        let tally = |row: usize| {
            let rivals = (0..self.classes).filter(|class| *class != self.labels[row]);
            Tally {
                right: count(row, self.labels[row]),
                rival: rivals.map(|class| count(row, class)).max().unwrap(),
                all: (0..self.classes).map(|class| count(row, class)).sum(),
            }
        };
        (0..self.labels.len()).map(tally).filter(|row| row.all > 0).collect()
    }

    fn loss(&self, members: &[usize], loss: VoteLoss) -> Exact {
        let rows = self.tallies(members);
        if loss == VoteLoss::Sigmoid {
            return sigmoid(&rows, members.len() as u32);
        }
        // Sums over rows in multiples of the unit, to stay in integers.
        let over = |of: &dyn Fn(&Tally) -> i128| rows.iter().map(of).sum::<i128>();
        let wrong = |row: &Tally| (row.all - row.right) * (UNIT / row.all);
        let margin = |row: &Tally| (2 * row.right - row.all) * (UNIT / row.all);
        let n = rows.len() as i128;
        Exact::Ratio(match loss {
            _ if n == 0 => ratio(1, 2),
            VoteLoss::ZeroOne => ratio(over(&|row| i128::from(row.right <= row.rival)), n),
            VoteLoss::Margin => ratio(over(&wrong), n * UNIT),
            VoteLoss::SquaredMargin => ratio(over(&|row| wrong(row).pow(2)), n * UNIT * UNIT),
            _ => match (over(&margin), over(&|row| margin(row).pow(2))) {
                (_, 0) => ratio(1, 2),
                (first, second) => ratio(n * second - first * first.abs(), 2 * n * second),
            },
        })
    }

    /// Algorithm 4.1 without a search: the members of the slots once all have arrived.
    fn slots(&self, count: usize, loss: VoteLoss, rule: SlotRule) -> Vec<usize> {
        let mut filled: Vec<Option<usize>> = vec![None; count];
        for trial in 0..self.votes.len() {
            filled[trial % count] = None;
            let others: Vec<usize> = filled.iter().flatten().copied().collect();
            let open: Vec<usize> = (0..=trial).filter(|member| !others.contains(member)).collect();
            let with = |member: usize, loss| self.loss(&[&others[..], &[member]].concat(), loss);
            let filling = if rule == SlotRule::ZeroOne { VoteLoss::ZeroOne } else { loss };
            let chain: [&dyn Fn(usize) -> Exact; 3] =
                [&|member| with(member, filling), &|member| with(member, loss), &|member| self.alone(member)];
            filled[trial % count] = Some(first(&open, &chain));
        }
        filled.into_iter().flatten().collect()
    }

    fn greedy(&self, start: usize, size: usize, loss: VoteLoss) -> Vec<usize> {
        let everyone: Vec<usize> = (0..self.votes.len()).collect();
        let mut chosen: Vec<usize> = Vec::new();
        while chosen.len() < start {
            let open: Vec<usize> = everyone.iter().copied().filter(|m| !chosen.contains(m)).collect();
            chosen.push(first(&open, &[&|m| self.alone(m)]));
        }
        while chosen.len() < size {
            let with = |member: usize| self.loss(&[&chosen[..], &[member]].concat(), loss);
            let next = first(&everyone, &[&with, &|m| self.alone(m)]);
            chosen.push(next);
        }
        let exact: Vec<Exact> = (1..=size).map(|n| self.loss(&chosen[..n], loss)).collect();
        let least = exact.iter().min_by(|a, b| compare(a, b)).unwrap();
        chosen.truncate(1 + exact.iter().position(|e| compare(e, least).is_eq()).unwrap());
        chosen
    }
}

#[test]
fn slots_are_filled_as_on_paper() {
    let mut rng = Rng::new(15);
    for case in 0..200 {
        let drawn = Case::draw(&mut rng, case % 4 == 3);
        let pool = drawn.pool();
        for loss in LOSSES {
            for rule in [SlotRule::ZeroOne, SlotRule::SameLoss] {
                for count in 1..=4 {
                    let slots = Slots::new(count).unwrap().replay(&Voters { pool: &pool, loss, rule });
                    let expected = drawn.slots(count, loss, rule);
                    assert_eq!(slots.members(), expected, "case {case}, {loss:?}, {rule:?}, {count} slots");
                }
            }
        }
    }
}

#[test]
fn members_are_selected_as_on_paper() {
    let mut rng = Rng::new(16);
    for case in 0..200 {
        let drawn = Case::draw(&mut rng, case % 4 == 3);
        for loss in LOSSES {
            let greedy = Greedy { start: 2, size: 5, loss, best_prefix: true, bagging: Bagging::None };
            let chosen = greedy.select(&drawn.pool(), &mut Rng::new(0)).unwrap();
            assert_eq!(chosen, drawn.greedy(2, 5, loss), "case {case}, {loss:?}");
        }
    }
}
