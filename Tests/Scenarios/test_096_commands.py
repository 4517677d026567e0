"""What phones do beside passing (A1): what the lane's installer has listed, by hand, and below operators."""

import pytest

from patience import wait_until

COMMANDS = """
cooldown-success-ms = 0
cooldown-failure-ms = 0
[[lane.command]]
name = "tokn"
action = "pass"
[[lane.command]]
name = "hold"
action = "hold-open"
minutes = 5
second-factor = false
[[lane.command]]
name = "lock"
action = "lock-down"
[[lane.command]]
name = "usual"
action = "normal"
second-factor = false
[[lane.command]]
name = "arm"
action = "on"
output = "panel"
second-factor = false
[[lane.output]]
name = "panel"
chip = "simulated"
line = 30
restore = true
"""


@pytest.fixture
def gate(site, start):
    gate = start(lane=COMMANDS)
    site.anna.give_token("--scope", "tokn hold lock usual arm maintenance", "--user-verified")
    return gate


def run(site, command, *options):
    return site.anna.phone("--command", command, "--manual", *options).tap()["reason"]


def mode(gate):
    return {name: gate.ask("lane", "entry")["mode"][name] for name in ("mode", "source")}


def test_a_phone_holds_a_lane_open_over_a_restart_and_ends_it(site, gate):
    mark = gate.events.mark
    assert run(site, "hold") == "granted"
    gate.events.wait("relay", since=mark, energised=True)
    assert gate.events.wait("result", since=mark)["command"] == "hold"
    assert mode(gate) == {"mode": "held-open", "source": "phone"}
    (outcome,) = [record for record in gate.journal("--kind", "outcome") if record["detail"]["command"] == "hold"]
    assert (outcome["subject"], outcome["detail"]["action"]) == ("anna", "hold-open")
    path = site.path("hold.evidence")
    gate.ask("journal", "export-evidence", outcome["sequence"], "--out", path)
    audit = site.path("audit.pub")
    gate.ask("journal", "audit-key", "--out", audit)
    report = site.programs.json("tapstile-authority", "verify-evidence", path, "--dir", site.path("authority"), "--audit-key", audit)
    assert (report["holds"], report["record"]["command"], report["record"]["action"]) == (True, "hold", "hold-open")
    assert any("hold-open" in check["sentence"] for check in report["checks"])
    gate.kill()
    gate.start()
    gate.wait_for_reader()
    assert mode(gate) == {"mode": "held-open", "source": "phone"}
    assert run(site, "usual") == "granted"
    assert mode(gate) == {"mode": "normal", "source": "standard"}


def test_what_an_operator_has_ordered_stays(site, gate):
    gate.ask("lane", "entry", "hold-open")
    for command in ("lock", "usual", "hold"):
        assert run(site, command) == "lane-closed"
    assert mode(gate) == {"mode": "held-open", "source": "operator"}
    gate.ask("lane", "entry", "normal")
    assert run(site, "lock") == "granted"
    assert mode(gate) == {"mode": "locked-down", "source": "phone"}
    for command in ("tokn", "usual", "arm"):
        assert run(site, command) == "lane-closed"
    assert gate.ask("lane", "entry", "normal")["mode"] == {"mode": "normal", "source": "standard"}


def test_an_output_is_switched_and_is_so_after_a_restart(site, gate):
    def panel():
        (output,) = gate.ask("lane", "entry")["outputs"]
        return output["on"]

    mark = gate.events.mark
    assert run(site, "arm") == "granted"
    assert gate.events.wait("output", since=mark, output="panel")["on"] is True
    assert gate.events.since(mark, "relay") == []
    assert panel() is True
    (output,) = gate.ask("lane", "entry")["outputs"]
    assert output["by"] == "phone"
    said = gate.run_tool("status").stdout
    assert "command arm: on, output panel, for 60 min" in said and "command lock: lock-down, for 60 min, with a second factor" in said
    assert f"output panel: on, by a phone until {output['until']}" in said
    journal = gate.run_tool("journal").stdout
    assert "command=arm action=on output=panel" in journal and f"until={output['until']}" in journal
    gate.kill()
    gate.start()
    wait_until("the output as it was", panel)
    (again,) = gate.ask("lane", "entry")["outputs"]
    assert again["until"] == output["until"]


def test_what_is_not_listed_or_not_by_hand_is_not_run(site, gate):
    assert run(site, "maintenance") == "command-not-allowed"
    assert site.anna.phone("--command", "hold").tap()["reason"] == "command-not-allowed"
    site.anna.give_token("--scope", "lock")
    assert run(site, "lock") == "second-factor"
    assert mode(gate) == {"mode": "normal", "source": "standard"}
