//! File formats for spaces: the project's own TOML and JSON, `ConfigSpace` JSON, and the PCS files
//! of algorithm configuration.
//!
//! Laws: reading never panics, whatever the text; a written spec reads back as the same
//! [`SpaceSpec`] (expressions come back as their text); every error names its line and column or
//! its path. A new format is one file with its `FORMAT` and a line in the list of `formats`.
//!
//! ```
//! use arbora_space::Space;
//! let space = Space::from_toml(r#"
//!     [parameters.model]
//!     type = "choice"
//!     choices = ["svm", "forest"]
//!
//!     [parameters.C]
//!     type = "real"
//!     low = 1e-5
//!     high = 1e5
//!     log = true
//!     when = { model = "svm" }
//! "#)?;
//! assert_eq!(Space::from_json(&space.to_json()?)?.spec(), space.spec());
//! # Ok::<(), arbora_space::SpaceError>(())
//! ```
mod configspace;
mod description;
mod document;
mod formats;
mod json;
mod json_tree;
mod node;
mod pcs;
mod toml;
mod view;

pub use formats::Format;
pub use node::DocumentNode;

#[cfg(doc)]
use crate::SpaceSpec;
