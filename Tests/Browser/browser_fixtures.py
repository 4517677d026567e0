"""A browser that believes a test's authority, and a server of invitations."""

import os
import tempfile

import cbor2
import pytest
from authority import TestAuthority
from cryptography.hazmat.primitives.asymmetric import ec
from devtools import Browser
from edhoc_gate import EDHOCGate
from edhoc_phone import x_of
from emulated_bluetooth import EmulatedBluetooth
from stub_server import Issuer, StubServer


def claims_set(site, kid, private):
    numbers = private.public_key().public_numbers()
    key = {1: 2, 2: kid, -1: 1, -2: x_of(private), -3: numbers.y.to_bytes(32, "big")}
    return cbor2.dumps({2: site, 8: {1: key}}, canonical=True)


@pytest.fixture(scope="session")
def authority():
    with tempfile.TemporaryDirectory(prefix="tapstile-authority.") as folder:
        yield TestAuthority(folder)


@pytest.fixture
def browser_of(authority):
    """Starts browsers of the test's own: `browser = browser_of(language="de-DE")`."""
    started = []

    def start(*flags, **options):
        browser = Browser(*flags, prepare=authority.put_into_store, **options)
        started.append(browser)
        return browser

    yield start
    for browser in started:
        browser.close()


@pytest.fixture(scope="session")
def browser(authority):
    """One for all tests: each has a profile of its own in it."""
    browser = Browser(prepare=authority.put_into_store)
    yield browser
    browser.close()


@pytest.fixture
def page(browser):
    page = browser.page()
    yield page
    page.close()


@pytest.fixture
def gate_key():
    return ec.generate_private_key(ec.SECP256R1())


@pytest.fixture
def server(authority, gate_key):
    """Of a site whose one gate has `gate_key`."""
    issuer = Issuer(ec.generate_private_key(ec.SECP256R1()), "visitors", "Works", claims_set("Works", b"\x07", gate_key))
    server = StubServer(issuer, authority.certificate, authority.key)
    yield server
    server.close()


@pytest.fixture
def documents_gate(gate_key, server):
    """That gate, made of the documents alone."""
    return EDHOCGate(gate_key, server.issuer.gates, b"\x07")


@pytest.fixture
def bluetooth(browser, documents_gate):
    bluetooth = EmulatedBluetooth(browser, documents_gate)
    yield bluetooth
    bluetooth.end()


@pytest.fixture
def pass_page(page, server, bluetooth):
    """A page with a pass."""
    page.open(server.invite())
    page.press("act")
    page.says("act", "Open the gate")
    return page


@pytest.fixture
def pictures():
    """Where pictures of the page are left: TAPSTILE_RESULTS, or nowhere that stays."""
    folder = os.environ.get("TAPSTILE_RESULTS")
    if folder:
        os.makedirs(folder, exist_ok=True)
        yield folder
    else:
        with tempfile.TemporaryDirectory(prefix="tapstile-pictures.") as folder:
            yield folder
