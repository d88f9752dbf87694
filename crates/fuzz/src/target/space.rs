//! Readers of spaces. What they accept survives writing and reading in both formats of our own, and every
//! configuration drawn from it is one of its configurations.
use super::Verdict;
use arbora_space::{Expression, Rng, Space, SpaceError, SpaceSpec};

pub(super) fn toml(input: &[u8]) -> Result<Verdict, String> {
    read(input, SpaceSpec::from_toml)
}

pub(super) fn json(input: &[u8]) -> Result<Verdict, String> {
    read(input, SpaceSpec::from_json)
}

pub(super) fn pcs(input: &[u8]) -> Result<Verdict, String> {
    read(input, SpaceSpec::from_pcs)
}

pub(super) fn configspace(input: &[u8]) -> Result<Verdict, String> {
    read(input, SpaceSpec::from_configspace)
}

pub(super) fn expression(input: &[u8]) -> Result<Verdict, String> {
    let Ok(text) = str::from_utf8(input) else { return Ok(Verdict::Refused) };
    let Ok(parsed) = text.parse::<Expression>() else { return Ok(Verdict::Refused) };
    let written = parsed.to_string();
    match written.parse::<Expression>() {
        Ok(again) if again.to_string() == written => Ok(Verdict::Accepted),
        Ok(again) => Err(format!("`{written}` is read as `{again}`")),
        Err(trouble) => Err(format!("what was written cannot be read: {trouble}")),
    }
}

fn read(input: &[u8], reader: fn(&str) -> Result<SpaceSpec, SpaceError>) -> Result<Verdict, String> {
    let Ok(text) = str::from_utf8(input) else { return Ok(Verdict::Refused) };
    let Ok(space) = reader(text).and_then(Space::new) else { return Ok(Verdict::Refused) };
    survives(&space, "JSON", Space::to_json, Space::from_json)?;
    survives(&space, "TOML", Space::to_toml, Space::from_toml)?;
    draws(&space)?;
    Ok(Verdict::Accepted)
}

fn survives(
    space: &Space,
    format: &str,
    write: fn(&Space) -> Result<String, SpaceError>,
    read: fn(&str) -> Result<Space, SpaceError>,
) -> Result<(), String> {
    let text = write(space).map_err(|trouble| format!("cannot be written as {format}: {trouble}"))?;
    let again = read(&text).map_err(|trouble| format!("written as {format}, cannot be read: {trouble}"))?;
    let second =
        write(&again).map_err(|trouble| format!("cannot be written again as {format}: {trouble}"))?;
    if text == second {
        Ok(())
    } else {
        Err(format!("{format} changes from writing to writing:\n{text}\n{second}"))
    }
}

/// Sampling may give up, with an error; what it returns is valid.
fn draws(space: &Space) -> Result<(), String> {
    let mut rng = Rng::new(7);
    for _ in 0..3 {
        let Ok(drawn) = space.sample(&mut rng) else { return Ok(()) };
        match space.configuration(space.named(&drawn)) {
            Ok(again) if again == drawn => {}
            Ok(_) => return Err("a drawn configuration is read as another".to_owned()),
            Err(trouble) => return Err(format!("a drawn configuration is invalid: {trouble}")),
        }
    }
    Ok(())
}
