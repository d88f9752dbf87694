//! What a program is told about its trial.
//!
//! In the environment: `ARBORA_STUDY`, `ARBORA_TRIAL`, `ARBORA_SHARE` (of an evaluation, 1 for all of it), `ARBORA_FOLD` (only where
//! one fold is wanted), `ARBORA_FOLDER`, `ARBORA_CONFIGURATION` (JSON),
//! `ARBORA_CONFIGURATION_FILE` (the same as a file), and `ARBORA_PARAM_NAME` for every active parameter, its name in
//! capitals and every other character than letters and digits as `_`. Of two names that become one, neither is set,
//! nor is a value with a NUL byte, which no variable can hold.
//! `ARBORA_REPORT_FILE` is a file for lines `arbora: step 3 loss 0.12`: see `report`.
//! `ARBORA_CLAIM` says who runs it: see `orphan`.
use arbora_search::Effort;
use arbora_space::{Named, Space, Value};
use serde_json::json;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// One trial as its program sees it.
pub(crate) struct TrialEnv<'a> {
    pub(crate) study: &'a str,
    pub(crate) trial: u64,
    pub(crate) effort: Effort,
    pub(crate) folder: &'a Path,
    /// Active parameters by name.
    pub(crate) values: &'a Named,
}

impl TrialEnv<'_> {
    pub(super) fn value(&self, name: &str) -> Option<&Value> {
        self.values.get(name)
    }

    /// The share of an evaluation that is wanted: 1 unless a strategy of shares asks for less.
    pub(super) fn share(&self) -> String {
        self.effort.share().to_string()
    }

    /// The one fold that is wanted, where a strategy races over folds.
    pub(super) fn fold(&self) -> Option<String> {
        self.effort.fold().map(|fold| fold.to_string())
    }

    pub(super) fn configuration_file(&self) -> PathBuf {
        self.folder.join("configuration.json")
    }

    /// Where a program may report on its way, if not in its output.
    pub(super) fn report_file(&self) -> PathBuf {
        self.folder.join("reports.txt")
    }

    /// The configuration as JSON: active parameters only.
    pub(super) fn configuration(&self) -> serde_json::Value {
        json!(self.values)
    }

    /// Variables to set.
    pub(super) fn environment(&self, space: &Space) -> Vec<(String, OsString)> {
        let mut set: Vec<(String, OsString)> = vec![
            ("ARBORA_STUDY".into(), self.study.into()),
            ("ARBORA_TRIAL".into(), self.trial.to_string().into()),
            ("ARBORA_SHARE".into(), self.share().into()),
            ("ARBORA_FOLDER".into(), self.folder.into()),
            ("ARBORA_CONFIGURATION".into(), self.configuration().to_string().into()),
            ("ARBORA_CONFIGURATION_FILE".into(), self.configuration_file().into()),
            ("ARBORA_REPORT_FILE".into(), self.report_file().into()),
        ];
        set.extend(self.fold().map(|fold| ("ARBORA_FOLD".into(), fold.into())));
        let variables = variables(space);
        let of = |name: &str| {
            variables.iter().find(|(_, names)| names.as_slice() == [name]).map(|(v, _)| v.clone())
        };
        let holds = |text: &String| !text.contains('\0');
        set.extend(
            self.values
                .iter()
                .filter_map(|(name, value)| Some((of(name)?, Some(value.to_string()).filter(holds)?.into()))),
        );
        set
    }
}

/// Every variable that could be set for a parameter of the space, with the names that share it.
pub(super) fn variables(space: &Space) -> BTreeMap<String, Vec<&str>> {
    let mut variables: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for parameter in &space.spec().parameters {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
        let variable = format!("ARBORA_PARAM_{}", parameter.name.chars().map(plain).collect::<String>());
        variables.entry(variable).or_default().push(&parameter.name);
    }
    variables
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbora_space::Param;

    #[test]
    fn names_become_variables_unless_two_would_be_one() {
        let reals = ["svm.C", "a-b", "a.b", "lr"].map(|name| Param::real(name, 0.0, 1.0));
        let space = Space::new(reals).unwrap();
        let values: Named = ["svm.C", "a-b", "a.b", "lr"].map(|name| (name, 0.5)).into_iter().collect();
        let env =
            TrialEnv { study: "s", trial: 3, effort: Effort::Full, folder: Path::new("f"), values: &values };
        let set = env.environment(&space);
        let names: Vec<&str> =
            set.iter().map(|(name, _)| name.as_str()).filter(|n| n.contains("PARAM")).collect();
        assert_eq!(names, ["ARBORA_PARAM_SVM_C", "ARBORA_PARAM_LR"]);
        let odd = Named::from_iter([("lr", "a\0b")]);
        let set_odd = TrialEnv { values: &odd, ..env }.environment(&space);
        assert!(
            set_odd
                .iter()
                .all(|(name, value)| name != "ARBORA_PARAM_LR" && !value.to_string_lossy().contains('\0'))
        );
        let json = set.iter().find(|(name, _)| name == "ARBORA_CONFIGURATION").unwrap();
        assert_eq!(json.1, OsString::from(r#"{"svm.C":0.5,"a-b":0.5,"a.b":0.5,"lr":0.5}"#));
    }
}
