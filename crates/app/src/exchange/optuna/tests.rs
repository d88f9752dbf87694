//! Files written by Optuna itself: see `tests/data`.
use super::*;
use arbora_search::Direction;
use arbora_space::Value;
use rusqlite::Connection;
use std::path::PathBuf;
use tempfile::TempDir;

const VERSIONS: [&str; 2] = [
    include_str!("../../../tests/data/optuna-3.1.1.sql"),
    include_str!("../../../tests/data/optuna-5.0.0.sql"),
];

fn file(script: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("optuna.db");
    Connection::open(&path).unwrap().execute_batch(script).unwrap();
    (folder, path)
}

fn imported(script: &str) -> Imported {
    let (_folder, path) = file(script);
    read(&path, None, None).unwrap()
}

#[test]
fn conditions_are_found_in_the_trials() {
    for script in VERSIONS {
        let space = imported(script).space;
        let when = |name: &str| {
            let found = space.spec().parameters.iter().find(|parameter| parameter.name == name).unwrap();
            found.when.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ")
        };
        let found = ["model", "kernel", "svm.C", "gamma", "layers", "units0", "units1", "units2"].map(when);
        let expected = [
            "",
            "model in [\"svm\"]",
            "model in [\"svm\"]",
            "kernel in [\"rbf\"]",
            "model in [\"forest\"]",
            "model in [\"forest\"]",
            "layers > 1",
            "layers > 2",
        ];
        assert_eq!(found, expected);
    }
}

#[test]
fn every_trial_that_ended_comes_with_its_values() {
    for script in VERSIONS {
        let imported = imported(script);
        assert_eq!((imported.name.as_str(), imported.direction), ("cash", Direction::Minimize));
        assert_eq!((imported.results.len(), imported.left_out.len()), (40, 0));
        let values = imported.results.iter().filter_map(|(configuration, telling)| match telling.report {
            Report::Value(value) => Some((value, configuration)),
            _ => None,
        });
        let (best, configuration) = values.clone().min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        // As Optuna's own `best_value` and `best_params` say.
        assert_eq!(best, 0.773_428_352_948_542_8);
        let expected = [
            ("model", Value::from("svm")),
            ("kernel", "linear".into()),
            ("svm.C", 0.226_571_647_051_457_16.into()),
        ];
        assert_eq!(imported.space.named(configuration), expected.into_iter().collect());
        // Of 40 trials 12 have an infinite value, one failed and one was pruned: no values.
        assert_eq!(values.count(), 26);
        let pruned = imported.results.iter().filter(|(_, told)| matches!(told.report, Report::Pruned(_)));
        assert_eq!(pruned.count(), 1);
        let with_attribute = imported.results.iter().filter(|(_, telling)| !telling.attributes.is_empty());
        assert!(with_attribute.count() > 5);
    }
}

#[test]
fn what_no_parameter_explains_is_an_error() {
    let (_folder, path) = file(VERSIONS[1]);
    let lone = "UPDATE trial_params SET param_name = 'odd' WHERE param_id IN (SELECT MAX(param_id) FROM trial_params p
        JOIN trials t USING (trial_id) WHERE t.state = 'COMPLETE' AND param_name = 'units0')";
    Connection::open(&path).unwrap().execute_batch(lone).unwrap();
    let trouble = read(&path, None, None).err().unwrap().to_string();
    assert!(trouble.contains("explains when") && trouble.contains("--space"), "{trouble}");
}

#[test]
fn other_files_are_refused_in_words() {
    let (_folder, path) = file("CREATE TABLE t (x)");
    let trouble = read(&path, None, None).err().unwrap().to_string();
    assert!(trouble.contains("not a file of Optuna"), "{trouble}");
    let (_folder, path) = file(VERSIONS[1]);
    let trouble = read(&path, Some("other"), None).err().unwrap().to_string();
    assert!(trouble.contains("`other`") && trouble.contains("cash"), "{trouble}");
}
