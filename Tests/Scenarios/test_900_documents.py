"""Documents tell the truth: their commands run, their links lead somewhere, what they name exists.

How a document says what is run is written in CONTRIBUTING.md."""

import functools
import json
import os
import re
import shutil
import sys
import tempfile
import tomllib
from glob import glob

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Support"))

from documents import pages as markdown  # noqa: E402
from documents import sources  # noqa: E402
from documents.machine import PROGRAMS, Machine  # noqa: E402
from documents.settings import merged, written  # noqa: E402
from gatehouse.pcscd import READER  # noqa: E402
from processes import run  # noqa: E402

PAGES = markdown.pages()
DOCS = [page for page in PAGES if page.startswith("docs/")]

# It says what the product must do one day, in words of today and of later.
REQUIREMENTS = "docs/requirements.md"
PRESENT = [page for page in PAGES if page != REQUIREMENTS]

KINDS = {"sh", "sh test", "toml", "json", "text", "cddl", "mermaid", "swift", "c", "python"}


def folder_of_programs():
    return os.environ["TAPSTILE_BIN"]


def blocks(info):
    return [pytest.param(block, id=block.place) for page in PAGES for block in markdown.blocks(page, info)]


@pytest.fixture
def folder():
    # Not pytest's folder: the name of a socket is short.
    path = tempfile.mkdtemp(prefix="tapstile-doc.")
    yield path
    shutil.rmtree(path, ignore_errors=True)


# Commands


@pytest.mark.parametrize("page", [page for page in PAGES if markdown.blocks(page, "sh test")])
def test_commands_of_a_document_work_one_after_the_other(page, pcscd, folder):
    machine = Machine(os.path.join(folder, "m"), folder_of_programs(), pcscd.environment, READER)
    try:
        for block in markdown.blocks(page, "sh test"):
            failure = machine.run(block)
            assert failure is None, failure
    finally:
        machine.close()


@pytest.mark.parametrize("block", blocks("sh"))
def test_commands_that_are_not_run_say_why(block):
    assert block.reason_not_to_run, (
        f"{block.place}: make it ```sh test, or write <!-- not run: REASON --> on the line before it")


@pytest.mark.parametrize("page", PAGES)
def test_every_block_says_what_it_is(page):
    for block in markdown.blocks(page):
        assert block.info in KINDS, f"{block.place}: ```{block.info} is none of {sorted(KINDS)}"


@pytest.mark.parametrize("block", blocks("text"))
def test_commands_do_not_hide_in_text(block):
    for number, line in enumerate(block.text.splitlines(), block.line):
        hidden = re.match(r"(\$ |#? ?sudo |make )", line) or line.split(" ", 1)[0] in PROGRAMS
        assert not hidden or re.match(r"\S+: ", line), f"{block.page}:{number}: this is a command, so ```sh"


@pytest.mark.parametrize("what, heading, stays", [([], "file", ["tapstile.toml"]), (["--office"], "file of the office", [])], ids=["gate", "office"])
def test_installing_puts_there_what_the_document_lists(what, heading, stays, folder):
    environment = {**os.environ, "DESTDIR": folder}
    run([os.path.join(sources.TOP, "scripts", "install"), *what, folder_of_programs()], with_children=True, check=True, env=environment)
    there = {"/" + os.path.relpath(os.path.join(where, name), folder) for where, _, names in os.walk(folder) for name in names}
    # The page for visitors is one thing, of many files.
    there = {re.sub("^(/usr/share/tapstile/visitor)/.*", r"\1", path) for path in there}
    listed = {cell.strip("`") for _, cell in markdown.table_column("docs/installing.md", heading)}
    assert there == listed
    run([os.path.join(sources.TOP, "scripts", "install"), *what, "--remove"], with_children=True, check=True, env=environment)
    left = [name for _, _, names in os.walk(folder) for name in names]
    assert left == stays, "what belongs to the site stays, and nothing else"


