//! Files that users name.
use crate::error::AppError;
use arbora_space::Space;
use arbora_space::format::Format;
use std::path::Path;

/// The text of a file.
pub(crate) fn read(path: &Path) -> Result<String, AppError> {
    std::fs::read_to_string(path)
        .map_err(|trouble| AppError::Unreadable { path: path.into(), problem: trouble.to_string() })
}

/// Writes a file whole.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), AppError> {
    std::fs::write(path, bytes)
        .map_err(|trouble| AppError::Unwritable { path: path.into(), problem: trouble.to_string() })
}

/// The space in a file of any format that is known.
pub(crate) fn space(path: &Path) -> Result<Space, AppError> {
    let text = read(path)?;
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let read = Format::of(&name, &text).and_then(|format| format.read(&text)).and_then(Space::new);
    read.map_err(|problem| AppError::BadSpace { path: path.into(), problem })
}
