"""What operators do with a lane (A2, V7): modes and their survival, releases, arming, outputs, passages; and who asked."""

import json
import os
import pwd
import signal
import subprocess
import tempfile
import time

import pytest

from patience import OUTER, NothingHappened, connected, wait_until
from processes import ended

INPUTS = {"lane_inputs_passage-in": 'chip = "simulated"\nline = 5'}
LANE = "cooldown-success-ms = 0\ncooldown-failure-ms = 0\npassage-wait-ms = 1500\nheld-after-ms = 1000\nalarm-ms = 1000"


def wait_for_relay_by_status(gate, energised):
    gate.wait_with_events(f"the relay to be energised: {energised}", lambda: lane_of(gate)["relay"] == energised, "relay", energised=energised)


def lane_of(gate):
    return gate.ask("lane", "entry")


def wait_for_relay(gate, energised, since=0):
    return gate.events.wait("relay", since=since, energised=energised)


def wait_for_mode(gate, mode, since):
    return gate.events.wait("mode", since=since, mode=mode)


def records(gate, kind):
    return [record for record in gate.journal() if record["kind"] == kind]


def asked(gate):
    return [record for record in records(gate, "mode") if record.get("detail", {}).get("what") == "asked"]


@pytest.fixture
def gate(start):
    return start(lane=LANE, **INPUTS)


def test_tap_passage_and_all_that_can_go_wrong_with_it(site, gate):
    """L5: passed, granted and not passed, forced, held and held over, in the order in which they happen."""
    assert site.anna.phone().tap()["result"] == "granted"
    gate.pass_through()
    gate.events.wait("passage", finding="passed", direction="in")
    mark = gate.events.mark
    assert site.anna.phone().tap()["result"] == "granted"
    gate.events.wait("passage", since=mark, finding="passage-timeout")
    mark = gate.events.mark
    gate.ask("simulate", "entry-passage-in", "on")
    gate.events.wait("passage", since=mark, finding="forced-entry")
    gate.events.wait("alarm", since=mark, on=True)
    gate.events.wait("passage", since=mark, finding="held")
    gate.ask("simulate", "entry-passage-in", "off")
    gate.events.wait("passage", since=mark, finding="held-over")
    findings = [record["reason"] for record in records(gate, "passage")]
    assert [each for each in findings if "alarm" not in each] == ["passed", "granted-not-passed", "forced-passage", "held", "held-over"]
    outcome = [record["sequence"] for record in records(gate, "outcome")]
    assert [record["detail"]["outcome"] for record in records(gate, "passage")[:2]] == outcome


def test_a_disarmed_lane_raises_no_alarm_and_says_so(gate):
    lane = gate.ask("lane", "entry", "disarm")
    assert lane["armed"] is False and lane["journalled"] is True
    mark = gate.events.mark
    gate.pass_through()
    gate.events.wait("passage", since=mark, finding="forced-entry")
    gate.kill()
    gate.start()
    assert lane_of(gate)["armed"] is False
    mark = gate.events.mark
    gate.pass_through()
    gate.events.wait("passage", since=mark, finding="forced-entry")
    assert gate.events.since(mark, "alarm") == []
    assert gate.ask("lane", "entry", "arm")["armed"] is True
    mark = gate.events.mark
    gate.pass_through()
    gate.events.wait("alarm", since=mark, on=True)


def test_a_lane_held_open_is_held_open_again_after_kill_9(site, gate):
    mark = gate.events.mark
    lane = gate.ask("lane", "entry", "hold-open", "in")
    assert lane["mode"]["mode"] == "held-open" and lane["mode"]["source"] == "operator"
    assert lane["mode"]["user"] == os.geteuid() and lane["mode"]["direction"] == "in"
    wait_for_relay(gate, True, mark)
    gate.kill()
    gate.start()
    gate.wait_for_reader()
    wait_for_relay_by_status(gate, True)
    assert "lane-mode-restored" in gate.log
    # Taps are verified and recorded, the relay stays as it is.
    mark = gate.events.mark
    assert site.anna.phone().tap()["result"] == "granted"
    assert gate.events.since(mark, "relay") == []
    mark = gate.events.mark
    assert gate.ask("lane", "entry", "normal")["mode"] == {"mode": "normal", "source": "standard"}
    wait_for_relay(gate, False, mark)
    gate.kill()
    gate.start()
    assert lane_of(gate)["mode"]["mode"] == "normal" and not lane_of(gate)["relay"]


def test_a_mode_ends_with_its_time_also_while_the_gate_is_off(gate):
    mark = gate.events.mark
    until = gate.ask("lane", "entry", "free", "--for", "2s")["mode"]["until"]
    assert until.endswith("Z")
    wait_for_mode(gate, "free-passage", mark)
    wait_for_mode(gate, "normal", mark)
    wait_for_relay(gate, False, mark)
    gate.ask("lane", "entry", "free", "--for", "1s")
    gate.kill()
    # It ends while nobody is there to tell of it.
    time.sleep(1.1)
    gate.start()
    lane = lane_of(gate)
    assert lane["mode"]["mode"] == "normal" and not lane["relay"]
    assert "lane-mode-over" in gate.log


def test_a_lockdown_refuses_everybody_and_a_release_and_stays(site, gate):
    gate.ask("lane", "entry", "lock-down")
    assert site.anna.phone().tap()["reason"] == "lane-closed"
    failed = gate.run_tool("lane", "entry", "release", "--json", status=1)
    assert '"lane-locked-down"' in failed.stderr
    gate.kill()
    gate.start()
    gate.wait_for_reader()
    assert site.anna.phone().tap()["reason"] == "lane-closed"
    assert [event for event in gate.events.since(kind="relay") if event["energised"]] == []
    gate.ask("lane", "entry", "normal")
    assert site.anna.phone().tap()["result"] == "granted"
    refusals = [record["detail"].get("refused") for record in asked(gate) if record["reason"] == "release"]
    assert refusals == ["lane-locked-down"]


