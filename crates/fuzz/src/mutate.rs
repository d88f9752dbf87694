//! Changes an input at random.
//!
//! Bytes are flipped, cut, doubled and moved; tokens of other inputs and numbers at the edge of what fits are put in;
//! two inputs are spliced. Most changes are small, so that many results still pass the first checks of a reader.
use arbora_space::Rng;

/// Longer inputs are cut: time goes into many inputs, not long ones.
const LONGEST: usize = 256 << 10;

/// Texts that readers are likely to get wrong.
const EDGES: [&str; 24] = [
    "0",
    "-0",
    "1e308",
    "1e309",
    "-1e-320",
    "9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551616",
    "NaN",
    "inf",
    "null",
    "none",
    "true",
    "\"\"",
    "[]",
    "{}",
    "((((((((",
    "))))))))",
    "not not not ",
    "\u{202e}",
    "\u{1b}[31m",
    "\u{0}",
    "\u{fffd}",
];

/// Makes new inputs from a corpus.
pub struct Mutator<'c> {
    corpus: &'c [Vec<u8>],
    rng: Rng,
}

impl<'c> Mutator<'c> {
    /// Over a corpus that is not empty. The same seed makes the same inputs.
    pub fn new(corpus: &'c [Vec<u8>], seed: u64) -> Self {
        assert!(!corpus.is_empty(), "a corpus needs at least one input");
        Self { corpus, rng: Rng::new(seed) }
    }

    /// The next input: one to eight changes of an input of the corpus.
    pub fn input(&mut self) -> Vec<u8> {
        let mut input = self.any().to_vec();
        for _ in 0..=self.rng.below(8) {
            self.change(&mut input);
        }
        input.truncate(LONGEST);
        input
    }

    fn any(&mut self) -> &'c [u8] {
        &self.corpus[self.rng.below(self.corpus.len())]
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        match self.rng.below(9) {
            0 => self.flip(input),
            1 => self.replace(input),
            2 => self.cut(input),
            3 => self.double(input),
            4 => self.splice(input),
            5 => self.put_edge(input),
            6 => self.put_token(input),
            7 => self.swap(input),
            _ => self.change_number(input),
        }
    }

    fn flip(&mut self, input: &mut [u8]) {
        if !input.is_empty() {
            let at = self.rng.below(input.len());
            input[at] ^= 1 << self.rng.below(8);
        }
    }

    fn replace(&mut self, input: &mut [u8]) {
        if !input.is_empty() {
            let at = self.rng.below(input.len());
            input[at] = self.rng.below(256) as u8;
        }
    }

    /// A piece of the input: from, to.
    fn piece(&mut self, length: usize) -> (usize, usize) {
        let from = self.rng.below(length + 1);
        let most = (length - from).min(1 << self.rng.below(9));
        (from, from + self.rng.below(most + 1))
    }

    fn cut(&mut self, input: &mut Vec<u8>) {
        let (from, to) = self.piece(input.len());
        input.drain(from..to);
    }

    fn double(&mut self, input: &mut Vec<u8>) {
        let (from, to) = self.piece(input.len());
        let copies = 1 + self.rng.below(12);
        let copied = input[from..to].repeat(copies);
        input.splice(to..to, copied);
    }

    fn splice(&mut self, input: &mut Vec<u8>) {
        let other = self.any();
        let (from, to) = self.piece(other.len());
        let at = self.rng.below(input.len() + 1);
        input.splice(at..at, other[from..to].iter().copied());
    }

    fn put_edge(&mut self, input: &mut Vec<u8>) {
        let edge = EDGES[self.rng.below(EDGES.len())];
        self.put(input, edge.as_bytes());
    }

    /// A word or number of another input.
    fn put_token(&mut self, input: &mut Vec<u8>) {
        let other = self.any();
        let (from, to) = token(other, self.rng.below(other.len().max(1)));
        self.put(input, &other[from..to]);
    }

    /// In place of a token, or between two bytes.
    fn put(&mut self, input: &mut Vec<u8>, what: &[u8]) {
        let at = self.rng.below(input.len() + 1);
        let (from, to) = if self.rng.below(2) == 0 { token(input, at) } else { (at, at) };
        input.splice(from..to, what.iter().copied());
    }

    /// Two pieces of one length change places.
    fn swap(&mut self, input: &mut [u8]) {
        let (from, to) = self.piece(input.len());
        let length = to - from;
        if to < input.len() {
            let other = to + self.rng.below(input.len() - to);
            let length = length.min(input.len() - other);
            let (low, high) = input.split_at_mut(other);
            low[from..from + length].swap_with_slice(&mut high[..length]);
        }
    }

    fn change_number(&mut self, input: &mut Vec<u8>) {
        let at = self.rng.below(input.len() + 1);
        let Some(digit) = input[at..].iter().position(u8::is_ascii_digit) else { return };
        let from = at + digit;
        let length = input[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = match self.rng.below(4) {
            0 => self.rng.word().to_string(),
            1 => (1_u128 << self.rng.below(100)).to_string(),
            2 => format!("{}e{}", self.rng.below(10), self.rng.below(700) as i64 - 350),
            _ => self.rng.below(300).to_string(),
        };
        input.splice(from..from + length, number.bytes());
    }
}

/// The run of letters and digits around a place.
fn token(input: &[u8], at: usize) -> (usize, usize) {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
    let at = at.min(input.len());
    let from = at - input[..at].iter().rev().take_while(|byte| is_word(byte)).count();
    let to = at + input[at..].iter().take_while(|byte| is_word(byte)).count();
    (from, to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_makes_the_same_inputs_and_they_differ_from_the_corpus() {
        let corpus = [b"a + 1 <= 20".to_vec(), b"b in [\"x\", \"y\"]".to_vec()];
        let inputs = |seed| {
            let mut mutator = Mutator::new(&corpus, seed);
            (0..500).map(|_| mutator.input()).collect::<Vec<_>>()
        };
        assert_eq!(inputs(1), inputs(1));
        assert_ne!(inputs(1), inputs(2));
        let changed = inputs(3).iter().filter(|input| !corpus.contains(input)).count();
        assert!(changed > 450, "{changed} of 500 differ");
    }

    #[test]
    fn an_empty_input_can_be_changed() {
        let corpus = [Vec::new()];
        let mut mutator = Mutator::new(&corpus, 1);
        assert!((0..200).any(|_| !mutator.input().is_empty()));
    }
}
