//! Where in a script of the shell does a placeholder stand, and how is its value written there?
//!
//! A value travels in a variable. In the open it is written `"${V-}"`, inside double quotes `${V-}`: the shell does not
//! read what a variable holds, so the value is one word, whatever it is. Where a shell does read it as code a text is
//! refused and a number, which is none, may stand: arithmetic `$((…))`, `${…}`, subscripts, `[[ … ]]`, and commands
//! that take code or names of variables (`let`, `trap`, …; bash runs `a[$(…)]` wherever it expects a number or a
//! name). Where no variable is read (single quotes) or where shells differ (here-documents, backquotes) every
//! placeholder is refused.
//!
//! The scanner follows quotes, substitutions and comments as POSIX describes them [Shell Command Language, §2.2–2.7],
//! and of bash what changes how a value is read. It is strict: what it cannot follow it refuses.

/// How a placeholder is to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    /// With quotes of its own.
    Open,
    /// Without: quotes are around it, or would be in the way.
    Quoted,
}

/// Why a placeholder cannot stand where it does.
pub(super) type Refusal = &'static str;

const SINGLE: Refusal = "inside single quotes the shell reads no variables; use double quotes";
const BACKQUOTE: Refusal = "inside backquotes quotes are not to be relied on; write $(…)";
const DOCUMENT: Refusal =
    "a here-document cannot hold it; set a variable before, x={name}, and write $x there";
const DOLLAR: Refusal = "a `$` stands right before it; a variable of the shell is written ${{name}}";
const BACKSLASH: Refusal = "a backslash stands right before it; leave it out, values are quoted already";
const CODE: Refusal = "a shell reads a text as code there, and only numbers may stand there; \
    let a program of your own read it from its arguments or from ARBORA_PARAM_…";
const CASE: Refusal = "a `case` inside $(…) cannot be followed; put that part into a script of its own";
const ANSI: Refusal = "shells read $'…' differently; use double quotes";

/// Commands that read all of their arguments as code or as names of variables.
const READERS: [&str; 10] =
    ["eval", "let", "trap", "alias", "unset", "read", "getopts", "mapfile", "readarray", "wait"];
/// Commands that read `NAME=VALUE`, the name as a name.
const DECLARERS: [&str; 5] = ["declare", "typeset", "local", "export", "readonly"];
/// Commands that read what follows `-v` as a name.
const TESTERS: [&str; 3] = ["test", "[", "printf"];
/// After these the next word is a command again.
const LEADERS: [&str; 15] = [
    "if", "then", "else", "elif", "while", "until", "do", "time", "!", "{", "command", "builtin", "exec",
    "env", "nohup",
];

/// What the scanner is inside of.
#[derive(Debug)]
enum Frame {
    /// Commands: of the script, or of a substitution or a subshell.
    Commands(Simple),
    Double,
    /// `${…}`.
    Braces,
    /// `$((…))`, with the parentheses open inside.
    Arithmetic(usize),
    /// `$[…]`.
    Brackets,
    Backquotes,
}

/// The command at hand, as far as it was read.
#[derive(Debug, Default)]
struct Simple {
    /// The word at hand; what was quoted is a blank.
    word: String,
    before: String,
    /// The first word that is no assignment.
    name: Option<String>,
    is_test: bool,
}

/// Reads a script piece by piece.
#[derive(Debug)]
pub(super) struct Scanner {
    frames: Vec<Frame>,
    is_single: bool,
    is_comment: bool,
    /// Here-documents that begin with the next line: their last lines, and whether tabs before those count.
    documents: Vec<(String, bool)>,
    /// The here-document at hand: its current line.
    line: Option<String>,
    last: char,
}

impl Scanner {
    pub(super) fn new() -> Self {
        Self {
            frames: vec![Frame::Commands(Simple::default())],
            is_single: false,
            is_comment: false,
            documents: Vec::new(),
            line: None,
            last: ' ',
        }
    }

