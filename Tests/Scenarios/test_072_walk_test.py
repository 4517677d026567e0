"""An installer stands at a new lane and tries what is wired (O2)."""

import contextlib
import json
import subprocess

from processes import Lines, ended, heard, kill

WIRED = """
[lane.indicators.red]
chip = "simulated"
line = 1
[lane.indicators.buzzer]
chip = "simulated"
line = 2
[lane.indicators.ready]
chip = "simulated"
line = 3
[[lane.output]]
name = "camera"
chip = "simulated"
line = 4
"""

CONTACTS = """
[lane.inputs.passage-in]
chip = "simulated"
line = 5
[lane.inputs.tamper]
chip = "simulated"
line = 6
[lane.inputs.fire]
chip = "simulated"
line = 7
"""

STEPS = [("relay", "relay"), ("indicator", "ready"), ("indicator", "red"), ("indicator", "buzzer"), ("output", "camera")]


@contextlib.contextmanager
def walking(gate, *options, inputs=0):
    """`tapstile test-lane` under way; the lane is out of service."""
    mark = gate.events.mark
    command = [gate.programs.path("tapstile"), "test-lane", "entry", "--inputs", str(inputs), "--socket", gate.socket, *options]
    process = subprocess.Popen(command, env=gate.programs.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    try:
        gate.events.wait("test", since=mark, state="began")
        yield process
    finally:
        kill(process)
        heard(process)


def records_of(gate):
    return [record for record in gate.journal() if record.get("detail", {}).get("what", "").startswith("walk-test")]


def test_what_is_wired_is_tried_one_after_the_other(site, start):
    gate = start(relay=WIRED)
    mark = gate.events.mark
    lines = gate.run_tool("test-lane", "entry", "--inputs", "0", "--json").stdout.splitlines()
    *results, summary = map(json.loads, lines)
    assert [(result["kind"], result["name"]) for result in results] == STEPS
    assert all(result["result"] == "ok" and result["simulated"] for result in results), results
    assert (summary["ended"], summary["passed"], summary["ok"], summary["steps"]) == ("done", True, 5, 5)

    gate.events.wait("relay", since=mark, energised=True)
    gate.events.wait("relay", since=mark, energised=False)
    gate.events.wait("test", since=mark, state="ended", result="done")
    gate.wait_for_indicator("ready")
    assert site.anna.phone().tap()["reason"] == "granted"
    began, ended = records_of(gate)
    assert began["detail"]["user"] == ended["detail"]["user"] and "process" in began["detail"]
    assert (ended["reason"], ended["detail"]["ok"], ended["detail"]["wrong"]) == ("done", 5, 0)


def test_people_read_what_was_expected_and_seen(start):
    gate = start(relay=WIRED)
    text = gate.run_tool("test-lane", "entry", "--inputs", "0").stdout
    assert "  1  relay relay: expected energised, then de-energised; observed energised, then de-energised: ok (simulated: nothing moved)" in text
    assert "Lane entry is back in service: 5 of 5 as expected." in text


def test_nobody_passes_while_the_lane_is_tried(site, start):
    gate = start(relay=WIRED)
    with walking(gate):
        assert site.anna.phone().tap()["result"] == "refused"
        assert gate.events.wait("result")["reason"] == "lane-closed"
        # Nor does somebody else try it.
        run = gate.run_tool("test-lane", "entry", "--json", status=1)
        assert json.loads(run.stderr)["error"]["code"] == "test-running"


def test_whoever_goes_away_leaves_nothing_on(site, start):
    gate = start(relay=WIRED)
    mark = gate.events.mark
    with walking(gate) as process:
        gate.events.wait("relay", since=mark, energised=True)
        process.kill()
        gate.events.wait("relay", since=mark, energised=False)
        gate.events.wait("test", since=mark, state="ended", result="abandoned")
    gate.wait_for_indicator("ready")
    assert site.anna.phone().tap()["reason"] == "granted"


def test_the_gate_stops_in_mid_test(start):
    gate = start(relay=WIRED)
    mark = gate.events.mark
    with walking(gate, "--json") as process:
        gate.events.wait("relay", since=mark, energised=True)
        assert gate.stop() == 0
        assert gate.events.wait("relay", since=mark, energised=False)
        heard(process)
        assert process.returncode == 1
    gate.start()
    assert [record["reason"] for record in records_of(gate) if record["detail"]["what"] == "walk-test-ended"] == ["gate-stops"]


def test_a_lane_that_lets_somebody_through_is_left_alone(site, start):
    gate = start(lane="cooldown-success-ms = 0", relay="pulse-ms = 60000\n" + WIRED)
    assert site.anna.phone().tap()["result"] == "granted"
    run = gate.run_tool("test-lane", "entry", "--json", status=1)
    assert json.loads(run.stderr)["error"]["code"] == "lane-busy"
    assert gate.status()["lanes"][0]["relay"]
    run = gate.run_tool("test-lane", "exit", "--json", status=1)
    assert json.loads(run.stderr)["error"]["code"] == "lane-unknown"


def test_contacts_are_asked_for_and_seen(start):
    gate = start(relay=WIRED + CONTACTS)
    mark = gate.events.mark
    with walking(gate, inputs=60) as process:
        told = []
        for line in Lines(process):
            told.append(line.rstrip())
            if "now move the contact of " in line:
                name = line.split()[-1]
                gate.ask("simulate", f"entry-{name}", "on")
        assert ended(process) == 0, told
    seen = [line for line in told if "  input " in line]
    assert [line.split()[2].rstrip(":") for line in seen] == ["passage-in", "tamper", "fire"]
    assert all("observed active after" in line and line.endswith(": ok (simulated: nothing moved)") for line in seen), seen
    # Fire came last, and has the lane now; the tamper contact raised no alarm meanwhile, and does from now on.
    assert gate.status()["lanes"][0]["indicator"] == "fire"
    shown = [event["indicator"] for event in gate.events.since(mark) if event["event"] == "indicator"]
    assert "alarm" not in shown[:shown.index("fire")]
