//! Where studies are kept, as people read it.
use serde::Serialize;
use std::fmt;
use std::path::Path;

/// The name of a place: the path of a file, or the address of a server without the password in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Place(String);

impl Place {
    /// The place behind an address.
    pub fn of_address(address: &str) -> Self {
        let hidden = || -> Option<String> {
            let (scheme, rest) = address.split_once("://")?;
            let (login, host) = rest.split_at(rest.find('/').unwrap_or(rest.len())).0.rsplit_once('@')?;
            let (user, _) = login.split_once(':')?;
            let path = &rest[login.len() + 1 + host.len()..];
            Some(format!("{scheme}://{user}:***@{host}{path}"))
        };
        Self(hidden().unwrap_or_else(|| address.to_owned()))
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&Path> for Place {
    fn from(path: &Path) -> Self {
        Self(path.display().to_string())
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() {
        let shown = |address: &str| Place::of_address(address).to_string();
        assert_eq!(shown("postgres://ada:secret@localhost:5432/db"), "postgres://ada:***@localhost:5432/db");
        assert_eq!(shown("https://ada:p@ss@localhost/a@b"), "https://ada:***@localhost/a@b");
        for plain in
            ["study.db", "a@b:c.db", "postgres://ada@localhost/db", "http://localhost:80/x:y@z", ":memory:"]
        {
            assert_eq!(shown(plain), plain);
        }
    }
}
