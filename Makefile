# Everything a developer does, by name. `make` alone lists it.
# Needed: cargo (Rust 1.95 or later) and python3 (3.10 or later, with venv).

CARGO   ?= cargo
PYTHON  ?= python3
VENV    := .venv
PEERS   := .venv-peers
CONFIGSPACE := 1.2.2
# Examples that answer the questions of scripts/crosscheck.
ANSWERING := believe pipe score significance vote

.DEFAULT_GOAL := help
# The wheel is built again when one of these is newer.
WHEEL_SOURCES := Cargo.lock Cargo.toml $(shell find crates python -path '*/target' -prune -o \( -name '*.rs' -o -name '*.toml' -o -path '*/package/*.py' -o -name '*.pyi' \) -print)

DATA    ?= $(or $(wildcard ../shared/datasets),bundled)
JOBS    ?= 2

MINUTES ?= 60
# Tests run side by side where cargo-nextest is installed; examples in the documentation always by cargo itself.
ifneq ($(shell command -v cargo-nextest),)
UNIT    := $(CARGO) nextest run --workspace --locked && $(CARGO) test --workspace --doc --locked
else
UNIT    := $(CARGO) test --workspace --locked
endif

.PHONY: help setup wheel demo papers test lint text policy format clippy unit python docs configspace crosscheck
.PHONY: torture torture-smoke fuzz deny measure bench bench-peers clean tools

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(VENV)/ready ## the release wheel with the command `arbora`, installed into .venv

