#!/usr/bin/env python3
"""Dependency policy: licences, banned crates, duplicate versions, and the direction between our own crates.

Reads `cargo metadata` and needs nothing else, not even the network. Exits with 1 and one line per violation.
Security advisories are looked up by cargo-deny (deny.toml).
"""
import json
import os
import re
import subprocess
import sys

LICENCES = {
    "0BSD", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "ISC", "MIT",
    "Unicode-3.0", "Unlicense", "Zlib",
}

# Nothing that compiles or links C or Fortran, but for one: SQLite, which comes as source and needs only a C compiler.
BANNED = {"bindgen", "blas-src", "cc", "cmake", "lapack-src", "openblas-src", "pkg-config"}
FOREIGN = re.compile(r"-sys$")
# The one crate that brings foreign code, and so may use what builds it.
BUNDLED = "libsqlite3-sys"
# Declarations of operating systems and JavaScript: they end in -sys but bring no foreign code.
DECLARATIONS = {"js-sys", "linux-raw-sys", "web-sys", "windows-sys"}
# `links` keys that only forbid a second copy of the crate.
HARMLESS_LINKS = {"pyo3-python", "python", "rayon-core", "wasm_bindgen", "wasm_bindgen_shared"}

# Several versions of these come with faer and with macros of others, on one platform or another; they are not ours
# to merge. An entry that no longer repeats is reported.
MAY_REPEAT = {"equator", "equator-macro", "syn", "thiserror", "thiserror-impl"}
# The first version that is allowed: one generation of random numbers.
AT_LEAST = {"rand": (0, 10)}

# Whom each of our crates may use: data flows one way.
MAY_USE = {
    "arbora-space": set(),
    "arbora-derive": set(),
    "arbora-layering": set(),
    "arbora-model": {"arbora-space"},
    "arbora-search": {"arbora-space", "arbora-model"},
    "arbora-papers": {"arbora-space", "arbora-model", "arbora-search"},
    "arbora-evaluation": {"arbora-space", "arbora-model", "arbora-search"},
    "arbora-store": {"arbora-space", "arbora-search"},
    "arbora-app": {"arbora-space", "arbora-search", "arbora-evaluation", "arbora-store", "arbora-bench", "arbora-papers"},
    "arbora-python": {
        "arbora-space", "arbora-model", "arbora-search", "arbora-evaluation", "arbora-store", "arbora-app",
        # Its statistics, for tables of the user.
        "arbora-bench", "arbora-papers",
    },
    "arbora": {"arbora-space", "arbora-derive", "arbora-model", "arbora-search", "arbora-store", "arbora-papers"},
    "arbora-bench": {"arbora-space", "arbora-model", "arbora-search", "arbora-evaluation", "arbora-papers"},
    "arbora-fuzz": {"arbora-space", "arbora-search", "arbora-store", "arbora-app", "arbora-papers"},
}
# Crates that only one of ours may import, so that their types stay behind one door.
ONLY_IN = {
    "faer": {"arbora-model"}, "pulp": {"arbora-model"}, "basin": {"arbora-model"},
    "pyo3": {"arbora-python"},
    # The app reads the files of Optuna with it, the fuzzer damages files with it.
    "rusqlite": {"arbora-store", "arbora-app", "arbora-fuzz"},
}


