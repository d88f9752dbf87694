//! Did-you-mean hints.
//!
//! Uses the case-insensitive Levenshtein distance (insertions, deletions and replacements). A name
//! is suggested if the distance is at most one plus a third of the length of the given name. Cost:
//! the product of the lengths per known name.
use strsim::levenshtein;

/// Longer names are not compared: people do not type them, and the distance would be expensive.
const LONGEST: usize = 200;

/// The known name nearest to a given one, if one is near.
///
/// ```
/// use arbora_space::words::similar;
/// let known = ["auto", "tpe", "smac"];
/// assert_eq!(similar("TPE", known), Some("tpe"));
/// assert_eq!(similar("samc", known), Some("smac"));
/// assert_eq!(similar("grid", known), None);
/// ```
pub fn similar<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let (given, length) = lowered(name)?;
    let furthest = 1 + length / 3;
    let near = known.into_iter().filter_map(|known| {
        let (letters, count) = lowered(known)?;
        (count.abs_diff(length) <= furthest).then(|| (levenshtein(&given, &letters), known))
    });
    let (distance, nearest) = near.min()?;
    // A name without any letter in common is not suggested.
    (distance <= furthest && distance < length.max(1)).then_some(nearest)
}

/// A name in lower case and its length; `None` if it is too long to compare.
fn lowered(name: &str) -> Option<(String, usize)> {
    let letters: String = name.chars().flat_map(char::to_lowercase).take(LONGEST + 1).collect();
    let length = letters.chars().count();
    (length <= LONGEST).then_some((letters, length))
}

/// `; did you mean …?`, or empty if no known name is similar.
pub fn hint<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    similar(name, known).map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default()
}

/// `did you mean …? ` to put before a list of known names, or empty.
pub fn question<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    similar(name, known).map(|meant| format!("did you mean `{meant}`? ")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_symmetric_and_known() {
        for (a, b, expected) in
            [("kitten", "sitting", 3), ("", "abc", 3), ("model", "model", 0), ("lr", "rl", 2)]
        {
            assert_eq!((levenshtein(a, b), levenshtein(b, a)), (expected, expected), "{a:?} {b:?}");
        }
    }

    #[test]
    fn capitals_are_no_difference_and_strangers_are_not_meant() {
        assert_eq!(similar("c", ["C", "d"]), Some("C"));
        assert_eq!(similar("x", ["y", "z"]), None);
        assert_eq!(similar("", ["a"]), None);
        assert_eq!(hint("modle", ["model"]), "; did you mean `model`?");
        assert_eq!(hint(&"x".repeat(100_000), ["x"]), "");
    }
}
