"""Phones that break off and come back, and pcscd's belief in phones that have gone: it looks into a reader
without an interrupt endpoint every 400 ms only. Whoever lies on the reader is served, without being lifted."""

import json
import threading
import time

import pytest

from gatehouse import RelayedPhone, Silence
from patience import OUTER, wait_for
from processes import heard

NO_COOLDOWN = "cooldown-success-ms = 0\ncooldown-failure-ms = 0"
# Within one look of pcscd's: it need not have seen that the phone before has gone.
SOON = [0, 0.1, 0.2, 0.3]


def breaks_off(site, command):
    """A phone comes and is pulled away when it has been given that command."""
    left = threading.Event()

    def leaves(number, sent, response):
        if number == command:
            phone.remove()
            left.set()
        return response

    phone = RelayedPhone(site.anna, leaves).insert()
    wait_for(left, f"command {command} to the phone")


def lies_there(site):
    """The next phone is put down at once, without a look at what the gate or pcscd know. Answers its result."""
    told, _ = heard(site.anna.phone().start(), OUTER)
    return json.loads(told)["result"]


@pytest.mark.parametrize("pause", SOON)
@pytest.mark.parametrize("command", [1, 2])
def test_the_phone_after_one_that_broke_off(site, gate, command, pause):
    breaks_off(site, command)
    time.sleep(pause)
    assert lies_there(site) == "granted"
    # Who was not there was not asked, and is no failure of anybody's.
    assert len(gate.journal("--reason", "card-removed")) <= 1
    assert "anna" in [record.get("subject") for record in gate.journal("--reason", "granted")]


@pytest.mark.parametrize("early", [0.02, 0.2, 0.35])
def test_the_phone_after_one_that_left_at_the_end_of_its_cooldown(site, start, early):
    """A phone that is to run again has gone when its time has come, and pcscd does not know yet."""
    gate = start(lane="cooldown-success-ms = 3000")
    assert site.anna.phone().tap()["result"] == "granted"
    gate.wait_for_an_empty_field()
    with site.anna.phone().lay_down() as phone:
        told = phone.result()
        assert told["reason"] == "cooldown-success"
        # It goes so long before it would be served, and the next one comes at that very time: nothing happens at either moment.
        time.sleep(max(0, told["retryAfterMilliseconds"] / 1000 - early))
    time.sleep(early)
    assert lies_there(site) == "granted"


@pytest.mark.parametrize("pause", SOON)
@pytest.mark.parametrize("how", ["stop", "kill"])
def test_the_gate_starts_while_pcscd_believes_in_a_phone_that_has_gone(site, start, how, pause):
    gate = start(lane=NO_COOLDOWN)
    assert site.anna.phone().tap()["result"] == "granted"
    getattr(gate, how)()
    gate.start()
    time.sleep(pause)
    assert lies_there(site) == "granted"


@pytest.mark.parametrize("pause", SOON)
def test_the_gate_is_killed_in_a_conversation_and_starts_again(site, start, pause):
    """pcscd resets the phone of a client that has gone: it has gone too, and pcscd calls the reader empty, uncounted."""
    gate = start(lane=NO_COOLDOWN)
    silence = Silence(2, for_good=True)
    phone = RelayedPhone(site.anna, silence).insert()
    silence.wait_for_it()
    gate.kill()
    silence.answers.set()
    phone.remove()
    gate.start()
    time.sleep(pause)
    assert lies_there(site) == "granted"


def test_the_gate_says_nothing_of_a_field_before_it_has_looked_into_it(site, start, card):
    with card(lambda command: b"\x6a\x82") as lying:
        lying.wait_for_polls(2)
        gate = start(reader_state="reader-card-present")
        assert "reader-ready" not in gate.log


def test_a_card_that_cannot_be_reached_is_tried_quietly(site, gate, card):
    """It lies there for seconds: the gate keeps trying, and fills neither journal nor log."""
    before = len(gate.journal())
    # As a card that does not start: an answer to reset that is longer than any (ISO/IEC 7816-3, 8.2.1).
    with card(lambda command: b"\x90\x00", answer_to_reset=bytes(40)) as presented:
        presented.wait_for_polls(12)
        assert 1 <= gate.log.count("was not served") <= 2
        assert len(gate.journal()) <= before + 1
    gate.wait_for_an_empty_field()
    assert site.anna.phone().tap()["result"] == "granted"
