"""The reader's service comes and goes, and the gate recovers by itself (O5)."""

import time

import pytest

from gatehouse import PrivatePCSCD, Programs, RelayedPhone, Silence
from gatehouse.fixtures import site_with_anna
from gatehouse.gate import AWAY_SECONDS

# What requirements.md promises, and what a busy machine may add to it.
BACK_IN_SECONDS = 5
SLACK_SECONDS = 1


@pytest.fixture
def own_pcscd(folder):
    """A pcscd of this test's own; it does not run yet."""
    daemon = PrivatePCSCD(folder + "/p").prepare()
    yield daemon
    daemon.stop()


@pytest.fixture
def site(own_pcscd, programs, folder):
    return site_with_anna(Programs(programs.folder, own_pcscd.environment), folder)


def is_back(gate, began):
    gate.wait_for_reader("reader-ready")
    assert time.monotonic() - began <= BACK_IN_SECONDS + SLACK_SECONDS
    gate.events.wait("indicator", indicator="ready")


def opens(gate, site):
    gate.wait_for_indicator("ready")
    # pcscd's absence is no absence of the phone.
    time.sleep(AWAY_SECONDS)
    assert site.anna.phone().tap()["result"] == "granted"


def test_absent_at_the_start(site, start, own_pcscd):
    gate = start(reader_state="reader-service-down")
    status = gate.status()
    assert status["lanes"][0]["indicator"] == "fault"
    # What is missing is named, with the remedy (T13).
    assert "pcscd" in status["readers"][0]["message"]
    assert [fault["code"] for fault in status["lanes"][0]["faults"]] == ["reader-absent"]
    own_pcscd.start()
    is_back(gate, time.monotonic())
    opens(gate, site)


@pytest.mark.parametrize("how", ["stop", "kill"])
def test_ended_and_started_again(site, start, own_pcscd, how):
    own_pcscd.start()
    gate = start(lane="cooldown-success-ms = 0")
    opens(gate, site)
    for _ in range(2):
        getattr(own_pcscd, how)()
        gate.wait_for_reader("reader-service-down")
        gate.wait_for_indicator("fault")
        mark = gate.events.mark
        own_pcscd.start()
        began = time.monotonic()
        gate.wait_for_reader("reader-ready")
        assert time.monotonic() - began <= BACK_IN_SECONDS + SLACK_SECONDS
        gate.events.wait("lane", since=mark, faults=[])
        opens(gate, site)
    assert gate.is_running


def test_killed_in_the_middle_of_a_tap(site, start, own_pcscd):
    own_pcscd.start()
    gate = start(lane="cooldown-failure-ms = 0")
    silence = Silence(2)
    mark = gate.events.mark
    phone = RelayedPhone(site.anna, silence).insert()
    silence.wait_for_it()
    own_pcscd.kill()
    result = gate.events.wait("result", since=mark)
    assert (result["result"], result["reason"]) == ("denied", "reader-fault")
    silence.answers.set()
    phone.remove()
    gate.wait_for_reader("reader-service-down")
    own_pcscd.start()
    gate.wait_for_reader("reader-ready")
    opens(gate, site)


def test_no_reader(site, start, own_pcscd):
    """The service is there, the device is not."""
    own_pcscd.start()
    gate = start(reader_state="reader-absent", match='name = "Some Other Reader"')
    status = gate.status()
    assert status["readers"][0]["inService"] is False
    assert "Some Other Reader" in status["readers"][0]["message"]
    assert status["lanes"][0]["indicator"] == "fault"


def test_a_binding_that_fits_two_readers(site, start, own_pcscd):
    """T3: nobody can say which of them opens the gate, so neither does."""
    own_pcscd.start()
    gate = start(reader_state="reader-ambiguous", match='name = "Tapstile Virtual Reader"', publish=False)
    assert "reader-ambiguous" in [fault["code"] for fault in gate.status()["lanes"][0]["faults"]]
    assert gate.status()["readers"][0]["inService"] is False
