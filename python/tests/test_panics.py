"""A panic below the border is an exception of Python, and the interpreter lives on."""

import importlib.machinery
import importlib.util
import os
from pathlib import Path

import arbora
import pytest

TARGET = Path(os.environ.get("CARGO_TARGET_DIR", Path(__file__).parents[2] / "target"))


@pytest.fixture(scope="module")
def panicking():
    """The example of that name: the sources of the wheel that catch panics, and functions that
    panic."""
    built = [TARGET / "debug" / "examples" / f"libpanicking.{end}" for end in ("so", "dylib")]
    found = next((path for path in built if path.is_file()), None)
    if found is None:
        pytest.skip("`cargo build --workspace --example panicking` was not run")
    loader = importlib.machinery.ExtensionFileLoader("panicking", str(found))
    spec = importlib.util.spec_from_loader("panicking", loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


@pytest.mark.parametrize("work", ["detached", "interruptible"])
def test_a_panic_is_an_internal_error(panicking, work):
    with pytest.raises(arbora.InternalError, match="^index 3 is out of range; this is a mistake") as raised:
        getattr(panicking, work)("index 3 is out of range")
    assert raised.value.kind == "Panic" and raised.value.details == {}
    assert isinstance(raised.value, arbora.ArboraError) and isinstance(raised.value, RuntimeError)


def test_what_the_message_holds_does_not_steer_the_terminal(panicking):
    with pytest.raises(arbora.InternalError) as raised:
        panicking.detached("\x1b[31mred")
    assert "\x1b" not in str(raised.value)


def test_the_interpreter_lives_on(panicking):
    for _ in range(100):
        with pytest.raises(arbora.InternalError):
            panicking.detached("again")
    space = arbora.Space()
    space.real("x", 0, 1)
    study = arbora.Study(space, strategy="random", seed=1)
    study.tell(study.ask(), 0.5)
    assert study.best_trial.loss == 0.5
