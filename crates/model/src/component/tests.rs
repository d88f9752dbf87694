//! The laws of specs, on a family made for these tests.
use super::*;
use serde::Deserialize;

trait Greeting: Send + Sync {
    fn greet(&self) -> String;
}

struct Spoken(String);

impl Greeting for Spoken {
    fn greet(&self) -> String {
        self.0.clone()
    }
}

static KINDS: Kinds<dyn Greeting> = Kinds::new(BUILT_IN);
const BUILT_IN: &[Kind<dyn Greeting>] = &[Kind::of::<Hello>(), Kind::of::<Twice>()];

impl Family for dyn Greeting {
    const NAME: &'static str = "greeting";
    type Context<'a> = &'a str;
    type Error = String;
    type Facts<'a> = ();

    fn kinds() -> &'static Kinds<Self> {
        &KINDS
    }

    fn standard() -> Spec<Self> {
        Spec::new(Hello::default())
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Hello {
    marks: usize,
}

impl Default for Hello {
    fn default() -> Self {
        Self { marks: 1 }
    }
}

impl Component<dyn Greeting> for Hello {
    const KIND: &'static str = "hello";
    const ALIASES: &'static [&'static str] = &["hi"];

    fn short(name: &str) -> Option<Self> {
        (name == "loud").then_some(Hello { marks: 3 })
    }

    fn build(&self, name: &str) -> Result<Box<dyn Greeting>, String> {
        if name.is_empty() { Err("nobody is there".into()) } else { Ok(self.to(name)) }
    }
}

