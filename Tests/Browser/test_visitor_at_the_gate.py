"""The whole story (A3): a link is opened, and the real gate opens, without an app and at last without a connection."""

import base64

import cbor2
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from edhoc_phone import private_key
from emulated_bluetooth import EmulatedBluetooth
from stand_in_bluez import PrivateBus, StandInBluez
from stub_server import Issuer, StubServer
from worked_exchange_test import coordinates

RADIO = '[[radio]]\nname = "entry-radio"\nlanes = ["entry"]\nmode = "classic"'
LANE = "cooldown-success-ms = 0\ncooldown-failure-ms = 0"


def secret_in(path):
    """The private number in a key file: a COSE_Key in text armour."""
    with open(path, encoding="ascii") as file:
        armour = "".join(line for line in file.read().splitlines() if not line.startswith("-"))
    return cbor2.loads(base64.b64decode(armour))[-4]


@pytest.fixture
def air(site):
    """The bus on which the gate meets a bluetoothd that is played."""
    bus = PrivateBus()
    bluez = StandInBluez(bus.address)
    site.programs.environment["DBUS_SYSTEM_BUS_ADDRESS"] = bus.address
    yield bluez
    del site.programs.environment["DBUS_SYSTEM_BUS_ADDRESS"]
    bluez.close()
    bus.close()


@pytest.fixture
def visit(site, authority):
    """The site's server of invitations: it signs with the site's own issuer."""
    with open(site.known_gates, "rb") as file:
        gates = file.read()
    name = cbor2.loads(cbor2.loads(open_token(site))[2])[1]
    issuer = Issuer(private_key(secret_in(site.path("authority", "issuer.key"))), name, site.name, gates)
    server = StubServer(issuer, authority.certificate, authority.key)
    yield server
    server.close()


def open_token(site):
    with open(site.anna.token, "rb") as file:
        return file.read()


@pytest.fixture
def lane():
    """What else the lane says."""
    return ""


@pytest.fixture
def gate(start, air, lane):
    gate = start(lane=f"{LANE}\n{lane}", more=RADIO)
    air.wait_for_gate()
    return gate


@pytest.fixture
def visitor(gate, bluetooth, visit, page):
    """Somebody with a pass in front of the gate."""
    page.open(visit.invite("Berta"))
    page.press("act")
    page.says("act", "Open the gate")
    return page


def tap(page, bluetooth, gate):
    """What the gate says of it."""
    mark = gate.events.mark
    bluetooth.choose(page, lambda: page.press("act"))
    return gate.events.wait("result", since=mark)


@pytest.fixture
def bluetooth(gate, air, browser):
    bluetooth = EmulatedBluetooth(browser, air, name=air.name, service=air.service)
    air.on_disconnect = bluetooth.hang_up
    yield bluetooth
    bluetooth.end()


def test_a_visitor_opens_the_link_and_the_gate(gate, bluetooth, air, visit, visitor):
    # From here on without a connection: the page comes from its own store.
    visitor.evaluate("navigator.serviceWorker.ready.then(() => null)")
    visit.close()
    bluetooth.reload(visitor)
    visitor.says("act", "Open the gate")
    lengths = []
    for _ in range(2):
        result = tap(visitor, bluetooth, gate)
        assert (result["result"], result["reason"], result["carrier"]) == ("granted", "granted", "ble"), gate.log
        visitor.says("result-title", "Open")
        visitor.says("result-place", "Gate gate-1, lane entry")
        gate.wait_for_indicator("ready")
        lengths.append(len(air.written[-1]))
    # The second time by reference.
    assert lengths[1] < lengths[0] - 100
    assert visitor.all("Runtime.exceptionThrown") == []


@pytest.mark.parametrize("lane", ["suites = [5, 2]"])
def test_a_lane_without_suite_6(gate, bluetooth, air, visitor):
    assert tap(visitor, bluetooth, gate)["result"] == "granted"
    visitor.says("result-title", "Open")
    # message_1 in 6, then one that names both.
    assert [value[2] for value in air.written[:2]] == [6, 0x82]


@pytest.mark.parametrize("lane", ["suites = [2, 3]"])
def test_a_lane_with_no_suite_of_browsers(gate, bluetooth, visitor):
    assert tap(visitor, bluetooth, gate)["reason"] == "protocol-version"
    visitor.says("problem-title", "does not speak")


def test_the_gates_reason_in_words(gate, bluetooth, visit, page):
    visit.issuer.audience = f"{visit.issuer.audience}/elsewhere"
    page.open(visit.invite("Berta"))
    page.press("act")
    page.says("act", "Open the gate")
    assert tap(page, bluetooth, gate)["reason"] == "wrong-audience"
    page.says("result-reason", "not for this gate")


def test_a_gate_that_the_phone_does_not_know_learns_nothing(gate, bluetooth, air, visit, page):
    """The site's file names another key: the phone stops before it has said who it is."""
    claims = cbor2.loads(visit.issuer.gates)
    x, y = coordinates(ec.generate_private_key(ec.SECP256R1()))
    claims[8][1].update({-2: x, -3: y})
    visit.issuer.gates = cbor2.dumps(claims, canonical=True)
    page.open(visit.invite("Berta"))
    page.press("act")
    page.says("act", "Open the gate")
    assert tap(page, bluetooth, gate)["reason"] == "phone-declined"
    page.says("problem-title", "could not prove")
    assert [value[0] for value in air.written] == [0, 1]


def test_a_visitor_who_was_let_in_a_moment_ago_is_told_to_wait(site, start, air, browser, visit, page):
    gate = start(lane="cooldown-success-ms = 60000", more=RADIO)
    air.wait_for_gate()
    bluetooth = EmulatedBluetooth(browser, air, name=air.name, service=air.service)
    air.on_disconnect = bluetooth.hang_up
    page.open(visit.invite("Berta"))
    page.press("act")
    page.says("act", "Open the gate")
    assert tap(page, bluetooth, gate)["result"] == "granted"
    gate.wait_for_indicator("ready")
    assert tap(page, bluetooth, gate)["reason"] == "cooldown-success"
    page.says("result-reason", "Wait")
    bluetooth.end()
