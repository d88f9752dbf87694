//! Makes untrusted text safe to print.
//!
//! A name, a reason or a path can contain anything: escape sequences that recolour or rewrite a
//! terminal, marks that reverse the text direction, line breaks that fake a line of our output.
//! Such characters are shown as escapes, `\n` or `\u{1b}`; all others stay. Backslashes also stay:
//! the text is for reading, not for parsing.
use std::borrow::Cow;
use std::fmt::Write;

/// One line of text without characters that control a terminal or start a new line.
///
/// ```
/// use arbora_space::words::visible;
/// assert_eq!(visible("plain"), "plain");
/// assert_eq!(visible("a\u{1b}[31m\nb\u{202e}"), "a\\u{1b}[31m\\nb\\u{202e}");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, steers)
}

/// Text of several lines: like [`visible`], but keeps line breaks and tabs.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| steers(c) && c != '\n' && c != '\t')
}

/// Control characters (C0, DEL, C1), line and paragraph separators, and direction marks.
fn steers(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2066}'..='\u{2069}'
        )
}

fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            c if !is_escaped(c) => shown.push(c),
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            c => write!(shown, "\\u{{{:x}}}", u32::from(c)).expect("a string can be written"),
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_steers_is_left_and_everything_else_stays() {
        for code in (0..=0x2_ffffu32).filter_map(char::from_u32) {
            let text = format!("a{code}b");
            let shown = visible(&text);
            assert!(!shown.chars().any(steers), "{code:?}");
            assert_eq!(shown == text, !steers(code), "{code:?}");
            assert_eq!(visible(&shown), shown, "shown twice is shown once");
        }
        for plain in ["naïve Bäume", "日本", "مثال", "a\\n", "🌳", "👩\u{200d}🔬", "soft\u{ad}hyphen"]
        {
            assert!(matches!(visible(plain), Cow::Borrowed(_)), "{plain}");
        }
    }

    #[test]
    fn lines_may_stay_lines() {
        assert_eq!(visible_lines("a\n\tb\r\n\u{9b}2J\u{2028}"), "a\n\tb\\r\n\\u{9b}2J\\u{2028}");
    }
}
