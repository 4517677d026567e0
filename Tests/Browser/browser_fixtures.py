"""A browser that believes a test's authority, and a server of invitations."""

import os
import tempfile

import cbor2
import pytest
from authority import TestAuthority
from cryptography.hazmat.primitives.asymmetric import ec
from devtools import Browser
from edhoc_phone import x_of
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
    """Starts browsers: `browser = browser_of(language="de-DE")`."""
    started = []

    def start(*flags, **options):
        browser = Browser(*flags, prepare=authority.put_into_store, **options)
        started.append(browser)
        return browser

    yield start
    for browser in started:
        browser.close()


@pytest.fixture
def browser(browser_of):
    return browser_of()


@pytest.fixture
def page(browser):
    return browser.page()


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
def pictures():
    """Where pictures of the page are left: TAPSTILE_RESULTS, or nowhere that stays."""
    folder = os.environ.get("TAPSTILE_RESULTS")
    if folder:
        os.makedirs(folder, exist_ok=True)
        yield folder
    else:
        with tempfile.TemporaryDirectory(prefix="tapstile-pictures.") as folder:
            yield folder