def installed_by(package):
    """What debhelper puts where, by the files that tell it."""
    def lines(kind):
        with open(os.path.join(sources.TOP, "debian", f"{package}.{kind}"), encoding="utf-8") as file:
            return file.read().split("\n")[:-1]
    for line in lines("install"):
        source, target = line.split()
        assert os.path.exists(os.path.join(sources.TOP, source))
        yield f"/{target}/{os.path.basename(source)}"
    for line in lines("manpages"):
        yield f"/usr/share/man/man{line[-1]}/{os.path.basename(line)}"
    for kind in ("sysusers", "tmpfiles"):
        if lines(kind):
            yield f"/usr/lib/{kind}.d/{package}.conf"


def test_the_package_of_the_office_brings_what_the_document_lists():
    listed = {cell.strip("`") for _, cell in markdown.table_column("docs/installing.md", "file of the office")}
    by_rules = {"/usr/bin/tapstile-authority", "/usr/share/bash-completion/completions/tapstile-authority"}
    assert listed == {*installed_by("tapstile-authority"), *by_rules}


# Options and commands by name


@functools.cache
def help_of(*words):
    """A program's or a command's help, None where there is no such command."""
    program, *command = words
    told = run([os.path.join(folder_of_programs(), program), *(["help", *command] if command else ["--help"])], capture_output=True, text=True)
    return told.stdout if told.returncode == 0 else None


@functools.cache
def commands_of(program):
    return tuple(re.findall(r"^  ([a-z][a-z-]*)  ", help_of(program), re.MULTILINE))


@functools.cache
def all_helps():
    return tuple(help_of(program, *command) for program in PROGRAMS
                 for command in [(), *((name,) for name in commands_of(program))])


def options_in(words):
    return {match.group(0) for word in words if (match := re.match(r"--[a-z][a-z0-9-]*", word))}


def complaints(text):
    """What a piece of code names that the programs do not know."""
    words = text.replace("\\\n", " ").split()
    while words and (words[0] == "sudo" or re.match(r"[A-Z]+=", words[0])):
        words = words[1:]
    if not words:
        return
    helps = None
    if words[0] in PROGRAMS:
        program, given = words[0], [word for word in words[1:] if not word.startswith("-")]
        if commands_of(program) and given and re.fullmatch(r"[a-z][a-z-]*", given[0]) and given[0] != "help":
            if given[0] not in commands_of(program):
                yield f"{program} has no command {given[0]}"
                return
            helps = [help_of(program, given[0])]
        else:
            helps = [help_of(program)]
    elif any(words[0] in commands_of(program) for program in PROGRAMS):
        helps = [help_of(program, words[0]) for program in PROGRAMS if words[0] in commands_of(program)]
    elif words[0].startswith("--"):
        helps = (*all_helps(), *sources.benchmark_options())
    elif words[0] == "make":
        for target in words[1:]:
            if re.fullmatch(r"[a-z-]+", target) and target not in sources.make_targets():
                yield f"the Makefile has no target {target}"
        return
    for option in options_in(words) if helps else ():
        if not any(re.search(rf"(?<![\w-]){option}(?![\w-])", each) for each in helps):
            yield f"{words[0]} has no option {option}"


def code_pieces(page):
    """Code spans, and the simple commands of shell blocks."""
    yield from markdown.spans(page)
    for block in markdown.blocks(page):
        if block.info in ("sh", "sh test"):
            for number, line in enumerate(block.text.splitlines(), block.line):
                for command in re.split(r"[|;&]+", line.split(" #", 1)[0].split("# ", 1)[0]):
                    yield number, command


@pytest.mark.parametrize("page", PRESENT)
def test_commands_and_options_exist(page):
    wrong = [f"{page}:{number}: {what}" for number, piece in code_pieces(page) for what in complaints(piece)]
    assert not wrong, "\n".join(wrong)


