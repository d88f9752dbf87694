//! The list of formats.
use super::description::{Description, Writer};
use super::view::Source;
use super::{configspace, json, pcs, toml};
use crate::error::SpaceError;
use crate::space::Space;
use crate::spec::SpaceSpec;
use crate::words::question;
use std::fmt;
use std::str::FromStr;

macro_rules! formats {
    ($($(#[$about:meta])* $name:ident => $description:expr,)*) => {
        /// A format of space files.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Format {
            $($(#[$about])* $name,)*
        }

        impl Format {
            /// All formats.
            pub const ALL: &[Format] = &[$(Format::$name),*];

            fn description(self) -> &'static Description {
                match self {
                    $(Format::$name => &$description,)*
                }
            }
        }
    };
}

formats! {
    /// The project's own TOML.
    Toml => toml::FORMAT,
    /// The project's own JSON.
    Json => json::FORMAT,
    /// The JSON of the Python package `ConfigSpace`.
    ConfigSpace => configspace::FORMAT,
    /// PCS, old or new; read-only.
    Pcs => pcs::FORMAT,
}

impl Format {
    /// The name for users: `toml`, `json`, `configspace`, `pcs`.
    pub fn name(self) -> &'static str {
        self.description().name
    }

    /// The file extension, without the dot.
    pub fn extension(self) -> &'static str {
        self.description().extensions[0]
    }

    /// Can it be written?
    pub fn is_writable(self) -> bool {
        !matches!(self.description().write, Writer::Nothing)
    }

    /// The format of a file, by its extension and, if several formats share it, by its text.
    pub fn of(file_name: &str, text: &str) -> Result<Self, SpaceError> {
        let ending = file_name.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
        let has_it = |format: &&Format| format.description().extensions.contains(&ending.as_str());
        let candidates: Vec<Format> = Self::ALL.iter().filter(has_it).copied().collect();
        let is_recognized =
            |format: &&Format| format.description().recognizes.is_some_and(|recognizes| recognizes(text));
        let plain = |format: &&Format| format.description().recognizes.is_none();
        let found = candidates.iter().find(is_recognized).or_else(|| candidates.iter().find(plain));
        found.copied().ok_or_else(|| {
            let mut endings: Vec<String> = Vec::new();
            for format in Self::ALL {
                let ending = format!(".{}", format.extension());
                if !endings.contains(&ending) {
                    endings.push(ending);
                }
            }
            let last = endings.pop().unwrap_or_default();
            let problem = format!("the file extension must be {} or {last}", endings.join(", "));
            Source { format: "space file", text }.fail(format!("`{file_name}`"), problem)
        })
    }

    /// Reads a space.
    pub fn read(self, text: &str) -> Result<SpaceSpec, SpaceError> {
        (self.description().read)(text)
    }

    /// Writes a space.
    pub fn write(self, space: &Space) -> Result<String, SpaceError> {
        match self.description().write {
            Writer::Spec(write) => write(space.spec()),
            Writer::Space(write) => write(space),
            Writer::Nothing => Err(self.read_only()),
        }
    }

    /// Writes a spec; it is checked first if the format only holds valid spaces.
    pub fn write_spec(self, spec: &SpaceSpec) -> Result<String, SpaceError> {
        match self.description().write {
            Writer::Spec(write) => write(spec),
            Writer::Space(write) => write(&Space::new(spec.clone())?),
            Writer::Nothing => Err(self.read_only()),
        }
    }

    fn read_only(self) -> SpaceError {
        let problem = format!("{} is read only; write TOML or JSON", self.name().to_uppercase());
        Source { format: self.name(), text: "" }.fail("output", problem)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = SpaceError;

    fn from_str(name: &str) -> Result<Self, SpaceError> {
        Self::ALL.iter().copied().find(|format| format.name() == name).ok_or_else(|| {
            let known: Vec<&str> = Self::ALL.iter().map(|format| format.name()).collect();
            let meant = question(name, known.iter().copied());
            let problem = format!("no format is called `{name}`; {meant}known are {}", known.join(", "));
            Source { format: "space file", text: "" }.fail("format", problem)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_read_back() {
        for format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(*format));
            assert_eq!(Format::ALL.iter().filter(|other| other.name() == format.name()).count(), 1);
        }
    }

    #[test]
    fn a_name_that_is_not_known_is_an_error() {
        let unknown = |name: &str| name.parse::<Format>().unwrap_err().to_string();
        assert!(unknown("tolm").contains("did you mean `toml`?"), "{}", unknown("tolm"));
        assert!(unknown("").contains("known are toml, json, configspace, pcs"), "{}", unknown(""));
        assert!("JSON".parse::<Format>().is_err(), "names are exact");
    }

    #[test]
    fn each_ending_has_one_format_that_needs_no_look_inside() {
        for format in Format::ALL {
            for ending in format.description().extensions {
                let has_it = |other: &&Format| other.description().extensions.contains(ending);
                let plain = |other: &&Format| other.description().recognizes.is_none();
                assert_eq!(Format::ALL.iter().filter(has_it).filter(plain).count(), 1, "{ending}");
            }
        }
    }

    #[test]
    fn what_is_not_a_whole_space_is_written_where_it_can_be() {
        let spec = SpaceSpec::default();
        for format in Format::ALL {
            let holds_any = matches!(format, Format::Toml | Format::Json);
            assert_eq!(format.write_spec(&spec).is_ok(), holds_any, "{format}");
        }
        let refusal = Format::Pcs.write_spec(&spec).unwrap_err().to_string();
        assert_eq!(refusal, "pcs output: PCS is read only; write TOML or JSON");
    }
}
