//! A short campaign on every target: the corpus is read, and changed inputs break nothing.
use arbora_fuzz::{Campaign, TARGETS, target};

fn assert_holds(name: &str, inputs: usize) {
    let target = target(name).expect("a target of this name");
    let report = Campaign { seed: 20_261_118, inputs }.run(target, &mut |_| {});
    if let Some(finding) = report.findings.first() {
        let input = String::from_utf8_lossy(&finding.input);
        panic!("{name}: {} of {} inputs; {}\n{input}", report.findings.len(), report.tried, finding.problem);
    }
    assert!(report.accepted > 0, "{name}: not one input is valid: the corpus says nothing");
}

macro_rules! smoke {
    ($($test:ident: $name:literal, $inputs:literal;)*) => {
        $(#[test] fn $test() { assert_holds($name, $inputs); })*

        #[test]
        fn every_target_has_a_test() {
            let tested = [$($name),*];
            for target in &TARGETS {
                assert!(tested.contains(&target.name), "{} is not tested", target.name);
            }
        }
    };
}

smoke! {
    toml: "toml", 600;
    json: "json", 600;
    pcs: "pcs", 600;
    configspace: "configspace", 600;
    expression: "expression", 2000;
    options: "options", 1000;
    study: "study", 400;
    database: "database", 150;
    rows: "rows", 300;
    smac: "smac", 150;
    optuna: "optuna", 100;
    reports: "reports", 60;
}
