"""A PN532 as a gate's reader (T3): the real libnfc in the real tapstile-nfc at a virtual chip, with phones on its antenna. What is on the
air is seen by the chip, frame by frame."""

import os
import statistics

import pytest

from gatehouse import ChipReader, RelayedPhone, Silence
from gatehouse.fixtures import NO_COOLDOWN, gate_with_chip, gates_of, site_with_anna
from gatehouse.nfc import ECP_GROUP, ECP_TERMINAL, IN_SERVICE, edges, is_at_rest_and_whole
from patience import LONG, wait_until
from processes import run

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
# Seven bits: whoever has not been sent away answers (ISO/IEC 14443-3, 6.4.1).
REQUEST = "26"


@pytest.fixture
def gate(chip_gate):
    return chip_gate


@pytest.fixture
def site(chip_gate):
    return chip_gate.site


def crc_a(data):
    """ISO/IEC 14443-3, annex B: the two bytes behind a frame."""
    register = 0x6363
    for byte in data:
        byte ^= register & 0xFF
        byte ^= byte << 4 & 0xFF
        register = register >> 8 ^ byte << 8 ^ byte << 3 ^ byte >> 4
    return register.to_bytes(2, "little")


def checked(text):
    data = bytes.fromhex(text)
    return (data + crc_a(data)).hex()


# Version 2, terminal, 11 bytes of identifier and group, as others have found it.
ANNOUNCEMENT = checked("6a02cb0206" + ECP_TERMINAL + ECP_GROUP)


def cycles(air):
    """What was sent, from each time that the field went on until it went off again, in whole cycles."""
    found, current = [], None
    for told in air:
        if told.get("field") is True:
            assert current is None, "the field goes on that has not been off"
            current = []
        elif told.get("field") is False:
            if current is not None:
                found.append(current)
            current = None
        elif current is not None and "sent" in told:
            current.append((told["sent"], told["bits"]))
    return found


def wait_for_cycles(chip, count):
    """The next whole cycles, and what of the air they are."""
    mark = chip.mark
    chip.wait_for_air(lambda told: told.get("field") is False, since=mark, count=count + 1)
    return chip.air[mark:]


def test_the_whole_tap_by_value_and_by_reference(gate, site):
    mark = gate.events.mark
    by_value = site.anna.phone().tap()
    assert (by_value["result"], by_value["reason"], by_value["status"]) == ("granted", "granted", 0)
    assert by_value["commandsToProof"] == 3 and by_value["gate"]["lane"] == "entry"
    result = gate.events.wait("result", since=mark)
    assert (result["reader"], result["carrier"]) == ("entry-reader", "nfc")
    by_reference = site.anna.phone("--by-reference").tap()
    assert by_reference["result"] == "granted" and by_reference["commandsToProof"] == 2
    first, second = gate.journal("--reason", "granted")[-2:]
    assert first["subject"] == second["subject"] == "anna" and first["carrier"] == "nfc" and second["evidence"]
    is_at_rest_and_whole(gate, mark)


def test_long_answers_come_in_parts(gate, site):
    """A PN532 takes frames of 64 bytes from phones; what is longer comes in parts, each but the last acknowledged (ISO/IEC 14443-4, 7.5.2)."""
    mark = gate.chip.mark
    assert site.anna.phone().tap()["result"] == "granted"
    frames = [(way, bytes.fromhex(told[way])) for told in gate.chip.air[mark:] for way in ("sent", "answered") if way in told]
    parts = [data for way, data in frames if way == "answered" and data[0] in (0x12, 0x13)]
    acknowledged = [data for way, data in frames if way == "sent" and data[0] in (0xA2, 0xA3)]
    # A token alone is longer than two of them hold.
    assert len(parts) == len(acknowledged) > 2
    assert {len(data) for data in parts} == {64}
    assert all(data[-2:] == crc_a(data[:-2]) for data in parts)


def test_whoever_may_not_pass_is_told_so(gate, site):
    mark = gate.events.mark
    bert = site.person("bert")
    bert.give_token("--scope", "hold")
    told = bert.phone().tap()
    assert (told["result"], told["reason"]) == ("refused", "scope-lacks-command")
    assert gate.events.wait("result", since=mark)["result"] == "denied"
    assert edges(gate, mark) == 0


def test_it_says_who_it_is_and_asks_once_and_is_silent_in_between(gate):
    air = wait_for_cycles(gate.chip, 10)
    assert cycles(air)[:10] == [[(ANNOUNCEMENT, 0), (REQUEST, 7)]] * 10
    on = [told["us"] / 1000 for told in air if told.get("field") is True]
    off = [told["us"] / 1000 for told in air if told.get("field") is False]
    between = [later - earlier for earlier, later in zip(on, on[1:])]
    lit = [next(end for end in off if end > start) - start for start in on if start < off[-1]]
    print(f"cycles of {min(between):.1f} to {max(between):.1f} ms, {statistics.median(between):.1f} in the middle; the field is on for "
          f"{min(lit):.1f} to {max(lit):.1f} ms of each")


