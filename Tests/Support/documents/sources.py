"""What the sources say: codes, options, targets of the Makefile. Documents are held against it."""

import os
import re

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))

# Rooms whose codes nobody meets who installs or runs a gate: they name what is wrong inside one message
# (an APDU, an EDHOC message), for those who write phones, and reach a gate's operator as a `Reason`.
INNER = ("Foundations/Encoding", "Domain/PhoneProtocol", "Foundations/Cryptography/CryptographyError.swift", "Phone/VirtualPhone")

WORD = r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*"


def read(path):
    with open(os.path.join(TOP, path), encoding="utf-8") as file:
        return file.read()


def swift_files():
    for folder, _, names in os.walk(os.path.join(TOP, "Sources")):
        for name in names:
            if name.endswith(".swift"):
                yield os.path.relpath(os.path.join(folder, name), os.path.join(TOP, "Sources"))


def _codes_of(text):
    """Codes in one file: those of `var code`, of `code: "…"`, of enumerations whose raw value is the code,
    of the issues of a configuration, and those that begin a line of the log."""
    for body in re.findall(r"var code: String\?? \{\n(.*?)\n    \}", text, re.DOTALL):
        yield from re.findall(rf'"({WORD})"', body)
    yield from re.findall(rf'var code: String \{{ "({WORD})" \}}', text)
    yield from re.findall(rf'\bcode: "({WORD})"', text)
    yield from re.findall(rf'"code": "({WORD})"', text)
    yield from re.findall(rf'\bunknown: "({WORD})"', text)  # ProgramSyntax.run
    yield from re.findall(rf'\bcode \?\? "({WORD})"', text)
    yield from re.findall(rf'issues\.(?:error|warning)\(\s*"({WORD})"', text)
    yield from re.findall(rf'\brefusal\("({WORD})"', text)
    yield from re.findall(rf'\bfail\("({WORD})"', text)
    yield from re.findall(rf'\bnote\(\s*[\w.\[\]]+, "({WORD})"', text)
    yield from re.findall(rf'\bfinding\("({WORD})"', text)  # Radio
    yield from re.findall(rf'\.(?:error|warning|notice|info)\("({WORD}): ', text)
    if re.search(r"var code: String \{ (?:kind\.)?rawValue \}", text):
        for case, code in re.findall(rf'^\s+case (\w+)(?: = "({WORD})")?$', text, re.MULTILINE):
            yield code or case


def codes(inner=False):
    """Every stable code in the sources, with the file that has it. Without `inner`: those that somebody
    who installs or runs a gate may read."""
    found = {}
    texts = {path: read(os.path.join("Sources", path)) for path in swift_files()}
    # The cases of the catalogue lie in one file, their `code` in another.
    reasons = "Domain/Credentials/Verification/Reason.swift"
    texts[reasons] += "\n    var code: String { rawValue }\n"
    for path, text in texts.items():
        if inner or not path.startswith(INNER):
            for code in _codes_of(text):
                found.setdefault(code, path)
    return found


def _text_below(*folders):
    for top in folders:
        for folder, _, names in os.walk(os.path.join(TOP, top)):
            for name in names:
                if not name.endswith(".pyc"):
                    yield read(os.path.join(folder, name))


def benchmark_options():
    """The benchmarks are not built for every test, so their help cannot be asked."""
    text = "".join(_text_below("Benchmarks"))
    return {f"--{name}" for name in re.findall(r'\.(?:flag|value)\(\s*"([a-z-]+)"', text)}


def everything():
    """Sources, shipped files, scripts and the names of fuzzers as one text: where what a document names must occur."""
    fuzzers = [name.removesuffix(".swift") for name in os.listdir(os.path.join(TOP, "Fuzzing", "Targets"))]
    return "\n".join([*_text_below("Sources", "Benchmarks", "Config", "scripts", "systemd", "udev"), *fuzzers])


def settings():
    """Every setting, as `table.key` (docs/configuration.md is made from the schema)."""
    table, found = None, set()
    for line in read("docs/configuration.md").splitlines():
        if heading := re.match(r"### `\[+([a-z.-]+)\]+`", line):
            table = heading.group(1)
        elif table and (row := re.match(r"\| `([a-z-]+)` \|", line)):
            found.add(f"{table}.{row.group(1)}")
    return found


def make_targets():
    return set(re.findall(r"^([a-z-]+):", read("Makefile"), re.MULTILINE))
