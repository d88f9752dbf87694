//! Files of spaces: checked, shown, converted, sampled.
#![cfg(unix)]
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests of an application use files and clocks"
)]
mod support;
use support::Bench;

#[test]
fn every_problem_is_named_with_its_line() {
    let bench = Bench::new();
    bench.run(&["space", "check", "space.toml"]).expect(0);
    bench.write(
        "bad.toml",
        "[parameters.a]\ntype = \"real\"\nlow = 3.0\nhigh = 1.0\n\n[parameters.b]\ntype = \"integer\"\nlow = 0\nhigh = 9\nlog = true\n\n\
         [parameters.m]\ntype = \"choice\"\nchoices = [\"x\", \"y\"]\n\n[parameters.c]\ntype = \"boolean\"\nwhen = { m = \"z\" }\n",
    );
    let answer = bench.run(&["space", "check", "bad.toml"]).expect(2);
    for (line, word) in [
        ("bad.toml:1:", "range is empty"),
        ("bad.toml:6:", "log scale"),
        ("bad.toml:16:", "can never be `z`"),
    ] {
        let found = answer
            .err
            .lines()
            .find(|text| text.starts_with(line))
            .unwrap_or_else(|| panic!("{line} {}", answer.err));
        assert!(found.contains(word), "{found}");
    }
    bench.write("broken.toml", "[parameters.a\n");
    assert!(bench.run(&["space", "check", "broken.toml"]).expect(2).err.contains("line 1"));
    let json = bench.run(&["space", "check", "--json", "bad.toml", "space.toml"]).expect(2).json();
    assert_eq!((&json[0]["valid"], &json[1]["valid"]), (&false.into(), &true.into()));
    bench.run(&["space", "check", "nowhere.toml"]).expect(2);
}

#[test]
fn the_tree_shows_what_belongs_where() {
    let bench = Bench::new();
    let shown = bench.run(&["space", "show", "space.toml"]).expect(0).out;
    let expected = "3 parameters (2 conditional), 2 branches, infinitely many configurations\n\n\
                    ├─ model = line\n│    a  0 … 1\n└─ model = bowl\n     b  -1 … 1\n";
    assert_eq!(shown, expected);
    bench.write(
        "two.toml",
        "forbidden = [\"scaler == 'odd'\"]\n[parameters.scaler]\ntype = \"choice\"\nchoices = [\"none\", \"box\", \"odd\"]\n\
         [parameters.size]\ntype = \"real\"\nlow = 1\nhigh = 2\nwhen = { scaler = \"box\" }\n\
         [parameters.model]\ntype = \"choice\"\nchoices = [\"svm\", \"forest\"]\n\
         [parameters.C]\ntype = \"real\"\nlow = 0.1\nhigh = 10\nlog = true\nwhen = { model = \"svm\" }\n",
    );
    let two = bench.run(&["space", "show", "two.toml"]).expect(0).out;
    let expected = "├─ scaler = none\n└─ scaler = box\n     size  1 … 2\n\n\
                    ├─ model = svm\n│    C  0.1 … 10, log\n└─ model = forest\n";
    assert!(two.contains(expected), "two trees, nothing forbidden: {two}");
    let flat = bench.run(&["space", "show", "--flat", "space.toml"]).expect(0).out;
    assert!(flat.contains("model == \"bowl\""), "{flat}");
}

#[test]
fn formats_lead_to_each_other_and_back() {
    let bench = Bench::new();
    bench.run(&["space", "convert", "space.toml", "--to", "configspace", "-o", "c.json"]).expect(0);
    bench.run(&["space", "convert", "c.json", "--to", "json", "-o", "j.json"]).expect(0);
    let back = bench.run(&["space", "convert", "j.json", "--to", "toml"]).expect(0).out;
    bench.write("back.toml", &back);
    let sample =
        |file: &str| bench.run(&["space", "sample", file, "--json", "-c", "20", "--seed", "3"]).expect(0).out;
    assert_eq!(sample("back.toml"), sample("space.toml"));
    bench.write("p.pcs", "m {x, y} [x]\nC [0.1, 10.0] [1.0]l\nC | m in {x}\n");
    bench.run(&["space", "check", "p.pcs"]).expect(0);
    assert!(
        bench.run(&["space", "convert", "p.pcs", "--to", "toml"]).expect(0).out.contains("[parameters.C]")
    );
}

