//! Names of parameters and alternatives, from Rust identifiers.
use syn::LitStr;

/// How to respell identifiers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Case {
    AsWritten,
    Snake,
    Kebab,
    Camel,
    Pascal,
    ScreamingSnake,
    Lower,
    Upper,
}

const CASES: [(&str, Case); 7] = [
    ("snake_case", Case::Snake),
    ("kebab-case", Case::Kebab),
    ("camelCase", Case::Camel),
    ("PascalCase", Case::Pascal),
    ("SCREAMING_SNAKE_CASE", Case::ScreamingSnake),
    ("lowercase", Case::Lower),
    ("UPPERCASE", Case::Upper),
];

impl Case {
    pub(crate) fn named(text: &LitStr) -> syn::Result<Self> {
        let wanted = text.value();
        let found = CASES.iter().find(|(name, _)| *name == wanted).map(|(_, case)| *case);
        found.ok_or_else(|| {
            let known = CASES.map(|(name, _)| format!("\"{name}\"")).join(", ");
            syn::Error::new(text.span(), format!("unknown case \"{wanted}\"; one of {known}"))
        })
    }

    pub(crate) fn apply(self, identifier: &str) -> String {
        let words = words(identifier);
        let capitals = |from: usize| {
            let spelled =
                words.iter().enumerate().map(|(i, w)| if i < from { w.clone() } else { capital(w) });
            spelled.collect::<String>()
        };
        match self {
            Case::AsWritten => identifier.to_owned(),
            Case::Snake => words.join("_"),
            Case::Kebab => words.join("-"),
            Case::Camel => capitals(1),
            Case::Pascal => capitals(0),
            Case::ScreamingSnake => words.join("_").to_uppercase(),
            Case::Lower => words.concat(),
            Case::Upper => words.concat().to_uppercase(),
        }
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Splits an identifier into lower-case words: a capital starts a word after a lower-case letter or
/// digit, or before a lower-case letter.
fn words(identifier: &str) -> Vec<String> {
    let letters: Vec<char> = identifier.chars().collect();
    let mut found: Vec<String> = vec![String::new()];
    for (i, &c) in letters.iter().enumerate() {
        let after_small = i > 0 && !letters[i - 1].is_uppercase();
        let before_small = letters.get(i + 1).is_some_and(|next| next.is_lowercase());
        if c == '_' || c.is_uppercase() && (after_small || before_small) {
            found.push(String::new());
        }
        if c != '_' {
            found.last_mut().expect("there is always a word").extend(c.to_lowercase());
        }
    }
    found.retain(|word| !word.is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_any_spelling() {
        for (identifier, snake) in [
            ("Svm", "svm"),
            ("LinearSvm", "linear_svm"),
            ("RBFKernel", "rbf_kernel"),
            ("SVM", "svm"),
            ("Conv2d", "conv2d"),
            ("learning_rate", "learning_rate"),
            ("_hidden", "hidden"),
        ] {
            assert_eq!(Case::Snake.apply(identifier), snake);
        }
    }

    #[test]
    fn cases() {
        let spelled = CASES.map(|(_, case)| case.apply("LinearSvm"));
        let expected =
            ["linear_svm", "linear-svm", "linearSvm", "LinearSvm", "LINEAR_SVM", "linearsvm", "LINEARSVM"];
        assert_eq!(spelled, expected);
    }
}
