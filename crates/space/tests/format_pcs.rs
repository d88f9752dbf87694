//! PCS files, old and new, and their errors.
use arbora_space::{Param, Space, SpaceError, SpaceSpec, Value};
use proptest::prelude::*;

const OLD: &str = "\
# a comment
@1:loops [1, 99] [4]i
sp-rate [0.001, 1.0] [0.01]l     # log scale
width [1, 1024] [16]il
offset [-1.5, 2e1] [0]
\"heur\" {none, 1, 2} ['1']
Conditionals:
sp-rate | heur in {1, 2}
width | heur in {1}
width | @1:loops in {4, 5}
Forbidden:
{heur=none, @1:loops=99}
";

const NEW: &str = "\
solver categorical {cg, lu-fast, qr} [cg]
size ordinal {small, medium, large} [medium]
steps integer [1, 1000] [10] log
tol real [1e-8, 0.1] [1e-4] log
a real [0, 10] [1]
b real [0, 10] [2]
log integer [0,3] [0]
level categorical {0.5, 1, 2} [1]

tol | solver == cg && steps > 5 || size != small
a | steps < 100
{solver=qr, size=large}
{a + 2 * b > 25 && solver == lu-fast}
{level == 2 || log >= 3}
{sqrt(a) - b < -9.5}
";

fn text(when: &[arbora_space::ExpressionSource]) -> Vec<String> {
    when.iter().map(ToString::to_string).collect()
}

#[test]
fn the_old_format_is_read() {
    let spec = SpaceSpec::from_pcs(OLD).unwrap();
    let declared = [
        Param::integer("@1:loops", 1, 99).default(4),
        Param::real("sp-rate", 0.001, 1.0).log().default(0.01),
        Param::integer("width", 1, 1024).log().default(16),
        Param::real("offset", -1.5, 20.0).default(0.0),
        Param::choice("heur", ["none", "1", "2"]).default("1"),
    ];
    for (found, declared) in spec.parameters.iter().zip(&declared) {
        assert_eq!(&Param { when: Vec::new(), ..found.clone() }, declared);
    }
    assert_eq!(spec.parameters.len(), declared.len());
    assert_eq!(text(&spec.parameters[1].when), ["heur in [\"1\", \"2\"]"]);
    assert_eq!(text(&spec.parameters[2].when), ["heur in [\"1\"]", "`@1:loops` in [4, 5]"]);
    assert_eq!(text(&spec.forbidden), ["heur in [\"none\"] and `@1:loops` in [99]"]);
    Space::new(spec).unwrap();
}

#[test]
fn the_new_format_is_read() {
    let spec = SpaceSpec::from_pcs(NEW).unwrap();
    assert_eq!(spec.parameters[1], Param::ordinal("size", ["small", "medium", "large"]).default("medium"));
    assert_eq!(spec.parameters[2], Param::integer("steps", 1, 1000).log().default(10));
    assert_eq!(text(&spec.parameters[3].when), ["(solver == \"cg\" and steps > 5) or size != \"small\""]);
    assert_eq!(text(&spec.parameters[4].when), ["steps < 100"]);
    assert_eq!(
        text(&spec.forbidden),
        [
            "solver in [\"qr\"] and size in [\"large\"]",
            "a + 2 * b > 25 and solver == \"lu-fast\"",
            "level == \"2\" or `log` >= 3",
            "sqrt(a) - b < -9.5",
        ]
    );
    let space = Space::new(spec).unwrap();
    let dense = |solver: &str, a: f64, b: f64| {
        let values: [(&str, Value); 5] = [
            ("solver", solver.into()),
            ("steps", 9.into()),
            ("a", a.into()),
            ("b", b.into()),
            ("level", "1".into()),
        ];
        space.canonical(values).map(|_| ())
    };
    assert_eq!(dense("cg", 9.0, 9.0), Ok(()));
    assert!(matches!(dense("lu-fast", 9.0, 9.0), Err(SpaceError::ForbiddenConfiguration { .. })));
    assert!(matches!(dense("cg", 0.0, 9.6), Err(SpaceError::ForbiddenConfiguration { .. })));
}