#[test]
fn samples_hold_active_parameters_alone() {
    let bench = Bench::new();
    let lines = bench.run(&["space", "sample", "space.toml", "--json", "-c", "30"]).expect(0).out;
    assert_eq!(lines.lines().count(), 30);
    for line in lines.lines() {
        let drawn: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(
            (drawn.get("a").is_some(), drawn.get("b").is_some()),
            (drawn["model"] == "line", drawn["model"] == "bowl")
        );
    }
    assert_eq!(bench.run(&["space", "sample", "space.toml"]).expect(0).out.lines().count(), 6);
}

/// A line of TOML for each parameter, all whole numbers in one range.
fn whole(names: impl IntoIterator<Item = String>, low: i64, high: i64) -> String {
    let section = |name| format!("[parameters.{name}]\ntype = \"integer\"\nlow = {low}\nhigh = {high}\n");
    names.into_iter().map(section).collect()
}

#[test]
fn a_space_without_a_configuration_is_not_in_order() {
    let bench = Bench::new();
    let mut pairs = Vec::new();
    for i in 0..8 {
        pairs.extend((0..i).map(|j| format!("\"p{i} != p{j}\"")));
    }
    let pigeons = whole((0..8).map(|i| format!("p{i}")), 1, 7);
    bench.write("pigeons.toml", &format!("required = [{}]\n{pigeons}", pairs.join(", ")));
    let answer = bench.run(&["space", "check", "pigeons.toml"]).expect(2);
    assert!(answer.out.is_empty() && answer.err.contains("`required p1 != p0`"), "{}", answer.err);
    let json = bench.run(&["space", "check", "--json", "pigeons.toml"]).expect(2).json();
    assert_eq!(json[0]["valid"], false);
}

#[test]
fn whole_numbers_are_multiplied_exactly() {
    let bench = Bench::new();
    let factors = whole(["x".to_owned(), "y".to_owned()], 999_999_900, 999_999_999);
    bench.write("factors.toml", &format!("required = \"x*y == 999999866000004473\"\n{factors}"));
    assert!(bench.run(&["space", "check", "factors.toml"]).expect(0).out.contains("2 configurations"));
    let drawn = bench.run(&["space", "sample", "--json", "-c", "1", "factors.toml"]).expect(0);
    assert!(drawn.out.contains("999999929") && drawn.out.contains("999999937"), "{}", drawn.out);
}

#[test]
fn long_and_deep_files_end_well() {
    let bench = Bench::new();
    let sum = vec!["a"; 50_000].join(" + ");
    let a = whole(["a".to_owned()], 0, 10);
    bench.write("long.toml", &format!("required = \"{sum} <= 270000\"\n{a}"));
    assert!(bench.run(&["space", "check", "long.toml"]).expect(0).out.contains("6 configurations"));
    bench.run(&["ask", "long.toml", "--strategy", "random"]).expect(0);
    bench.run(&["show"]).expect(0);

    let choices: Vec<String> = (0..100_000).map(|i| format!("\"c{i}\"")).collect();
    bench.write(
        "wide.toml",
        &format!("[parameters.c]\ntype = \"choice\"\nchoices = [{}]\n", choices.join(", ")),
    );
    assert!(bench.run(&["space", "check", "wide.toml"]).expect(0).out.contains("100000 configurations"));

    let link = |i: usize| {
        let when = if i == 0 { String::new() } else { format!("when = \"b{} > 0\"\n", i - 1) };
        format!("[parameters.b{i}]\ntype = \"integer\"\nlow = 0\nhigh = 1\n{when}")
    };
    bench.write("deep.toml", &(0..1_000).map(link).collect::<String>());
    let shown = bench.run(&["space", "show", "deep.toml"]).expect(0).out;
    assert!(shown.contains("1000 branches") && shown.lines().count() > 1_000, "{shown}");
    assert!(shown.lines().all(|line| line.chars().count() < 200));
}
