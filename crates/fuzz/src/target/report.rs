//! What a program prints on its way, through the command that users call. Whatever it is, the trial is complete with the
//! loss of the last line, and the study loads.
use super::Verdict;
use arbora_app::{Output, run};
use arbora_store::{DurableStudy, open};
use std::fs;

const SPACE: &str = "[parameters.x]\ntype = \"real\"\nlow = 0.0\nhigh = 1.0\n";

pub(super) fn reports(input: &[u8]) -> Result<Verdict, String> {
    let folder = tempfile::tempdir().map_err(|trouble| trouble.to_string())?;
    let path = |name: &str| folder.path().join(name);
    let text = |name: &str| path(name).to_string_lossy().into_owned();
    for (name, content) in [("space.toml", SPACE.as_bytes()), ("said", input)] {
        fs::write(path(name), content).map_err(|trouble| trouble.to_string())?;
    }
    let [space, storage, logs, said] = ["space.toml", "fuzz.db", "logs", "said"].map(text);
    let options = ["--storage", &storage, "--logs", &logs, "--name", "fuzz", "--strategy", "random"];
    let program = ["--trials", "1", "--quiet", "--", "sh", "-c", "cat \"$0\"; echo; echo 1", &said];
    let arguments = ["arbora", "tune", &space].into_iter().chain(options).chain(program);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = run(arguments, &mut Output::captured(&mut out, &mut err));
    if code != 0 {
        return Err(format!("exit code {code}: {}", String::from_utf8_lossy(&err)));
    }
    let store = open(&storage).map_err(|trouble| trouble.to_string())?;
    let study = DurableStudy::load(store, "fuzz").map_err(|trouble| trouble.to_string())?;
    let trial = study.trial(0).map_err(|trouble| trouble.to_string())?;
    if trial.loss() != Some(1.0) {
        return Err(format!("the loss is {:?}, not 1", trial.loss()));
    }
    Ok(if trial.intermediate.is_empty() { Verdict::Refused } else { Verdict::Accepted })
}
