//! The tokens of expressions.
use crate::error::SpaceError;
use crate::value::Value;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Word(String),
    /// A name in back quotes: always a parameter.
    Name(String),
    Quoted(String),
    Number(Value),
    /// 2⁶³, an integer only with a sign in front.
    BelowLowest,
    Sign(&'static str),
    End,
}

/// Is this a name that needs no back quotes: letters, digits, `_`, and the usual separators of
/// namespaces?
pub(super) fn is_plain_name(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(is_word_char)
        && !RESERVED.contains(&name)
}

const RESERVED: [&str; 14] =
    ["and", "or", "not", "in", "none", "true", "false", "min", "max", "log", "exp", "sqrt", "abs", "null"];

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '?')
}

pub(super) fn tokens(text: &str) -> Result<Vec<(usize, Token)>, SpaceError> {
    let chars: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        let c = chars[i];
        let start = i;
        if c.is_whitespace() {
            i += 1;
            continue;
        }
        let token = if c == '"' || c == '\'' || c == '`' {
            let inner = quoted(text, &chars, &mut i)?;
            if c == '`' { Token::Name(inner) } else { Token::Quoted(inner) }
        } else if c.is_ascii_digit() || (c == '.' && chars.get(i + 1).is_some_and(char::is_ascii_digit)) {
            number(text, &chars, &mut i)?
        } else if c.is_alphabetic() || c == '_' {
            while i < chars.len() && is_word_char(chars[i]) {
                i += 1;
            }
            word(&chars[start..i].iter().collect::<String>())
        } else {
            sign(text, &chars, &mut i)?
        };
        found.push((start, token));
    }
    found.push((chars.len(), Token::End));
    Ok(found)
}

fn word(text: &str) -> Token {
    match text {
        "and" => Token::Sign("and"),
        "or" => Token::Sign("or"),
        "not" => Token::Sign("not"),
        "in" => Token::Sign("in"),
        _ => Token::Word(text.to_owned()),
    }
}

fn quoted(text: &str, chars: &[char], i: &mut usize) -> Result<String, SpaceError> {
    let (start, quote) = (*i, chars[*i]);
    let mut inner = String::new();
    *i += 1;
    while let Some(&c) = chars.get(*i) {
        *i += 1;
        match c {
            '\\' if chars.get(*i).is_some() => {
                inner.push(chars[*i]);
                *i += 1;
            }
            _ if c == quote => return Ok(inner),
            _ => inner.push(c),
        }
    }
    Err(syntax(text, start, "this quote is never closed"))
}

fn number(text: &str, chars: &[char], i: &mut usize) -> Result<Token, SpaceError> {
    let start = *i;
    while *i < chars.len() {
        let exponent_sign =
            matches!(chars[*i], '+' | '-') && matches!(chars[*i - 1], 'e' | 'E') && *i > start;
        if chars[*i].is_ascii_alphanumeric() || matches!(chars[*i], '.' | '_') || exponent_sign {
            *i += 1;
        } else {
            break;
        }
    }
    let written: String = chars[start..*i].iter().filter(|c| **c != '_').collect();
    if written == "9223372036854775808" {
        return Ok(Token::BelowLowest);
    }
    if let Ok(whole) = written.parse::<i64>() {
        return Ok(Token::Number(Value::Int(whole)));
    }
    match written.parse::<f64>() {
        Ok(x) if x.is_finite() => Ok(Token::Number(Value::from(x))),
        _ => Err(syntax(text, start, &format!("`{written}` is not a number"))),
    }
}

fn sign(text: &str, chars: &[char], i: &mut usize) -> Result<Token, SpaceError> {
    const SIGNS: [(&str, &str); 24] = [
        ("<=", "<="),
        (">=", ">="),
        ("==", "=="),
        ("!=", "!="),
        ("&&", "and"),
        ("||", "or"),
        ("<", "<"),
        (">", ">"),
        ("=", "=="),
        ("&", "and"),
        ("|", "or"),
        ("!", "not"),
        ("≤", "<="),
        ("≥", ">="),
        ("≠", "!="),
        ("·", "*"),
        ("(", "("),
        (")", ")"),
        ("[", "["),
        ("]", "]"),
        (",", ","),
        ("+", "+"),
        ("-", "-"),
        ("*", "*"),
    ];
    for (written, meaning) in SIGNS.iter().chain(&[("/", "/"), ("∈", "in"), ("{", "["), ("}", "]")]) {
        let length = written.chars().count();
        if chars[*i..].len() >= length && written.chars().eq(chars[*i..*i + length].iter().copied()) {
            *i += length;
            return Ok(Token::Sign(meaning));
        }
    }
    Err(syntax(text, *i, &format!("unexpected `{}`", chars[*i])))
}

pub(super) fn syntax(text: &str, at: usize, problem: &str) -> SpaceError {
    SpaceError::Syntax { text: text.to_owned(), column: at + 1, problem: problem.to_owned() }
}
