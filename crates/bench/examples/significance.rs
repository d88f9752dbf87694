//! Tests of significance asked from outside, so that others can be compared with them.
//!
//! One JSON object per line in and out:
//!
//! ```text
//! {"wilcoxon": {"first": [..], "second": [..], "zeros": "drop"}}
//!     → {"statistic": .., "p": .., "exact": ..}
//! {"mann_whitney": {"first": [..], "second": [..]}}
//!     → {"statistic": .., "p": .., "exact": ..}
//! {"friedman": [[..], ..]}
//!     → {"ranks": [..], "statistic": .., "p": .., "corrected": .., "corrected_p": .., "f": .., "f_p": ..}
//! {"nemenyi": {"methods": 5, "problems": 12, "level": 0.05}}
//!     → {"difference": ..}
//! ```
//!
//! `zeros` is drop, pratt or split; tables have a row per problem and a column per method.
#![allow(clippy::print_stdout, reason = "an example is an application: it prints")]
use arbora_bench::stats::{Friedman, MannWhitney, Nemenyi, RankTable, Wilcoxon, Zeros};
use serde::Deserialize;
use serde_json::json;
use std::error::Error;

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Question {
    Wilcoxon { first: Vec<f64>, second: Vec<f64>, zeros: String },
    MannWhitney { first: Vec<f64>, second: Vec<f64> },
    Friedman(Vec<Vec<f64>>),
    Nemenyi { methods: usize, problems: usize, level: f64 },
}

fn main() -> Result<(), Box<dyn Error>> {
    for line in std::io::stdin().lines() {
        println!("{}", answer(serde_json::from_str(&line?)?)?);
    }
    Ok(())
}

fn answer(question: Question) -> Result<serde_json::Value, Box<dyn Error>> {
    Ok(match question {
        Question::Wilcoxon { first, second, zeros } => {
            let test = Wilcoxon::of(&first, &second, rule(&zeros)?)?;
            json!({ "statistic": test.statistic, "p": test.p, "exact": test.is_exact })
        }
        Question::MannWhitney { first, second } => {
            let test = MannWhitney::of(&first, &second)?;
            json!({ "statistic": test.statistic, "p": test.p, "exact": test.is_exact })
        }
        Question::Friedman(losses) => {
            let ranks = RankTable::of(&losses)?;
            let test = Friedman::of(&ranks);
            json!({
                "ranks": ranks.average(), "statistic": test.statistic, "p": test.p, "corrected": test.corrected,
                "corrected_p": test.corrected_p, "f": test.f, "f_p": test.f_p,
            })
        }
        Question::Nemenyi { methods, problems, level } => {
            json!({ "difference": Nemenyi::critical_difference(methods, problems, level)? })
        }
    })
}

fn rule(zeros: &str) -> Result<Zeros, String> {
    match zeros {
        "drop" => Ok(Zeros::Drop),
        "pratt" => Ok(Zeros::Pratt),
        "split" => Ok(Zeros::Split),
        other => Err(format!("no rule for zeros is called `{other}`: use drop, pratt or split")),
    }
}
