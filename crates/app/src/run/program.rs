//! Is there such a program? Better asked once before a study than a hundred times in it.
use crate::error::AppError;
use std::path::Path;

/// Looks where the operating system would look.
pub(crate) fn find(program: &str) -> Result<(), AppError> {
    if cfg!(not(unix)) {
        return Ok(());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = if program.contains('/') {
        is_program(Path::new(program))
    } else {
        std::env::split_paths(&path).any(|folder| is_program(&folder.join(program)))
    };
    if found {
        Ok(())
    } else {
        Err(AppError::NoProgram { program: program.to_owned(), is_file: Path::new(program).is_file() })
    }
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}
