//! A table of scripts, run by real shells.
use super::*;
use arbora_search::Effort;
use arbora_space::{Named, Param};
use std::path::Path;
use std::process::Command;

/// Values that mean something to a shell wherever they are read as code.
const NASTY: [&str; 12] = [
    "a  b *",
    "$(touch pwned)",
    "`touch pwned`",
    "x[$(touch pwned)]",
    "'; touch pwned; '",
    "\"; touch pwned; \"",
    "\\",
    "-n",
    "line\nbreak",
    "${HOME}",
    "# no comment",
    "}) ; touch pwned",
];

fn space() -> Space {
    Space::new([
        Param::choice("c", NASTY),
        Param::integer("n", 0, 9),
        Param::real("x", 0.0, 1.0),
        Param::integer("k", 0, 9).or_none(),
    ])
    .unwrap()
}

fn parsed(script: &str) -> Result<Script, AppError> {
    Script::parse(&[script.to_owned()], &space())
}

/// What a shell prints, or nothing if there is no such shell here.
fn printed(shell: &str, script: &str, text: &str) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let values = [("c", Value::from(text)), ("n", 3.into()), ("x", 0.25.into()), ("k", 4.into())];
    let values = Named::from_iter(values);
    let env =
        TrialEnv { study: "s", trial: 7, effort: Effort::Full, folder: Path::new("f"), values: &values };
    let script = parsed(script).unwrap_or_else(|trouble| panic!("{script}: {trouble}"));
    let command = script.command();
    let output = Command::new(shell)
        .args(&command[1..])
        .envs(script.environment(&env))
        .current_dir(folder.path())
        .output()
        .ok()?;
    assert!(!folder.path().join("pwned").exists(), "{shell} ran a value: {command:?}");
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn a_value_is_one_word_wherever_it_may_stand() {
    // `%` stands for the value.
    let table = [
        ("printf '[%s]' {c}", "[%]"),
        (r#"printf '[%s]' "{c}""#, "[%]"),
        (r#"printf '[%s]' "a {c} b""#, "[a % b]"),
        (r#"printf '[%s]' a{c}b "{c}{n}""#, "[a%b][%3]"),
        (r#"printf '[%s]' "$(printf '%s.' {c})""#, "[%.]"),
        (r#"printf '[%s]' "$(printf '%s.' "{c}")""#, "[%.]"),
        (r#"x={c}; printf '[%s]' "$x""#, "[%]"),
        (r#"x="{c}" && printf '[%s]' "$x""#, "[%]"),
        (r#"export x={c}; printf '[%s]' "$x""#, "[%]"),
        ("( printf '[%s]' {c} )", "[%]"),
        ("if [ {c} = {c} ]; then printf '[%s]' {c}; fi", "[%]"),
        ("printf '[%s]' {c} 2>&1 && [ {n} -eq 3 ] && printf '[%s]' {c}", "[%][%]"),
        ("case {c} in {c}) printf '[%s]' {c};; esac", "[%]"),
        (r#"for x in {c} {c}; do printf '[%s]' "$x"; done"#, "[%][%]"),
        ("printf '[%s]' {c} # don't {c} \"\nprintf '[%s]' {c}", "[%][%]"),
        (r#"printf '[%s]' \' {c} \"{n}"#, "['][%][\"3]"),
        (r#"printf '[%s]' 'it is '"{c}"' so'"#, "[it is % so]"),
        ("cat <<E > /dev/null\nit's \"\nE\nprintf '[%s]' {c}", "[%]"),
        (r#"printf '[%s]' $(( {n} + 1 )) "$(( {n} * (2 + {n}) ))""#, "[4][15]"),
        (r#"printf '[%s]' {{}} "${{nothing:-{n}}}""#, "[{}][3]"),
    ];
    let mut tried = 0;
    for shell in ["sh", "bash"] {
        for (script, expected) in table {
            for text in NASTY {
                if let Some(out) = printed(shell, script, text) {
                    assert_eq!(out, expected.replace('%', text), "{shell}: {script} with {text:?}");
                    tried += 1;
                }
            }
        }
    }
    assert!(tried >= table.len() * NASTY.len(), "there is no shell here");
}

#[test]
fn what_cannot_be_made_safe_is_refused_by_name() {
    for (script, word) in [
        ("echo '{c}'", "single quotes"),
        ("echo '{n}'", "single quotes"),
        ("awk '{{print {n}}}'", "single quotes"),
        ("echo `echo {c}`", "backquotes"),
        ("echo \"`echo {n}`\"", "backquotes"),
        ("echo $(( {c} + 1 ))", "code"),
        ("echo \"$(( 1 + {c} ))\"", "code"),
        ("echo $[ {c} ]", "code"),
        ("(( {c} ))", "code"),
        ("echo ${{y:{c}}}", "code"),
        ("echo \"${{y:-{c}}}\"", "code"),
        ("a[{c}]=1", "code"),
        ("echo ${{a[{c}]}}", "code"),
        ("[[ {c} -eq 1 ]]", "code"),
        ("true && [[ \"{c}\" -eq 1 ]]", "code"),
        ("[[ {n} -eq 1 && {c} -eq 1 ]]", "code"),
        ("[[ ( {c} -eq 1 ) ]]", "code"),
        ("eval 2>&1 {c}", "code"),
        ("command -p eval {c}", "code"),
        ("x=$(let y={c})", "code"),
        ("let x={c}", "code"),
        ("eval \"echo {c}\"", "code"),
        ("if eval {c}; then :; fi", "code"),
        ("x=1 eval {c}", "code"),
        ("trap {c} EXIT", "code"),
        ("export {c}", "code"),
        ("declare \"{c}=1\"", "code"),
        ("[ -v {c} ]", "code"),
        ("printf -v {c} 1", "code"),
        ("cat <<E\n{c}\nE\n", "here-document"),
        ("cat <<-'E'\n{n}\n\tE\n", "here-document"),
        ("cat <<{c}\n", "here-document"),
        ("echo ${c}", "`$` stands right before"),
        ("echo \\{c}", "backslash"),
        ("echo \"\\{c}\"", "backslash"),
        ("echo $'{c}'", "differently"),
        ("echo $(case a in a) echo {c};; esac)", "case"),
        ("echo $(( {:folder} ))", "code"),
    ] {
        let refused = parsed(script).expect_err(script).to_string();
        assert!(refused.contains(word), "{script}: {refused}");
    }
    for script in ["echo $(( {n} ))", "[[ {k} -eq 1 ]]", "let y={:trial}", "./tool export {c}", "echo -v {c}"]
    {
        parsed(script).unwrap_or_else(|trouble| panic!("{script}: {trouble}"));
    }
}
