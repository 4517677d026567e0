"""The installer writes a configuration, and makes mistakes (O1)."""

import json
import os
import re
import signal

import pytest

PLACE = re.compile(r"^(?P<file>[^:]+):(?P<line>\d+):(?P<column>\d+): (?P<severity>error|warning) (?P<code>[a-z-]+): (?P<sentence>.+)$")


def check(site, path, status):
    run = site.programs.run("tapstile", "check-config", path, status=status)
    issues = [PLACE.match(line) for line in run.stderr.splitlines()]
    return [issue.groupdict() for issue in issues if issue and issue["severity"] == "error"], run.stderr


def changed(path, *changes):
    """The configuration with pieces of text replaced, in a file of its own."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    other = os.path.join(os.path.dirname(path), "changed.toml")
    with open(other, "w", encoding="utf-8") as file:
        file.write(text)
    return other, text.splitlines()


def test_a_configuration_in_order(site):
    path = site.configuration()
    assert check(site, path, 0)[0] == []
    said = site.programs.run("tapstile", "check-config", path, "--json").stdout.splitlines()
    assert json.loads(said[-1]) == {"file": path, "errors": 0, "warnings": 1}
    assert json.loads(said[0])["code"] == "simulated-line"


def test_ten_mistakes_are_all_named_at_once(site):
    nowhere = site.path("authority", "gates")
    # What is replaced, by what, what the line of the mistake has, and its code.
    mistakes = [
        ('id = "demo"', "id = 17", "id = 17", "wrong-type"),
        ('id = "gate-1"', 'id = "gate one"', "gate one", "bad-text"),
        (site.root, nowhere, nowhere, "not-a-file"),
        ("[store]", "[audit]\nwait-ms = 251\n\n[store]", "wait-ms", "out-of-range"),
        ('source = "installer"', 'source = "sundial"', "sundial", "bad-choice"),
        ('level = "debug"', 'levle = "debug"', "levle", "unknown-setting"),
        ("[[lane]]\n", "[[lane]]\nmethods = [0, 7]\n", "methods", "bad-choice"),
        ("line = 0", "line = 0\npulse-ms = 10", "pulse-ms", "out-of-range"),
        ('lane = "entry"', 'lane = "exit"', '"exit"', "unknown-lane"),
        ("[reader.match]\n", '[reader.match]\nserial = "X1"\n', "[reader.match]", "reader-match"),
    ]
    path, lines = changed(site.configuration(), *[(old, new) for old, new, _, _ in mistakes])
    errors, said = check(site, path, 1)
    assert {error["file"] for error in errors} == {path}
    found = [(error["code"], lines[int(error["line"]) - 1]) for error in errors]
    assert len(found) == 10, said
    for (_, _, part, code), (said_code, line) in zip(mistakes, found):
        assert said_code == code and part in line, said
    # In the order of the file.
    places = [(int(error["line"]), int(error["column"])) for error in errors]
    assert places == sorted(places)
    # The daemon says the same and ends.
    run = site.programs.run("tapstiled", "--config", path, status=1)
    assert [line for line in run.stderr.splitlines() if " error " in line] == \
        [line for line in said.splitlines() if " error " in line]


def test_a_syntax_error_stands_alone(site):
    path, lines = changed(site.configuration(), ('id = "gate-1"', 'id = "gate-1'), ('source = "installer"', 'source = "sundial"'))
    errors, said = check(site, path, 1)
    (error,) = errors
    assert error["code"] == "syntax" and 'id = "gate-1' in lines[int(error["line"]) - 1], said


def test_an_unknown_key_comes_with_a_suggestion(site):
    path, _ = changed(site.configuration(relay="pulse-ms = 400"), ("pulse-ms", "pluse-ms"))
    errors, _ = check(site, path, 1)
    assert len(errors) == 1 and 'Did you mean "pulse-ms"?' in errors[0]["sentence"]
    as_json = site.programs.run("tapstile", "check-config", path, "--json", status=1).stdout
    assert '"suggestion":"pulse-ms"' in as_json


def test_a_missing_file_and_another_ones_folder(site):
    run = site.programs.run("tapstile", "check-config", site.path("nowhere.toml"), status=1)
    assert "file-unreadable" in run.stderr


@pytest.mark.parametrize("which", ["the test's", "as delivered"])
def test_the_effective_configuration_is_a_fixed_point(site, which):
    path = site.configuration(relay="pulse-ms = 400")
    if which == "as delivered":
        root = os.path.join(os.path.dirname(__file__), "..", "..")
        with open(os.path.join(root, "Config", "tapstile.toml"), encoding="utf-8") as file:
            delivered = file.read()
        for old, new in [("/etc/tapstile/keys/gate-signing.key", site.path("authority/gates/gates/gate-signing.key")),
                         ("/etc/tapstile/keys/root.json", site.root),
                         ('#directory = "/var/lib/tapstile"', f'directory = "{site.path("state")}"')]:
            assert old in delivered
            delivered = delivered.replace(old, new)
        with open(path, "w", encoding="utf-8") as file:
            file.write(delivered)
    once = site.programs.run("tapstile", "effective-config", path).stdout
    second = site.path("effective.toml")
    with open(second, "w", encoding="utf-8") as file:
        file.write(once)
    assert site.programs.run("tapstile", "effective-config", second).stdout == once
    assert check(site, second, 0)[0] == []


class TestReload:
    def test_takes_over_what_it_may(self, site, start):
        gate = start(lane="cooldown-success-ms = 60000")
        assert site.anna.phone().tap()["result"] == "granted"
        assert site.anna.phone().tap()["reason"] == "cooldown-success"
        site.configuration(lane="cooldown-success-ms = 0", relay="pulse-ms = 300")
        assert gate.ask("reload")["result"] == "reloaded"
        gate.events.wait("configuration", result="reloaded")

    def test_keeps_the_old_one_on_error(self, site, start):
        gate = start(relay="pulse-ms = 700", lane="cooldown-success-ms = 0")
        site.configuration(relay="pulse-ms = 49")
        run = gate.run_tool("reload", status=1)
        assert "out-of-range" in run.stderr and f"{gate.configuration}:" in run.stderr
        gate.events.wait("configuration", result="refused")
        assert site.anna.phone().tap()["result"] == "granted"
        assert pulse(gate) == pytest.approx(700, abs=200)
        assert [record["reason"] for record in gate.journal() if record["kind"] == "configuration"]

    def test_a_signal_does_the_same(self, site, start):
        gate = start()
        gate.signal(signal.SIGHUP)
        gate.events.wait("configuration", result="reloaded")

    def test_says_what_needs_a_restart(self, site, start):
        gate = start()
        site.configuration(output='chip = "simulated"\nline = 5')
        run = gate.run_tool("reload", status=1)
        assert "restart-needed" in run.stderr and "lane entry" in run.stderr

    def test_leaves_a_running_pulse_untouched(self, site, start):
        """Also when the new configuration has a shorter one."""
        gate = start(relay="pulse-ms = 2500", lane="cooldown-success-ms = 0")
        mark = gate.events.mark
        assert site.anna.phone().tap()["result"] == "granted"
        gate.events.wait("relay", since=mark, energised=True)
        site.configuration(relay="pulse-ms = 100", lane="cooldown-success-ms = 0")
        gate.ask("reload")
        reloaded = gate.events.wait("configuration", since=mark, result="reloaded")
        assert pulse(gate, mark) == pytest.approx(2500, abs=500)
        assert gate.events.wait("relay", since=mark, energised=False)["time"] > reloaded["time"]
        gate.wait_for_indicator("ready")
        mark = gate.events.mark
        assert site.anna.phone().tap()["result"] == "granted"
        assert pulse(gate, mark) == pytest.approx(100, abs=100)


def pulse(gate, mark=0):
    """Milliseconds for which the relay was energised."""
    opened = gate.events.wait("relay", since=mark, energised=True)
    return gate.events.wait("relay", since=mark, energised=False)["time"] - opened["time"]
