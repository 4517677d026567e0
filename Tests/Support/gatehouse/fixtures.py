"""What scenario tests and judges start from. TAPSTILE_BIN is the folder of the built programs."""

import os
import shutil
import tempfile

import pytest

from .card import Card
from .pcscd import PrivatePCSCD
from .programs import Programs
from .site import Site


@pytest.fixture(scope="session")
def pcscd():
    """A pcscd of this session's own, with a virtual reader."""
    # Not pytest's folder: the name of a socket is short.
    folder = tempfile.mkdtemp(prefix="tapstile-pcscd.")
    daemon = PrivatePCSCD(folder).start()
    yield daemon
    daemon.stop()
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def programs(pcscd):
    return Programs(os.environ["TAPSTILE_BIN"], pcscd.environment)


@pytest.fixture
def folder():
    path = tempfile.mkdtemp(prefix="tapstile-site.")
    yield path
    shutil.rmtree(path)


@pytest.fixture
def site(programs, folder):
    """A site with anna, who has a token, and its first publication."""
    site = Site(programs, os.path.join(folder, "site"))
    site.anna = site.person("anna")
    site.anna.give_token()
    return site


@pytest.fixture
def start(site):
    """Starts the gate of the site: `gate = start(lane="cooldown-success-ms = 0")`. It has what the
    site knows, its reader is in service, and it is stopped in the end, in order."""
    gates = []

    def start(publish=True, reader_state="reader-ready", **configuration):
        gate = site.gate(**configuration)
        gates.append(gate)
        gate.start()
        if reader_state:
            gate.wait_for_reader(reader_state)
        if publish:
            gate.import_publication(site.publish())
        return gate

    yield start
    for gate in gates:
        if gate.is_running:
            assert gate.stop() == 0, gate.log
        assert "Fatal error" not in gate.log and "internal-error" not in gate.log, gate.log


@pytest.fixture
def gate(start):
    """The gate of the site as most stories need it: nothing but what is wrong keeps a phone out."""
    return start(lane="cooldown-success-ms = 0\ncooldown-failure-ms = 0")


@pytest.fixture
def card(pcscd):
    """Makes raw cards: `with card(respond):`."""
    return lambda respond, **options: Card(pcscd.port, respond, **options)