impl Hello {
    fn to(&self, name: &str) -> Box<dyn Greeting> {
        Box::new(Spoken(format!("hello {name}{}", "!".repeat(self.marks))))
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Twice {
    first: Spec<dyn Greeting>,
}

impl Component<dyn Greeting> for Twice {
    const KIND: &'static str = "twice";

    fn build(&self, name: &str) -> Result<Box<dyn Greeting>, String> {
        let once = self.first.build(name)?.greet();
        Ok(Box::new(Spoken(format!("{once} {once}"))))
    }
}

/// Plays a component of another crate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Silence {}

impl Component<dyn Greeting> for Silence {
    const KIND: &'static str = "silence";

    fn build(&self, _name: &str) -> Result<Box<dyn Greeting>, String> {
        Ok(Box::new(Spoken(String::new())))
    }
}

/// Uses a name that is taken.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Impostor {}

impl Component<dyn Greeting> for Impostor {
    const KIND: &'static str = "hi";

    fn build(&self, _name: &str) -> Result<Box<dyn Greeting>, String> {
        Err("never built".into())
    }
}

fn read(text: &str) -> Result<Spec<dyn Greeting>, serde_json::Error> {
    serde_json::from_str(text)
}

#[test]
fn what_was_written_is_read_to_the_same_component() {
    let nested = Spec::new(Twice { first: Spec::new(Hello { marks: 2 }) });
    let written = serde_json::to_string(&nested).unwrap();
    assert_eq!(written, r#"{"kind":"twice","first":{"kind":"hello","marks":2}}"#);
    assert_eq!(read(&written).unwrap(), nested);
    assert_eq!(nested.build("you").unwrap().greet(), "hello you!! hello you!!");
    assert_eq!(nested.build("").err().unwrap(), "nobody is there");
    assert_ne!(nested, Spec::default());
    assert_eq!(format!("{:?}", Spec::<dyn Greeting>::default()), "Hello { marks: 1 }");
}

#[test]
fn a_name_alone_stands_for_a_component() {
    for (text, marks) in [(r#""hello""#, 1), (r#""hi""#, 1), (r#"{"kind":"hi"}"#, 1), (r#""loud""#, 3)] {
        assert_eq!(read(text).unwrap(), Spec::new(Hello { marks }), "{text}");
    }
}

#[test]
fn what_cannot_be_read_is_named() {
    for (text, complaint) in [
        (r#""helo""#, "unknown greeting `helo`; did you mean `hello`? known are hello, twice"),
        (r#"{"kind":"loud"}"#, "unknown greeting `loud`"),
        (r#"{"kind":"hello","mark":1}"#, "greeting `hello`: unknown field `mark`, expected `marks`"),
        (r#"{"kind":"hello","marks":1,"marks":2}"#, "duplicate field `marks`"),
        (
            r#"{"kind":"twice","first":{"kind":"hello","marks":"x"}}"#,
            "greeting `twice`: greeting `hello`: invalid",
        ),
        (r#""twice""#, "missing field `first`"),
        (r#"{"marks":1}"#, "missing field `kind`"),
        ("3", "the name of a greeting or a table with its `kind`"),
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.contains(complaint), "{text}: {error}");
    }
}

#[test]
fn a_change_is_seen_by_one_handle_alone() {
    let first: Spec<dyn Greeting> = Spec::default();
    let mut second = first.clone();
    second.get_mut::<Hello>().unwrap().marks = 5;
    assert_eq!(first.get::<Hello>().unwrap().marks, 1);
    assert_eq!(second, Spec::new(Hello { marks: 5 }));
    assert!(second.get_mut::<Twice>().is_none() && second.get::<Twice>().is_none());
}

#[test]
fn components_of_others_can_be_named_once_registered() {
    assert_eq!(register::<dyn Greeting, Silence>(), Ok(()));
    assert_eq!(read(r#""silence""#).unwrap(), Spec::new(Silence {}));
    assert_eq!(register::<dyn Greeting, Silence>(), Ok(()), "the same one again");
    let taken = register::<dyn Greeting, Impostor>().unwrap_err();
    assert_eq!(taken.to_string(), "a greeting named `hello` already exists: choose another name");
}

fn whispering(volume: usize) -> Kind<dyn Greeting> {
    Kind::from_fn("whisper", move |name: &str| {
        Ok(Box::new(Spoken(format!("psst {name}{}", ".".repeat(volume)))) as Box<dyn Greeting>)
    })
}

#[test]
fn a_function_is_registered_while_the_program_runs() {
    let kind = whispering(3).with_summary("quietly");
    assert_eq!(register_kind(kind.clone()), Ok(()));
    assert_eq!(register_kind(kind), Ok(()), "the same one again");
    let taken = register_kind(whispering(3)).unwrap_err();
    assert_eq!(taken, KindTaken { family: "greeting", kind: "whisper".into() });
    assert!(register_kind(Kind::<dyn Greeting>::from_fn("hi", |_| Err(String::new()))).is_err());

    let spec = read(r#""whisper""#).unwrap();
    assert_eq!(spec.build("you").unwrap().greet(), "psst you...");
    assert_eq!(serde_json::to_string(&spec).unwrap(), r#"{"kind":"whisper"}"#);
    assert_eq!(read(r#"{"kind":"whisper"}"#).unwrap(), spec);
    assert_ne!(spec, Spec::default());
    assert!(spec.get::<Hello>().is_none());
    let nested = read(r#"{"kind":"twice","first":"whisper"}"#).unwrap();
    assert_eq!(nested.build("you").unwrap().greet(), "psst you... psst you...");
    let error = read(r#"{"kind":"whisper","volume":1}"#).unwrap_err().to_string();
    assert!(error.contains("greeting `whisper`: it has no settings, `volume` was given"), "{error}");
    let listed = <dyn Greeting>::kinds().registered();
    assert!(listed.iter().any(|kind| (kind.name(), kind.summary()) == ("whisper", "quietly")));
}

#[test]
fn what_is_not_registered_is_told_from_what_is_broken() {
    let problem = |text: &str| Unregistered::in_problem(&read(text).unwrap_err().to_string());
    let stranger = Some(Unregistered::new("greeting", "stranger"));
    assert_eq!(problem(r#""stranger""#), stranger);
    assert_eq!(problem(r#"{"kind":"twice","first":{"kind":"stranger","marks":2}}"#), stranger);
    for broken in [r#"{"kind":"hello","mark":1}"#, r#"{"kind":"hello","marks":"x"}"#, "3", "{"] {
        assert_eq!(problem(broken), None, "{broken}");
    }
}
