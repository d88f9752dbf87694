//! Which name was meant?
//!
//! Levenshtein's distance, insertions, deletions and replacements of letters, capitals being no difference: a name is
//! meant if at most one letter and a third of the given name's differ. Cost: the product of the lengths per known name.

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
    let given: Vec<char> = name.to_lowercase().chars().take(LONGEST + 1).collect();
    if given.len() > LONGEST {
        return None;
    }
    let furthest = 1 + given.len() / 3;
    let near = known.into_iter().filter_map(|known| {
        let letters: Vec<char> = known.to_lowercase().chars().take(LONGEST + 1).collect();
        let is_near = letters.len().abs_diff(given.len()) <= furthest && letters.len() <= LONGEST;
        is_near.then(|| (distance(&given, &letters), known))
    });
    let (distance, nearest) = near.min()?;
    // A name that shares no letter with the one given was not meant.
    (distance <= furthest && distance < given.len().max(1)).then_some(nearest)
}

/// `; did you mean …?`, or nothing where no known name is similar.
pub fn hint<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    similar(name, known).map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default()
}

/// `did you mean …? ` to stand before a list of what is known, or nothing.
pub fn question<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    similar(name, known).map(|meant| format!("did you mean `{meant}`? ")).unwrap_or_default()
}

fn distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, other) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != other);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_symmetric_and_known() {
        for (a, b, expected) in
            [("kitten", "sitting", 3), ("", "abc", 3), ("model", "model", 0), ("lr", "rl", 2)]
        {
            let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            assert_eq!((distance(&a, &b), distance(&b, &a)), (expected, expected), "{a:?} {b:?}");
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
