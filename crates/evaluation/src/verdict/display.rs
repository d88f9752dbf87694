//! The verdict in plain words.
use super::{Advice, Verdict};
use arbora_search::Direction;
use std::fmt;

/// Up to this many trials are listed by number; otherwise only their count is shown.
const NAMED: usize = 6;

/// Optimism below this share of the noise is not mentioned.
const MENTIONED: f64 = 0.05;

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counted = |count: usize, how: &str| match count {
            0 => String::new(),
            n => format!(", {n} {how}"),
        };
        let others = counted(self.failed, "failed") + &counted(self.pruned, "pruned");
        writeln!(f, "{} trial{} complete{others}.", self.complete, plural(self.complete))?;
        let seen = &self.best_seen;
        write!(f, "Best seen: trial {} with {}. ", seen.trial, number(seen.value))?;
        if self.is_noiseless {
            writeln!(f, "There is no noise: evaluating it again gives the same value.")?;
        } else if self.complete == 1 {
            writeln!(f, "One trial cannot tell how noisy the objective is.")?;
        } else {
            writeln!(f, "A new evaluation is expected to give {}.", about(seen.expected, seen.interval))?;
        }
        if self.optimism > 0.0 && self.optimism >= MENTIONED * self.noise {
            let of_noise = if self.noise > 0.0 {
                format!(" ({:.1} times the noise of one evaluation)", self.optimism / self.noise)
            } else {
                String::new()
            };
            writeln!(f, "Its value is too good by about {}{of_noise}.", number(self.optimism))?;
        }
        let trusted = &self.trusted;
        if self.is_noiseless || self.complete == 1 {
            // The best trial seen is certainly the best, or the only one.
        } else if trusted.trial == seen.trial {
            writeln!(f, "It is also the most trustworthy trial.")?;
        } else {
            let expected = about(trusted.expected, trusted.interval);
            writeln!(
                f,
                "Most trustworthy: trial {}, expected {expected}, observed {}.",
                trusted.trial,
                number(trusted.value)
            )?;
        }
        if let Some(spread) = &self.splits {
            writeln!(
                f,
                "Its {} splits have mean {} and standard error {}: on new data it is at least that uncertain.",
                spread.splits,
                number(spread.mean),
                number(spread.error)
            )?;
        }
        if self.complete > 1 {
            writeln!(f, "{}", self.ties())?;
        }
        if self.overtuning > 0.0 {
            writeln!(f, "Estimated overtuning so far: {}.", number(self.overtuning))?;
        }
        write!(f, "{}", self.next())
    }
}

impl Verdict {
    fn ties(&self) -> String {
        let others: Vec<String> =
            self.tied.iter().filter(|&&t| t != self.trusted.trial).map(u64::to_string).collect();
        if self.is_noiseless {
            return match others.len() {
                0 => "No other trial is as good.".to_owned(),
                1..=NAMED => format!("As good: trial{} {}.", plural(others.len()), others.join(", ")),
                n => format!("{n} other trials are as good."),
            };
        }
        let noise = number(self.noise);
        match others.len() {
            0 => format!("No other trial comes close (noise of one evaluation: {noise})."),
            1..=NAMED => format!(
                "Statistically tied with it: trial{} {} (noise of one evaluation: {noise}).",
                plural(others.len()),
                others.join(", ")
            ),
            n => {
                format!("{n} other trials are statistically tied with it (noise of one evaluation: {noise}).")
            }
        }
    }

    fn next(&self) -> String {
        let better = match self.direction {
            Direction::Minimize => "lower",
            Direction::Maximize => "higher",
        };
        let record = self.record.as_ref().map_or_else(String::new, |record| match record.gain {
            0.0 => format!(" The latest {} trials improved nothing.", record.trials),
            gain => {
                format!(" The latest {} trials improved the best value by {}.", record.trials, number(gain))
            }
        });
        let next = match self.advice {
            Advice::MoreTrials => format!(
                "More trials may pay off: the next one is expected to give a value {} {better}.",
                number(self.promise)
            ),
            Advice::Confirm => {
                "Little to gain from more trials. The leaders differ by less than the noise: evaluate them \
                                again on new splits before you choose."
                    .to_owned()
            }
            Advice::Enough => format!(
                "Little to gain from more trials: the next one is expected to give a value {} {better}.",
                number(self.promise)
            ),
        };
        next + &record
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

fn about(expected: f64, (low, high): (f64, f64)) -> String {
    format!("{} (95 %: {} to {})", number(expected), number(low), number(high))
}

/// Four significant digits.
fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if (1e-4..1e6).contains(&value.abs()) {
        let digits = 3 - value.abs().log10().floor() as i32;
        return format!("{value:.*}", digits.clamp(0, 8) as usize);
    }
    format!("{value:.2e}")
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_have_four_digits() {
        let shown = [0.0, 0.2, -0.012_345_6, 1234.56, 3e-6, 2.5e9].map(number);
        assert_eq!(shown, ["0", "0.2000", "-0.01235", "1235", "3.00e-6", "2.50e9"]);
    }
}
