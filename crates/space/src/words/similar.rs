//! Which name was meant?
//!
//! Levenshtein's distance, insertions, deletions and replacements of letters, capitals being no difference: a name is
//! meant if at most one letter and a third of the given name's differ. Cost: the product of the lengths per known name.
use strsim::levenshtein;

/// No name that people type is longer, and the distance of long ones costs.
const LONGEST: usize = 200;

/// The known name that is nearest to a given one, if any is near.
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
    // A name that shares no letter with the one given was not meant.
    (distance <= furthest && distance < length.max(1)).then_some(nearest)
}

/// A name in small letters and how many they are; nothing if it is too long to compare.
fn lowered(name: &str) -> Option<(String, usize)> {
    let letters: String = name.chars().flat_map(char::to_lowercase).take(LONGEST + 1).collect();
    let length = letters.chars().count();
    (length <= LONGEST).then_some((letters, length))
}

/// `; did you mean …?`, or nothing where no known name is similar.
pub fn hint<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    similar(name, known).map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default()
}

/// `did you mean …? ` to stand before a list of what is known, or nothing.
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