$(VENV)/ready: $(WHEEL_SOURCES) | tools
	@test -x $(VENV)/bin/python || $(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet "maturin>=1.8,<2"
	rm -rf target/wheels
	$(VENV)/bin/maturin build --quiet --release --locked --manifest-path python/Cargo.toml --out target/wheels
	$(VENV)/bin/pip install --quiet --force-reinstall --no-deps target/wheels/*.whl
	@touch $@

wheel: tools ## a wheel for others in target/dist, for Linux of 2014 and later (downloads the zig compiler once)
	@test -x $(VENV)/bin/python || $(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet "maturin>=1.8,<2" ziglang
	rm -rf target/dist
	PATH="$(CURDIR)/$(VENV)/bin:$$PATH" $(VENV)/bin/maturin build --quiet --release --locked --zig --compatibility manylinux_2_17 \
		--manifest-path python/Cargo.toml --out target/dist

demo: setup ## a tour on real data: choose a learner and its parameters, in a minute or two
	@$(VENV)/bin/python -c 'import sklearn' 2>/dev/null || $(VENV)/bin/pip install --quiet scikit-learn
	$(VENV)/bin/arbora demo

papers: setup ## runs what is missing of the papers' experiments, at idle priority (hours; Ctrl-C any time)
	@$(VENV)/bin/python -c 'import sklearn' 2>/dev/null || $(VENV)/bin/pip install --quiet scikit-learn
	$(PYTHON) scripts/papers.py --arbora $(VENV)/bin/arbora --python $(VENV)/bin/python --data $(DATA) --jobs $(JOBS) $(ONLY)

test: lint unit docs configspace python crosscheck torture-smoke ## everything that must hold before a change lands
	@echo "all checks passed"

lint: text policy format clippy ## text, dependency policy, formatting, lints

text: tools ## no addresses of package mirrors, no paths of one machine, no unfinished code
	@cd scripts && $(PYTHON) -B -m unittest --quiet test_scripts test_measure
	$(PYTHON) scripts/check_text.py

policy: tools ## licences, banned crates, direction between our crates
	$(PYTHON) scripts/check_dependencies.py

format: tools ## formatting (cargo fmt --all mends it)
	$(CARGO) fmt --all --check

clippy: tools ## lints of all targets, warnings denied
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings

unit: tools ## tests and examples in documentation
	$(UNIT)

python: setup ## tests, examples and types of the Python package, on the wheel
	@$(VENV)/bin/python -c 'import ipykernel, matplotlib, mypy, nbconvert, pandas, pytest, sklearn' 2>/dev/null \
		|| $(VENV)/bin/pip install --quiet ipykernel matplotlib mypy nbconvert pandas pytest scikit-learn
	$(CARGO) build --quiet --workspace --locked --example panicking
	cd python && ../$(VENV)/bin/python -m pytest tests --pyargs arbora

docs: tools ## documentation, warnings denied
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked

configspace: tools ## spaces agree with the ConfigSpace package, in both directions
ifneq ($(wildcard scripts/configspace_check.py),)
	@test -x $(VENV)/bin/python || $(PYTHON) -m venv $(VENV)
	@$(VENV)/bin/python -c 'import ConfigSpace, sys; sys.exit(ConfigSpace.__version__ != "$(CONFIGSPACE)")' 2>/dev/null \
		|| $(VENV)/bin/pip install --quiet ConfigSpace==$(CONFIGSPACE)
	$(CARGO) build --quiet --locked -p arbora-space --example space_file
	$(VENV)/bin/python scripts/configspace_check.py target/debug/examples/space_file
else
	@echo "scripts/configspace_check.py is not there: nothing to compare"
endif

crosscheck: tools ## our mathematics agrees with that of others (downloads 100 MB once)
	@test -x $(VENV)/bin/python || $(PYTHON) -m venv $(VENV)
	@$(VENV)/bin/python -c 'import cmaes, hyperopt, mpmath, optuna, scipy, sklearn' 2>/dev/null \
		|| $(VENV)/bin/pip install --quiet cmaes hyperopt mpmath optuna scipy scikit-learn
	$(CARGO) build --quiet --workspace --locked $(addprefix --example ,$(ANSWERING))
	$(VENV)/bin/python -B scripts/crosscheck target/debug/examples

torture: setup ## kills, interrupts, damaged files, many processes: an hour of attacks, counted (MINUTES=, ONLY=)
	$(VENV)/bin/python -B scripts/torture --arbora $(VENV)/bin/arbora --minutes $(MINUTES) $(ONLY)

torture-smoke: setup ## the same attacks for two minutes, each at least once
	@test -z "$(CI)" || ls /usr/lib/*/faketime >/dev/null 2>&1 || apt-get install --quiet --yes libfaketime >/dev/null 2>&1 || true
	$(VENV)/bin/python -B scripts/torture --arbora $(VENV)/bin/arbora --minutes 2

fuzz: tools ## changed inputs for every reader, for MINUTES= (ONLY= names targets); findings go to target/fuzz
	$(CARGO) run --release --locked -p arbora-fuzz -- --minutes $(MINUTES) $(ONLY)

deny: tools ## security advisories (needs cargo-deny and the network)
	@command -v cargo-deny >/dev/null || { echo "cargo-deny is missing: cargo install --locked cargo-deny" >&2; exit 1; }
	$(CARGO) deny --locked check advisories

measure: ## sizes of files and functions, documentation, tests, rings of imports
	@$(PYTHON) -B scripts/measure_code

bench: tools ## speed of spaces, models and suggestions
	$(CARGO) bench --workspace --benches --locked

bench-peers: $(PEERS)/ready ## speed of one suggestion of other tools (downloads 6 GB once)
	$(PEERS)/bin/python benchmarks/peers/latency.py

$(PEERS)/ready: benchmarks/peers/requirements.txt
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/pip install --quiet --requirement $<
	@touch $@

clean: ## remove everything that was built
	$(CARGO) clean
	rm -rf $(VENV) $(PEERS)

tools:
	@command -v $(CARGO) >/dev/null || { echo "$(CARGO) is missing: install Rust 1.95 or later from https://rustup.rs" >&2; exit 1; }
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) is missing: install Python 3.10 or later" >&2; exit 1; }