#[test]
fn mistakes_name_the_line() {
    for (text, message) in [
        ("x real [0, 1] [0.5]\ny real [0, one] [0]", "pcs line 2: expected a number, found `one`"),
        ("x integer [0.5, 1] [1]", "pcs line 1: expected a whole number, found `0.5`"),
        ("x real [0, 1]", "pcs line 1: expected `[` or `{`, found ``"),
        ("x real [0, 1] [0.5", "pcs line 1: `[0.5` has no closing `]`"),
        ("x real {0, 1} [0.5]", "pcs line 1: `real` needs [low, high] [default], found `{0, 1} [0.5]`"),
        ("x rael [0, 1] [0.5]", "pcs line 1: `rael` is not a type; did you mean `real`?"),
        ("x [0, 1, 2] [0.5]", "pcs line 1: a range is [low, high], found [0, 1, 2]"),
        ("x [0, 1] [0.5]q", "pcs line 1: unknown flag `q`"),
        ("x {a, b} [a] log", "pcs line 1: unexpected `log` after the default"),
        ("[0, 1] [0.5]", "pcs line 1: a parameter without a name"),
        ("what", "pcs line 1: `what` is not a parameter, condition or forbidden clause"),
        ("x {a, b} [a]\ny {a, b} [a]\ny | z in {a}", "pcs line 3: no parameter is called `z`"),
        ("depth {a, b} [a]\ny {a, b} [a]\ny | dpeth == a", "did you mean `depth`?"),
        ("x {a, b} [a]\ny | x in {a}", "pcs line 2: no parameter is called `y`"),
        ("x {a, b} [a]\ny {a, b} [a]\ny | x in a", "pcs line 3: cannot read `x in a`"),
        ("x [0, 1] [0]\ny {a, b} [a]\ny | x > a", "pcs line 3: expected a number, found `a`"),
        ("x [0, 1] [0]\n{x=1", "pcs line 2: `{x=1` has no closing `}`"),
        ("x [0, 1] [0]\n{}", "pcs line 2: the forbidden clause is empty"),
        ("x [0, 1] [0]\n{z=1}", "pcs line 2: no parameter is called `z`"),
        ("x [0, 1] [0]\n{sin(x) > 0.5}", "pcs line 2: unknown function `sin`"),
        ("x [0, 1] [0]\n{x ^ 2 > 0.5}", "pcs line 2: cannot read"),
    ] {
        let error = SpaceSpec::from_pcs(text).unwrap_err();
        assert!(matches!(error, SpaceError::Format { format: "pcs", .. }), "{error:?}");
        assert!(error.to_string().contains(message), "{text}\n{error}");
    }
}

proptest! {
    #[test]
    fn no_text_makes_a_panic(text in any::<String>(), line in "[a-z\\[\\]{}|=<>&!,. 0-9\\n-]{0,60}") {
        let _ = (Space::from_pcs(&text), Space::from_pcs(&line));
    }

    #[test]
    fn no_damage_makes_a_panic(at in 0..NEW.len(), gone in 0usize..12, new in "[\\[\\]{}|=<>&!,. a-z0-9\\n-]{0,6}") {
        let end = (at + gone).min(NEW.len());
        let damaged = format!("{}{new}{}", &NEW[..at], &NEW[end..]);
        if let Ok(spec) = SpaceSpec::from_pcs(&damaged) {
            let mut names: Vec<&str> = spec.parameters.iter().map(|p| p.name.as_str()).collect();
            names.sort_unstable();
            names.dedup();
            prop_assert_eq!(spec.to_toml().is_ok(), names.len() == spec.parameters.len());
            let _ = Space::new(spec);
        }
    }
}
