"""What comes with the programs in a package knows the programs: man pages, completion, versions."""

import os
import re

import pytest

from processes import run

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PAGES = {"tapstiled": "man/tapstiled.8", "tapstile-nfc": "man/tapstile-nfc.8", "tapstile-net": "man/tapstile-net.8", "tapstile": "man/tapstile.1",
         "tapstile-authority": "man/tapstile-authority.1"}
COMPLETION = os.path.join(ROOT, "completion", "tapstile.bash")


def text_of(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def ask(program, *arguments):
    path = os.path.join(os.environ["TAPSTILE_BIN"], program)
    return run([path, *arguments], check=True, capture_output=True, text=True).stdout


def commands(program):
    """The commands as the help names them; none where a program does one thing."""
    return re.findall(r"^  ([a-z][a-z-]*)  ", ask(program, "--help"), re.MULTILINE)


def options(program, command=None):
    help_text = ask(program, "help", command) if command else ask(program, "--help")
    return re.findall(r"^  (--[a-z-]+)", help_text, re.MULTILINE)


def documented(page):
    """The commands and options that a page has an entry for, or names among those a command takes."""
    text = text_of(page)
    listed = re.findall(r"^\.(?:It )?Fl (-.+)$", text, re.MULTILINE)
    return (set(re.findall(r"^\.It Cm ([a-z][a-z-]*)", text, re.MULTILINE)),
            {f"-{name}" for line in listed for name in re.findall(r"(?<!\S)(-[a-z-]+)", line)})


def complete(*words):
    """What bash offers for the last of the words."""
    script = """
        . "$1"; shift
        PATH=$TAPSTILE_BIN:$PATH
        compopt() { :; }
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
        function=$(complete -p "$1" | sed -E 's/.*-F ([^ ]+) .*/\\1/')
        $function "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf '%s\\n' "${COMPREPLY[@]}"
    """
    return run(["bash", "-euc", script, "bash", COMPLETION, *words], with_children=True, check=True, capture_output=True, text=True).stdout.split()


@pytest.mark.parametrize("program", PAGES)
def test_a_man_page_has_every_command_and_option_and_no_other(program):
    named_commands, named_options = documented(PAGES[program])
    known = set(commands(program)) | ({"help"} if commands(program) else set())
    assert named_commands == known
    wanted = {"--help", "--version"}
    for command in commands(program) or [None]:
        wanted.update(options(program, command))
    assert named_options == wanted


def test_the_page_of_the_configuration_has_every_setting_with_its_default():
    reference, page = text_of("docs/configuration.md").split("## All settings")[1], text_of("man/tapstile.toml.5")
    sections = dict(re.findall(r"^\.Ss (\S+)\n(.*?)(?=^\.S[sh] )", page, re.MULTILINE | re.DOTALL))
    for section in reference.split("\n### ")[1:]:
        table = re.match(r"`([^`]+)`", section).group(1)
        if table.startswith(("[log.", "[pattern.")):
            assert f".It {table}\n" in sections[table.split(".")[0] + "]"]
            continue
        rows = re.findall(r"^\| `([^`]+)` \| .*? \| (.*?) \| .*? \|$", section, re.MULTILINE)
        entries = dict(re.findall(r"^\.It Cm (\S+)\n(.*?)(?=^\.(?:It|El))", sections[table], re.MULTILINE | re.DOTALL))
        assert list(entries) == [key for key, _ in rows], table
        for key, default in rows:
            wanted = {"**needed**": "Needed.", "–": ""}.get(default, f"Default: {default.replace('`', '')}.")
            assert wanted in entries[key], f"{table} {key}"


@pytest.mark.parametrize("page", [*PAGES.values(), "man/tapstile.toml.5"])
def test_a_man_page_is_what_groff_reads_without_complaint(page):
    shown = run(["groff", "-mandoc", "-Tutf8", "-ww", "-wel", os.path.join(ROOT, page)], with_children=True, capture_output=True, text=True,
                check=True)
    assert shown.stderr == ""
    assert "DESCRIPTION" in re.sub(r".\x08|\x1b\[[0-9;]*m", "", shown.stdout)


@pytest.mark.parametrize("program", PAGES)
def test_every_command_is_completed(program):
    offered = complete(program, "")
    for command in commands(program):
        assert command in offered
        assert command in complete(program, command[:2])
        assert command in complete(program, "help", command[:2])


@pytest.mark.parametrize("program", PAGES)
def test_every_option_is_completed(program):
    for command in commands(program):
        assert complete(program, command, "--") == options(program, command)
    if not commands(program):
        assert complete(program, "--") == options(program)


def test_what_an_option_takes_is_completed(tmp_path):
    (tmp_path / "site.toml").touch()
    (tmp_path / "office").mkdir()
    begin = str(tmp_path / "")
    assert complete("tapstile", "import", begin + "/") == [begin + "/office"]
    assert complete("tapstile", "status", "--socket", begin + "/si") == [begin + "/site.toml"]
    assert complete("tapstiled", "--config", begin + "/si") == [begin + "/site.toml"]
    assert complete("tapstile-authority", "publish", "--dir", begin + "/") == [begin + "/office"]
    assert complete("tapstile-authority", "revoke", "--token", begin + "/si") == [begin + "/site.toml"]
    assert complete("tapstile-authority", "enrol", "--use", "") == ["sign", "agree"]
    assert complete("tapstile", "journal", "--limit", "") == []


@pytest.mark.parametrize("program, command", [("tapstile", "clock"), ("tapstile-authority", "list")])
def test_words_that_a_command_takes_are_completed(program, command):
    takes = re.search(r"^  [A-Z]+  +(.*)", ask(program, "help", command), re.MULTILINE).group(1)
    offered = complete(program, command, "")
    assert offered
    for word in offered:
        assert re.search(rf"\b{word}\b", takes)
    if "," in takes:
        assert set(offered) == set(re.findall(r"[a-z-]+", takes)) - {"or"}


def test_the_packages_have_the_version_of_the_programs():
    version = ask("tapstiled", "--version").split()[1]
    assert re.match(r"tapstile \((.+?)\)", text_of("debian/changelog")).group(1) == version
    assert re.search(r"^## (\S+)", text_of("CHANGELOG.md"), re.MULTILINE).group(1) == version


def generate(tmp_path, configuration):
    """What systemd would be given at a daemon-reload: the generator as it is shipped, with its paths in a folder of the test."""
    drop_in, folder = tmp_path / "50-tapstile.conf", tmp_path / "generated"
    drop_in.touch()
    script = text_of("systemd/tapstile-generator").replace("/usr/share/tapstile/bluetooth.service.d/50-tapstile.conf", str(drop_in))
    script = script.replace("/etc/tapstile/tapstile.toml", str(tmp_path / "tapstile.toml"))
    (tmp_path / "generator").write_text(script)
    if configuration is not None:
        (tmp_path / "tapstile.toml").write_text(configuration)
    folder.mkdir(exist_ok=True)
    made = run(["/bin/sh", str(tmp_path / "generator"), str(folder), str(folder), str(folder)], capture_output=True, text=True)
    assert (made.returncode, made.stderr) == (0, "")
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir())


