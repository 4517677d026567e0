"""The whole story: a link is opened, and the real gate opens, without an app and at last without a connection."""

import base64
import os

import cbor2
import pytest
from edhoc_phone import private_key
from emulated_bluetooth import EmulatedBluetooth
from stand_in_bluez import PrivateBus, StandInBluez
from stub_server import Issuer, StubServer

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
def gate(start, air):
    gate = start(lane=LANE, more=RADIO)
    air.wait_for_gate()
    return gate


@pytest.fixture
def bluetooth(gate, air, browser):
    bluetooth = EmulatedBluetooth(browser, air, name=air.name, service=air.service)
    air.on_disconnect = bluetooth.hang_up
    yield bluetooth
    bluetooth.end()


def test_a_visitor_opens_the_link_and_the_gate(gate, bluetooth, visit, page):
    page.open(visit.invite("Berta"))
    page.press("act")
    page.says("act", "Open the gate")
    # From here on without a connection: the page comes from its own store.
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    visit.close()
    bluetooth.reload(page)
    page.says("act", "Open the gate")
    for way in ("token", "token-by-reference"):
        mark = gate.events.mark
        bluetooth.choose(page, lambda: page.press("act"))
        result = gate.events.wait("result", since=mark)
        assert (result["result"], result["reason"], result["carrier"]) == ("granted", "granted", "ble"), (way, gate.log)
        page.says("result-title", "Open")
        page.says("result-place", "Gate gate-1, lane entry")
        gate.wait_for_light("ready")
    assert page.all("Runtime.exceptionThrown") == []