    /// A placeholder: how it is written. `is_number` says that its value always is one.
    pub(super) fn placeholder(&mut self, is_number: bool) -> Result<Spot, Refusal> {
        let last = std::mem::replace(&mut self.last, ' ');
        if self.is_comment {
            return Ok(Spot::Open);
        }
        let refusal = match self.frames.last() {
            _ if self.is_single => Some(SINGLE),
            _ if self.line.is_some() => Some(DOCUMENT),
            Some(Frame::Backquotes) => Some(BACKQUOTE),
            _ if last == '$' => Some(DOLLAR),
            _ if last == '\\' => Some(BACKSLASH),
            _ if !is_number && self.reads_code() => Some(CODE),
            _ => None,
        };
        if let Some(refusal) = refusal {
            return Err(refusal);
        }
        Ok(match self.frames.last_mut() {
            Some(Frame::Commands(simple)) => {
                simple.word.push(' ');
                Spot::Open
            }
            _ => Spot::Quoted,
        })
    }

    /// Would the shell read a value as code here? Quotes around it do not help.
    fn reads_code(&self) -> bool {
        let mut inside = self.frames.iter().rev();
        let frame = inside.find(|frame| !matches!(frame, Frame::Double));
        match frame {
            Some(Frame::Commands(simple)) => simple.reads_code(),
            _ => true,
        }
    }

    /// Text between placeholders.
    pub(super) fn text(&mut self, text: &str) -> Result<(), Refusal> {
        let letters: Vec<char> = text.chars().collect();
        let mut at = 0;
        while at < letters.len() {
            at += self.step(&letters[at..])?;
        }
        Ok(())
    }

    /// Takes the first letters of what is left; answers with how many.
    fn step(&mut self, rest: &[char]) -> Result<usize, Refusal> {
        let letter = rest[0];
        self.last = letter;
        if self.is_comment || self.is_single {
            self.is_comment &= letter != '\n';
            self.is_single &= letter != '\'';
            return Ok(if letter == '\n' && !self.is_single { self.commands(rest)? } else { 1 });
        }
        if self.line.is_some() {
            self.document(letter);
            return Ok(1);
        }
        match self.frames.last_mut() {
            Some(Frame::Commands(_)) | None => self.commands(rest),
            Some(Frame::Backquotes) => match letter {
                '\\' => Ok(self.escape(rest)),
                '`' => Ok(self.close()),
                _ => Ok(1),
            },
            Some(Frame::Double) => match letter {
                '"' => Ok(self.close()),
                _ => Ok(self.dollar(rest)),
            },
            Some(Frame::Braces) => match letter {
                '}' => Ok(self.close()),
                '"' => Ok(self.open(Frame::Double, 1)),
                '\'' => {
                    let around = self.frames.iter().rev().find(|frame| !matches!(frame, Frame::Braces));
                    self.is_single = !matches!(around, Some(Frame::Double));
                    Ok(1)
                }
                _ => Ok(self.dollar(rest)),
            },
            Some(Frame::Brackets) if letter == ']' => Ok(self.close()),
            Some(Frame::Arithmetic(open)) => match letter {
                ')' if *open > 0 => {
                    *open -= 1;
                    Ok(1)
                }
                ')' if rest.get(1) == Some(&')') => Ok(self.close() + 1),
                '(' => {
                    *open += 1;
                    Ok(1)
                }
                _ => Ok(self.dollar(rest)),
            },
            Some(Frame::Brackets) => Ok(self.dollar(rest)),
        }
    }

    /// What begins with `$`, a backslash or a backquote means the same in quotes and in the open.
    fn dollar(&mut self, rest: &[char]) -> usize {
        match rest {
            ['\\', ..] => self.escape(rest),
            ['`', ..] => self.open(Frame::Backquotes, 1),
            ['$', '(', '(', ..] => self.open(Frame::Arithmetic(0), 3),
            ['$', '(', ..] => self.open(Frame::Commands(Simple::default()), 2),
            ['$', '{', ..] => self.open(Frame::Braces, 2),
            ['$', '[', ..] => self.open(Frame::Brackets, 2),
            _ => 1,
        }
    }