def test_a_gate_announces_nothing_unless_it_is_told_what(gate, site):
    def configure(announces):
        site.configuration(chip=gate.reader.settings(announces), lane=NO_COOLDOWN, relay="pulse-ms = 50")
        gate.run_tool("reload")

    configure(False)
    try:
        # Those of before the reload may be under way.
        wait_until("three cycles of requests alone", lambda: cycles(wait_for_cycles(gate.chip, 3))[:3] == [[(REQUEST, 7)]] * 3, pause=0,
                   instead=lambda: f"on the air was {gate.chip.air[-16:]}")
    finally:
        configure(True)
    gate.chip.wait_for_air(lambda told: told.get("sent") == ANNOUNCEMENT, since=gate.chip.mark)
    gate.wait_for_reader()
    assert site.anna.phone().tap()["result"] == "granted"


def test_a_phone_in_express_mode_is_woken(programs):
    """It answers whoever has named its terminal twice, and asked it no more than once each time."""
    with gate_with_chip(programs, "--express", ECP_TERMINAL) as gate:
        mark = gate.chip.mark
        assert gate.site.anna.phone().tap()["result"] == "granted"
        assert len([told for told in gate.chip.air[mark:] if told.get("sent") == ANNOUNCEMENT]) >= 2
        is_at_rest_and_whole(gate)


def test_a_phone_that_stays_is_served_once_and_asked_whether_it_is_there(gate, site):
    mark, air = gate.events.mark, gate.chip.mark
    with RelayedPhone(site.anna):
        gate.events.wait("result", since=mark, result="granted")
        # R(NAK): the phone says its last block again, or that it has none (ISO/IEC 14443-4, 7.5.4.3, rule 11).
        gate.chip.wait_for_air(lambda told: told.get("sent", "")[:2] in ("b2", "b3"), since=air, count=8)
    gate.wait_for_an_empty_field()
    assert len(gate.events.since(mark, "started")) == len(gate.events.since(mark, "result")) == 1
    assert site.anna.phone().tap()["result"] == "granted"
    is_at_rest_and_whole(gate, mark)


@pytest.mark.parametrize("command", [1, 2, 3])
def test_a_phone_that_leaves_opens_nothing(gate, site, command):
    mark = gate.events.mark
    site.anna.phone("--misbehave", f"leave-at={command}").tap()
    # Whoever was asked nothing that it answered is nobody.
    if command > 1:
        assert gate.events.wait("result", since=mark)["result"] == "denied"
    gate.wait_for_an_empty_field()
    assert edges(gate, mark) == 0
    assert site.anna.phone().tap()["result"] == "granted"
    is_at_rest_and_whole(gate, mark)


def test_a_phone_that_says_nothing_is_given_up(gate, site):
    mark = gate.events.mark
    silence = Silence(2, for_good=True)
    with RelayedPhone(site.anna, silence):
        assert gate.events.wait("result", since=mark)["reason"] == "timeout"
        silence.answers.set()
    assert edges(gate, mark) == 0
    gate.wait_for_reader()
    assert site.anna.phone().tap()["result"] == "granted"
    # Its silence is no fault of the reader's.
    assert {event["state"] for event in gate.events.since(mark, "reader")} <= set(IN_SERVICE)


def test_a_phone_that_says_too_much_is_asked_anew(gate, site):
    """More than a PN532 may bring: the conversation breaks off, and the next one, in which it says no more than it should, is good."""
    mark = gate.events.mark
    assert site.anna.phone("--misbehave", "oversize=2").tap()["result"] == "granted"
    gate.events.wait("result", since=mark, result="granted")
    assert [event["result"] for event in gate.events.since(mark, "result")] == ["denied", "granted"]
    assert {event["state"] for event in gate.events.since(mark, "reader")} <= set(IN_SERVICE)
    is_at_rest_and_whole(gate, mark)


def test_it_works_beside_a_reader_of_pcscd(programs, pcscd, folder):
    """Two readers of one lane, each with its own kind of link: the same conversation."""
    with ChipReader(programs, folder) as reader:
        site = site_with_anna(programs, folder)
        with gates_of(site) as start:
            gate = start(lane=NO_COOLDOWN, relay="pulse-ms = 50", more=f"""\
[[reader]]
name = "second-reader"
lane = "entry"
type = "pn532"
[reader.chip]
{reader.settings()}
""")
            wait_until("both readers in service", lambda: all(each["inService"] for each in gate.status()["readers"]), pause=0.1,
                       instead=lambda: gate.status()["readers"])
            for port, name in ((reader.chip.card_port, "second-reader"), (pcscd.port, "entry-reader")):
                mark = gate.events.mark
                assert site.anna.phone("--port", port).tap()["result"] == "granted"
                assert gate.events.wait("result", since=mark)["reader"] == name
            is_at_rest_and_whole(gate)


def test_the_demonstration(programs):
    shown = run([os.path.join(TOP, "scripts", "demo"), programs.folder], LONG, with_children=True,
                env={**os.environ, "READER": "virtual-pn532"}, capture_output=True, text=True)
    assert shown.returncode == 0, shown.stdout + shown.stderr
    assert "libnfc" in shown.stdout and "All of it happened" in shown.stdout
