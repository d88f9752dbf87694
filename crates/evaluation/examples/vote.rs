//! Voting ensembles over standard input and output, for comparison with other implementations.
//!
//! One JSON object per line in and out:
//!
//! ```text
//! {"labels": [0, 1, ..], "classes": 2, "loss": "squared_margin", "rule": "zero_one", "slots": 3,
//!  "members": [{"trial": 0, "loss": 0.25, "votes": [0, 1, ..]}, ...],
//!  "greedy": {"start": 1, "size": 5}}
//!     → {"losses": [..], "worth": [[..], ..], "filled": [[..], ..], "chosen": [..]}
//! ```
//!
//! `losses[i]` is the loss of the vote of the first i + 1 members. Members then arrive one by one,
//! like trials of a search: before the i-th, `worth[i]` has the label of each earlier member for
//! the current slot (null for members of other slots), and `filled[i]` has the members of the slots
//! afterwards. `chosen` is the greedy selection from all members.
#![allow(clippy::print_stdout, reason = "an example is an application: it prints")]
use arbora_evaluation::EvaluationError;
use arbora_evaluation::ensemble::{Greedy, Member, Pool, SlotRule, Slots, VoteLoss, Voters};
use arbora_space::Rng;
use serde::Deserialize;
use serde_json::json;
use std::error::Error;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    labels: Vec<u32>,
    classes: usize,
    members: Vec<Member>,
    loss: VoteLoss,
    rule: SlotRule,
    slots: usize,
    greedy: Greedy,
}

fn main() -> Result<(), Box<dyn Error>> {
    for line in std::io::stdin().lines() {
        println!("{}", answer(serde_json::from_str(&line?)?)?);
    }
    Ok(())
}

fn answer(question: Question) -> Result<serde_json::Value, EvaluationError> {
    let Question { labels, classes, members, loss, rule, slots, greedy } = question;
    let (mut pool, mut slots) = (Pool::new(labels, classes)?, Slots::new(slots)?);
    let mut votes = pool.no_votes();
    let (mut losses, mut worth, mut filled) = (Vec::new(), Vec::new(), Vec::new());
    for (position, member) in members.into_iter().enumerate() {
        let trial = member.trial as usize;
        votes.add(&member.votes);
        losses.push(loss.of(&votes));
        worth.push(slots.labels(&Voters { pool: &pool, loss, rule }, trial));
        pool.push(member)?;
        slots.update_from(&Voters { pool: &pool, loss, rule }, position);
        filled.push(slots.members());
    }
    let chosen = greedy.select(&pool, &mut Rng::new(0))?;
    Ok(json!({ "losses": losses, "worth": worth, "filled": filled, "chosen": chosen }))
}