def test_a_lockdown_cuts_a_pulse(site, start):
    gate = start(lane="cooldown-success-ms = 0", relay="pulse-ms = 60000")
    assert site.anna.phone().tap()["result"] == "granted"
    mark = gate.events.mark
    gate.ask("lane", "entry", "lock-down")
    wait_for_relay(gate, False, mark)


def test_a_closed_lane_refuses(site, gate):
    gate.ask("lane", "entry", "close")
    assert site.anna.phone().tap()["reason"] == "lane-closed"
    assert lane_of(gate)["state"] == "closed"


def test_a_release_is_for_one_person_and_leaves_no_trace_after_a_restart(gate):
    mark = gate.events.mark
    gate.ask("lane", "entry", "release")
    wait_for_relay(gate, True, mark)
    wait_for_relay(gate, False, mark)
    gate.pass_through()
    gate.events.wait("passage", since=mark, finding="passed")
    gate.kill()
    gate.start()
    assert not lane_of(gate)["relay"] and lane_of(gate)["mode"]["mode"] == "normal"
    released = [record for record in records(gate, "passage") if record["reason"] == "released"]
    assert [record["detail"]["by"] for record in released] == ["operator"]


def test_an_output_is_switched_and_restored_where_it_shall_be(start):
    outputs = "\n".join(f'[[lane.output]]\nname = "{name}"\nchip = "simulated"\nline = {line}\nrestore = {restore}'
                        for name, line, restore in (("lamp", 21, "true"), ("bell", 22, "false")))
    gate = start(lane=LANE, more=outputs)
    for name in ("lamp", "bell"):
        gate.ask("lane", "entry", "toggle", name)
    assert [(each["name"], each["on"]) for each in lane_of(gate)["outputs"]] == [("lamp", True), ("bell", True)]
    failed = gate.run_tool("lane", "entry", "toggle", "siren", "--json", status=1)
    assert '"output-unknown"' in failed.stderr
    gate.kill()
    gate.start()
    assert [(each["name"], each["on"]) for each in lane_of(gate)["outputs"]] == [("lamp", True), ("bell", False)]
    gate.ask("lane", "entry", "toggle", "lamp")
    gate.kill()
    gate.start()
    assert [each["on"] for each in lane_of(gate)["outputs"]] == [False, False]


def test_the_journal_says_who_asked(gate):
    run = subprocess.Popen([gate.programs.path("tapstile"), "lane", "entry", "hold-open", "--socket", gate.socket], stdout=subprocess.DEVNULL)
    assert ended(run) == 0
    record = asked(gate)[-1]
    assert record["reason"] == "hold-open" and record["lane"] == "entry"
    assert record["detail"]["user"] == os.geteuid() and record["detail"]["process"] == run.pid


def test_unknown_names_and_actions_are_told(gate):
    assert '"lane-unknown"' in gate.run_tool("lane", "nowhere", "--json", status=1).stderr
    assert '"lane-unknown"' in gate.run_tool("lane", "nowhere", "free", "--json", status=1).stderr
    assert gate.run_tool("lane", "entry", "explode", status=2).stderr
    assert gate.run_tool("lane", "entry", "free", "in", status=2).stderr
    assert gate.run_tool("lane", "entry", "release", "--for", "1h", status=2).stderr
    assert '"line-unknown"' in gate.run_tool("simulate", "entry-tamper", "on", "--json", status=1).stderr


def test_only_simulated_inputs_are_simulated(start):
    gate = start(lane=LANE, **{"lane_inputs_passage-in": 'chip = "no-such-chip"\nline = 5'}, reader_state=None, publish=False)
    assert '"line-not-simulated"' in gate.run_tool("simulate", "entry-passage-in", "on", "--json", status=1).stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_strangers_on_the_socket_move_nothing(gate):
    """Whoever can open the socket may look; only operators act."""
    os.chmod(gate.socket, 0o666)
    folder = gate.folder
    while folder != tempfile.gettempdir():
        os.chmod(folder, 0o711)
        folder = os.path.dirname(folder)
    for request in ({"do": "lane-act", "lane": "entry", "action": "free"}, {"do": "passback"}, {"do": "passback-reset"},
                    {"do": "simulate", "line": "entry-passage-in", "on": True}):
        assert ask_as("nobody", gate.socket, request)["error"]["code"] == "not-permitted"
    assert ask_as("nobody", gate.socket, {"do": "lane", "lane": "entry"})["body"]["mode"]["mode"] == "normal"
    assert asked(gate) == []


def ask_as(name, path, request):
    """The control socket, spoken to by another user."""
    user = pwd.getpwnam(name)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setgid(user.pw_gid)
            os.setuid(user.pw_uid)
            with connected(path) as connection:
                connection.sendall(json.dumps({**request, "v": 1, "id": 1}).encode() + b"\n")
                os.write(writing, connection.makefile("rb").readline())
        finally:
            os._exit(0)
    os.close(writing)
    try:
        wait_until(f"the answer to {name}", lambda: os.waitpid(child, os.WNOHANG)[0], OUTER)
    except NothingHappened:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise
    with os.fdopen(reading, "rb") as answer:
        return json.loads(answer.read())