def metadata():
    """The resolved workspace: every feature, every platform."""
    command = [os.environ.get("CARGO", "cargo"), "metadata", "--format-version", "1", "--locked", "--all-features"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit("cargo metadata failed (see above); is Cargo.lock up to date?")
    return json.loads(done.stdout)


def allowed(expression):
    """Can the licence expression be met with allowed licences alone? AND binds tighter than OR."""
    tokens = re.findall(r"\(|\)|[^\s()]+", expression.replace("/", " OR "))
    position = 0

    def either():
        nonlocal position
        value = both()
        while position < len(tokens) and tokens[position] == "OR":
            position += 1
            value = both() or value
        return value

    def both():
        nonlocal position
        value = one()
        while position < len(tokens) and tokens[position] == "AND":
            position += 1
            value = one() and value
        return value

    def one():
        nonlocal position
        token = tokens[position]
        position += 1
        if token == "(":
            value = either()
            position += 1
            return value
        if tokens[position:position + 1] == ["WITH"]:
            token = f"{token} WITH {tokens[position + 1]}"
            position += 2
        return token in LICENCES

    return either()


def shipped(data):
    """Packages that users build: reachable from ours without passing a dev-dependency."""
    nodes = {node["id"]: node for node in data["resolve"]["nodes"]}
    found, open_ = set(), list(data["workspace_members"])
    while open_:
        package = open_.pop()
        if package in found:
            continue
        found.add(package)
        for edge in nodes[package]["deps"]:
            if any(kind["kind"] != "dev" for kind in edge["dep_kinds"]):
                open_.append(edge["pkg"])
    return found


def licence_trouble(packages):
    for package in packages:
        licence = package["license"]
        if not licence:
            yield f"{package['name']} {package['version']}: no licence is declared"
        elif not allowed(licence):
            yield f"{package['name']} {package['version']}: licence {licence} is not on the list"


def users_of(data):
    """Which packages use a package, by name, tests aside."""
    names = {package["id"]: package["name"] for package in data["packages"]}
    found = {}
    for node in data["resolve"]["nodes"]:
        for edge in node["deps"]:
            if any(kind["kind"] != "dev" for kind in edge["dep_kinds"]):
                found.setdefault(names[edge["pkg"]], set()).add(names[node["id"]])
    return found


def ban_trouble(packages, users):
    for package in packages:
        name, links = package["name"], package["links"]
        if name == BUNDLED or users.get(name) == {BUNDLED}:
            continue
        foreign = FOREIGN.search(name) and name not in DECLARATIONS
        if name in BANNED or foreign or (links and links not in HARMLESS_LINKS):
            yield f"{name} {package['version']}: builds or links foreign code, which users would need a compiler for"


def duplicate_trouble(packages):
    versions = {}
    for package in packages:
        versions.setdefault(package["name"], []).append(package["version"])
    for name, several in sorted(versions.items()):
        if len(several) > 1 and name not in MAY_REPEAT:
            yield f"{name}: {len(several)} versions ({', '.join(sorted(several))}); align the requirements"
    for name in sorted(MAY_REPEAT):
        if len(versions.get(name, ())) == 1:
            yield f"{name}: has one version now; strike it from MAY_REPEAT in scripts/check_dependencies.py"


def version_trouble(packages):
    for package in packages:
        name, version = package["name"], package["version"]
        if tuple(int(part) for part in version.split(".")[:2]) < AT_LEAST.get(name, (0, 0)):
            yield f"{name} {version}: {'.'.join(map(str, AT_LEAST[name]))} or later is wanted"


def source_trouble(packages):
    for package in packages:
        source = package["source"]
        if source and not source.startswith("registry+https://github.com/rust-lang/crates.io-index"):
            yield f"{package['name']}: comes from {source}, only crates.io and this workspace are allowed"


def direction_trouble(members):
    ours = {package["name"] for package in members}
    for package in members:
        name = package["name"]
        if name not in MAY_USE:
            yield f"{name}: say in scripts/check_dependencies.py which of our crates it may use"
            continue
        for edge in package["dependencies"]:
            used, itself = edge["name"], edge["name"] == name
            if used in ours and not itself and used not in MAY_USE[name] and edge["kind"] != "dev":
                yield f"{name} uses {used}: against the direction space <- model <- search <- store"
            if edge.get("req") == "*" and not edge.get("path"):
                yield f"{name} uses any version of {used}: name one"
            if name not in ONLY_IN.get(used, {name}):
                yield f"{name} imports {used}: only {', '.join(sorted(ONLY_IN[used]))} may"


def main():
    data = metadata()
    packages, ids = data["packages"], shipped(data)
    built = [package for package in packages if package["id"] in ids]
    members = [package for package in packages if package["id"] in set(data["workspace_members"])]
    trouble = [
        *licence_trouble(packages), *source_trouble(packages), *ban_trouble(built, users_of(data)), *duplicate_trouble(built),
        *version_trouble(packages),
        *direction_trouble(members),
    ]
    for line in trouble:
        print(line, file=sys.stderr)
    if trouble:
        sys.exit(1)
    print(f"dependency policy: {len(packages)} packages ({len(built)} shipped), {len(members)} of ours, all in order")


if __name__ == "__main__":
    main()
