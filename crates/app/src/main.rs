//! The command `arbora`.
use std::process::ExitCode;

fn main() -> ExitCode {
    arbora_app::main(std::env::args_os())
}
