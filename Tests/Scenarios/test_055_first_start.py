"""A board on which the package was just installed: nobody has brought keys or site data, nothing is wired."""

import os
import re

from gatehouse import Gate

ROOT = os.path.join(os.path.dirname(__file__), "..", "..")


def as_delivered(site):
    """The shipped configuration, unchanged but for the folders of this test."""
    with open(os.path.join(ROOT, "Config", "tapstile.toml"), encoding="utf-8") as file:
        text = file.read()
    for old, new in [("/etc/tapstile/keys", site.path("keys")), ('#directory = "/var/lib/tapstile"', f'directory = "{site.path("state")}"'),
                     ('#socket = "/run/tapstile/control.sock"', f'socket = "{site.path("control")}"'),
                     ('#target = "journal"', 'target = "stderr"')]:
        assert old in text
        text = text.replace(old, new)
    path = site.path("tapstile.toml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.mkdir(site.path("keys"))
    return path


def test_it_comes_up_and_names_what_is_missing(site):
    gate = Gate(site.programs, site.folder, as_delivered(site), site.path("control"))
    site.latest_gate = gate
    site.programs.run("tapstile", "check-config", gate.configuration)
    try:
        gate.start()
        gate.wait_for_reader("reader-absent")
        status = gate.status()
        # The clock of the machine that runs this test may be in order.
        assert status["clock"].get("code") in (None, "clock-not-synchronised")
        (lane,) = status["lanes"]
        assert lane["indicator"] == "fault" and lane["relay"] is False
        codes = [fault["code"] for fault in lane["faults"]]
        # On a machine that has a gpiochip0 the line may be had, or be too high a number.
        assert [code for code in codes if not code.startswith("line-")] == ["reader-absent", "gate-key-missing"]
        assert [(key["key"], key["code"]) for key in status["keys"]] == [
            ("gate.signing-key", "key-file-missing"), ("trust.root", "key-file-missing")]
        assert status["trust"]["code"] == "no-trust-data"

        # A person reads the same, each with the command that fixes it.
        said = gate.run_tool("status").stdout
        for remedy in ["tapstile-authority gate", "tapstile-authority publish init", "sudo install -o root", "sudo tapstile reload",
                     "sudo tapstile import FOLDER"]:
            assert remedy in said, said
        refused = gate.refuses_import(site.publish())
        assert refused == "trust-root-unreadable"

        # Somebody brings the keys and the site data.
        for name, place in [("gate-signing.key", site.gate_file("gate-signing.key")), ("root.json", site.root)]:
            with open(place, "rb") as source, open(site.path("keys", name), "wb") as copy:
                os.fchmod(copy.fileno(), 0o600)
                copy.write(source.read())
        assert re.search("read again", gate.run_tool("reload").stdout)
        status = gate.status()
        assert status["keys"] == []
        assert "gate-key-missing" not in [fault["code"] for fault in status["lanes"][0]["faults"]]
    finally:
        assert gate.stop() == 0, gate.log