    fn commands(&mut self, rest: &[char]) -> Result<usize, Refusal> {
        let is_inside = self.frames.len() > 1;
        let Some(Frame::Commands(simple)) = self.frames.last_mut() else { return Ok(1) };
        let begins_word = simple.word.is_empty();
        match rest {
            ['$', '\'', ..] => return Err(ANSI),
            ['$' | '\\' | '`', ..] => {
                simple.word.push(' ');
                return Ok(self.dollar(rest));
            }
            ['\'', ..] => {
                simple.word.push(' ');
                self.is_single = true;
            }
            ['"', ..] => {
                simple.word.push(' ');
                return Ok(self.open(Frame::Double, 1));
            }
            ['#', ..] if begins_word => self.is_comment = true,
            ['<', '<', '<', ..] => return Ok(3),
            ['<', '<', ..] => return self.announce(&rest[2..]).map(|taken| taken + 2),
            // Inside [[ ]] these join tests, and beside < and > they belong to a redirection.
            ['(' | ')' | '&' | '|', ..] if simple.is_test => simple.end_word(),
            ['&', '>', ..] => simple.word.push('>'),
            ['&', ..] if simple.word.ends_with(['<', '>']) => simple.word.push('&'),
            ['(', '(', ..] if begins_word && simple.name.is_none() => {
                return Ok(self.open(Frame::Arithmetic(0), 2));
            }
            ['(', ..] => return Ok(self.open(Frame::Commands(Simple::default()), 1)),
            [')', ..] if is_inside => return Ok(self.close()),
            [')' | ';' | '&' | '|', ..] => *simple = Simple::default(),
            ['\n', ..] => {
                *simple = Simple::default();
                self.line = (!self.documents.is_empty()).then(String::new);
            }
            [' ' | '\t', ..] => {
                if simple.word == "case" && is_inside {
                    return Err(CASE);
                }
                simple.end_word();
            }
            [letter, ..] => simple.word.push(*letter),
            [] => {}
        }
        Ok(1)
    }

    fn open(&mut self, frame: Frame, letters: usize) -> usize {
        self.last = ' ';
        self.frames.push(frame);
        letters
    }

    fn close(&mut self) -> usize {
        self.frames.pop();
        1
    }

    /// A backslash and what it quotes.
    fn escape(&mut self, rest: &[char]) -> usize {
        if rest.len() > 1 {
            self.last = ' ';
        }
        2.min(rest.len())
    }

    /// After `<<`: the word that ends a here-document. Answers with the letters taken.
    fn announce(&mut self, rest: &[char]) -> Result<usize, Refusal> {
        let is_indented = rest.first() == Some(&'-');
        let from = usize::from(is_indented);
        let blanks = rest[from..].iter().take_while(|c| matches!(c, ' ' | '\t')).count();
        let from = from + blanks;
        let word = rest[from..].iter().take_while(|c| !c.is_whitespace() && !";&|<>()".contains(**c)).count();
        // The word goes on with a placeholder, or there is none.
        if word == 0 || from + word == rest.len() {
            return Err(DOCUMENT);
        }
        let end = rest[from..from + word].iter().filter(|c| !"'\"\\".contains(**c)).collect();
        self.documents.push((end, is_indented));
        Ok(from + word)
    }

    /// A letter of a here-document.
    fn document(&mut self, letter: char) {
        let line = self.line.get_or_insert_default();
        if letter != '\n' {
            line.push(letter);
            return;
        }
        let line = std::mem::take(line);
        let is_last = self.documents.first().is_some_and(|(end, is_indented)| {
            let line = if *is_indented { line.trim_start_matches('\t') } else { line.as_str() };
            line == end
        });
        if is_last {
            self.documents.remove(0);
        }
        self.line = (!self.documents.is_empty()).then(String::new);
    }
}

impl Simple {
    fn end_word(&mut self) {
        let word = std::mem::take(&mut self.word);
        if word.is_empty() {
            return;
        }
        let is_assignment = word.split_once('=').is_some_and(|(name, _)| is_name(name.trim_end_matches('+')));
        // Options before the name are those of `command`, `env` and their like.
        let leads = is_assignment || word.starts_with('-') || LEADERS.contains(&word.as_str());
        if self.name.is_none() && !leads {
            self.is_test = word == "[[";
            self.name = Some(word.clone());
        }
        if word == "]]" {
            self.is_test = false;
        }
        self.before = word;
    }

    fn reads_code(&self) -> bool {
        let subscript = self.word.split_once('[').is_some_and(|(name, _)| is_name(name));
        let is_value = self.word.contains('=');
        let name = self.name.as_deref().unwrap_or_default();
        self.is_test
            || subscript
            || READERS.contains(&name)
            || DECLARERS.contains(&name) && !is_value
            || TESTERS.contains(&name) && self.before == "-v"
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