def test_readme_begins_with_the_two_commands():
    text = sources.read("README.md")
    assert re.search(r"^make demo\b.*\nmake test\b", text, re.MULTILINE)
    assert {"demo", "test"} <= sources.make_targets()


@functools.cache
def everything():
    return sources.everything()


@pytest.mark.parametrize("page", [page for page in PRESENT if "/Vectors/" not in page])
def test_names_exist(page):
    """Hyphenated words in code are names of something: of a code, an option, a package, a measurement."""
    wrong = [f"{page}:{number}: {span}" for number, span in markdown.spans(page)
             if re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)+", span) and span not in everything()]
    assert not wrong, "named nowhere else:\n" + "\n".join(wrong)


@pytest.mark.parametrize("page", PRESENT)
def test_settings_exist(page):
    settings = sources.settings()
    assert len(settings) > 30
    tables = {setting.partition(".")[0] for setting in settings}
    wrong = [f"{page}:{number}: {span}" for number, span in markdown.spans(page)
             if re.fullmatch(r"[a-z]+(\.[a-z-]+)+", span) and span.partition(".")[0] in tables
             and span not in settings and span.rpartition(".")[2] not in ("pub", "key", "db", "floor", "safe", "head", "age", "versions", "last")]
    assert not wrong, "\n".join(wrong)


# Data


@pytest.fixture(scope="module")
def keys():
    """A folder in which the paths of the shipped configuration lead to what they should."""
    program = os.path.join(folder_of_programs(), "tapstile-authority")
    path = tempfile.mkdtemp(prefix="tapstile-doc.")
    authority = os.path.join(path, "authority")
    for arguments in (["init", "--site", "example-site"], ["gate", "--name", "gates"],
                      ["publish", "init", "--repo", os.path.join(path, "repository"), "--together"]):
        run([program, *arguments, "--dir", authority], check=True, capture_output=True, text=True,
            env={**os.environ, "TAPSTILE_CLOCK_SOURCE": "installer"})
    place = os.path.join(path, "etc", "tapstile", "keys")
    os.makedirs(place)
    os.makedirs(os.path.join(path, "var", "lib", "tapstile"))
    for name in ("gate-signing.key", "gate-agreement.key"):
        shutil.copy(os.path.join(authority, "gates", "gates", name), place)
    shutil.copy(os.path.join(path, "repository", "metadata", "1.root.json"), os.path.join(place, "root.json"))
    yield path
    shutil.rmtree(path)


@pytest.mark.parametrize("block", blocks("toml"))
def test_settings_are_in_order(block, keys, folder):
    """A block is a whole configuration, or what somebody changes in the shipped one. On its own page it is a site's file."""
    if block.page == "docs/site.md":
        return site_file_is_in_order(block, folder)
    given = tomllib.loads(block.text)
    shipped = tomllib.loads(sources.read("Config/tapstile.toml"))
    shipped["store"]["directory"] = "/var/lib/tapstile"
    text = written(given if "site" in given else merged(shipped, given))
    path = os.path.join(folder, "tapstile.toml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(re.sub(r'"(/(?:etc|var)/)', rf'"{keys}\1', text))
    checked = run([os.path.join(folder_of_programs(), "tapstile"), "check-config", path], capture_output=True, text=True)
    assert checked.returncode == 0, f"{block.place}:\n{checked.stderr}"


def fresh_point():
    """The public half of a key that nobody has had before, as a site's file has it."""
    return ec.generate_private_key(ec.SECP256R1()).public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint).hex()


