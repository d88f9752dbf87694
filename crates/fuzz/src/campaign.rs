//! A campaign: the corpus as it is, then changed inputs, and what broke.
use crate::corpus::corpus;
use crate::mutate::Mutator;
use crate::target::{Target, Verdict};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How many inputs, and which.
#[derive(Clone, Copy, Debug)]
pub struct Campaign {
    /// The same seed makes the same inputs.
    pub seed: u64,
    /// Changed inputs, besides the corpus.
    pub inputs: usize,
}

/// An input that broke a law.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The input.
    pub input: Vec<u8>,
    /// What it broke.
    pub problem: String,
}

/// What a campaign saw.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Inputs that were tried.
    pub tried: usize,
    /// Inputs that the reader took.
    pub accepted: usize,
    /// What broke.
    pub findings: Vec<Finding>,
}

impl Campaign {
    /// Runs it; `before` sees every input before the reader does.
    pub fn run(&self, target: &Target, before: &mut dyn FnMut(&[u8])) -> Report {
        let corpus = corpus(target);
        let mut mutator = Mutator::new(&corpus, self.seed);
        let mut report = Report::default();
        for input in &corpus {
            report.try_input(target, input, before);
        }
        for _ in 0..self.inputs {
            report.try_input(target, &mutator.input(), before);
        }
        report
    }
}

impl Report {
    fn try_input(&mut self, target: &Target, input: &[u8], before: &mut dyn FnMut(&[u8])) {
        before(input);
        self.tried += 1;
        let problem = match catch_unwind(AssertUnwindSafe(|| (target.run)(input))) {
            Ok(Ok(Verdict::Accepted)) => {
                self.accepted += 1;
                return;
            }
            Ok(Ok(Verdict::Refused)) => return,
            Ok(Err(problem)) => problem,
            Err(panic) => format!("panic: {}", words(panic.as_ref())),
        };
        self.findings.push(Finding { input: input.to_vec(), problem });
    }
}

fn words(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("without a message")
}