DROP_IN = ["bluetooth.service.d/50-tapstile.conf"]
RADIO = "name = \"air\"\nlanes = [\"entry\"]\n"
SPELLINGS = [f"[[radio]]\n{RADIO}", f"  [[ radio ]] # here\n{RADIO}", f"[[\"radio\"]]\n{RADIO}", f"\t[['radio']]\n{RADIO}",
             "radio = [{ name = \"air\", lanes = [\"entry\"] }]\n", "\"radio\"=[{ name = \"air\", lanes = [\"entry\"] }]\n"]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_bluetoothd_takes_our_settings_where_there_is_a_radio(tmp_path, spelling):
    assert generate(tmp_path, f"{spelling}\n[site]\nid = \"hill\"\n") == DROP_IN
    assert os.readlink(tmp_path / "generated" / DROP_IN[0]) == str(tmp_path / "50-tapstile.conf")


@pytest.mark.parametrize("configuration", [None, "", text_of("Config/tapstile.toml"), "[site]\nid = \"radio\"\n", "#[[radio]]\n", "[[radios]]\n",
                                           "[[lane]]\nname = \"radio\"\n"])
def test_a_gate_without_a_radio_leaves_bluetoothd_alone(tmp_path, configuration):
    assert generate(tmp_path, configuration) == []


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_the_generator_sees_the_radios_that_the_gate_sees(tmp_path, spelling):
    """The gate's own reading of each spelling: it has a radio, and says so."""
    (tmp_path / "c.toml").write_text(spelling)
    checked = run([os.path.join(os.environ["TAPSTILE_BIN"], "tapstile"), "check-config", "--json", str(tmp_path / "c.toml")],
                  capture_output=True, text=True)
    assert "unknown-lane" in checked.stdout and "unknown-setting" not in checked.stdout


def test_packages_and_the_installation_by_hand_bring_the_generator():
    assert os.access(os.path.join(ROOT, "systemd", "tapstile-generator"), os.X_OK)
    assert "systemd/tapstile-generator usr/lib/systemd/system-generators\n" in text_of("debian/tapstile.install")
    assert "/usr/lib/systemd/system-generators/tapstile-generator  755" in text_of("scripts/install")
    for path in ("debian/tapstile.install", "scripts/install"):
        assert "system/bluetooth.service.d" not in text_of(path), "what lies there is always in force"