def site_file_is_in_order(block, folder):
    path = os.path.join(folder, "site.toml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(block.text)
    placeholders = set(re.findall(r'"(<[^"]*>)"', block.text))
    if placeholders:
        # An example that somebody copies as it is opens to nobody.
        refused = run([os.path.join(folder_of_programs(), "tapstile"), "check-site", path], capture_output=True, text=True)
        assert refused.returncode == 1 and refused.stderr.count(" error key-placeholder:") == refused.stderr.count(" error ") == len(placeholders), refused.stderr
        text = block.text
        for placeholder in placeholders:
            text = text.replace(placeholder, fresh_point())
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    checked = run([os.path.join(folder_of_programs(), "tapstile"), "check-site", path], capture_output=True, text=True)
    assert checked.returncode == 0, f"{block.place}:\n{checked.stderr}"


@pytest.mark.parametrize("block", blocks("json"))
def test_json_can_be_read(block):
    """A whole value, or one a line."""
    try:
        json.loads(block.text)
    except ValueError:
        for number, line in enumerate(block.text.splitlines(), block.line):
            try:
                json.loads(line)
            except ValueError as error:
                pytest.fail(f"{block.page}:{number}: {error}")


# Links


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page):
    for number, target in markdown.links(page):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        other = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        assert os.path.exists(os.path.join(sources.TOP, other)), f"{page}:{number}: there is no {target}"
        if anchor:
            assert anchor in markdown.anchors(other), f"{page}:{number}: {other} has no heading #{anchor}"


def test_readme_leads_to_every_document():
    reached, waiting = set(), ["README.md"]
    while waiting:
        page = waiting.pop()
        if page not in reached:
            reached.add(page)
            targets = (target.partition("#")[0] for _, target in markdown.links(page))
            waiting += [path for target in targets if target.endswith(".md")
                        and (path := os.path.normpath(os.path.join(os.path.dirname(page), target))) in PAGES]
    assert set(DOCS) <= reached


@pytest.mark.parametrize("page", PRESENT)
def test_files_of_the_repository_exist(page):
    folders = {name for name in os.listdir(sources.TOP) if os.path.isdir(os.path.join(sources.TOP, name))} - {".git", ".build"}
    floors = ["Sources", *glob("Sources/*", root_dir=sources.TOP), *glob("Sources/*/*", root_dir=sources.TOP)]
    rooms = {name for floor in floors for name in os.listdir(os.path.join(sources.TOP, floor))}
    for number, span in markdown.spans(page):
        first, slash, _ = span.partition("/")
        if not slash or not re.fullmatch(r"[\w./+-]+", span) or "NAME" in span or first not in folders | rooms:
            continue
        paths = [os.path.join(sources.TOP, where, span) for where in ([""] if first in folders else floors)]
        assert any(os.path.exists(path) or os.path.exists(path + ".swift") for path in paths), f"{page}:{number}: there is no {span}"


# Codes


def coded_cells():
    """What the tables of the documents say about codes: place and code."""
    for page in DOCS:
        for heading in ("code", "reason"):
            for number, cell in markdown.table_column(page, heading):
                for code in re.findall(r"`([^`]+)`", cell):
                    yield f"{page}:{number}", code


def test_every_code_is_explained():
    explained = {code for _, code in coded_cells()}
    families = tuple(code[:-1] for code in explained if code.endswith("-…"))
    missing = {code: path for code, path in sources.codes().items() if code not in explained and not code.startswith(families)}
    assert not missing, "in no table of docs/ with the heading `code` or `reason`: " + ", ".join(sorted(missing))


def test_every_explained_code_exists():
    known = sources.codes(inner=True)
    gone = [f"{place}: {code}" for place, code in coded_cells()
            if not (code in known or code.endswith("-…") and any(each.startswith(code[:-1]) for each in known))]
    assert not gone, "\n".join(gone)


def test_every_reason_is_explained_to_operators():
    reasons = {code for code, path in sources.codes().items() if path.endswith("/Reason.swift")}
    assert len(reasons) > 30
    table = {code for _, cell in markdown.table_column("docs/installing.md", "reason") for code in re.findall(r"`([^`]+)`", cell)}
    assert reasons <= table, sorted(reasons - table)
