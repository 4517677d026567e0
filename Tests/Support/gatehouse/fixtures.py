"""What scenario tests and judges start from. TAPSTILE_BIN is the folder of the built programs."""

import contextlib
import os
import shutil
import tempfile

import pytest

from .card import Card
from .nfc import ChipReader
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


@contextlib.contextmanager
def throw_away_folder():
    path = tempfile.mkdtemp(prefix="tapstile-site.")
    try:
        yield path
    finally:
        shutil.rmtree(path)


@pytest.fixture
def folder():
    with throw_away_folder() as path:
        yield path


def site_with_anna(programs, folder):
    site = Site(programs, os.path.join(folder, "site"))
    site.anna = site.person("anna")
    site.anna.give_token()
    return site


@contextlib.contextmanager
def site_apart(programs):
    """The same with readers of its own, for a gate that runs on beside those of other tests: two gates at one
    reader take each other's phones."""
    with throw_away_folder() as folder:
        daemon = PrivatePCSCD(os.path.join(folder, "p")).start()
        try:
            yield site_with_anna(Programs(programs.folder, daemon.environment), folder)
        finally:
            daemon.stop()


@pytest.fixture
def site(programs, folder):
    """A site with anna, who has a token."""
    return site_with_anna(programs, folder)


@contextlib.contextmanager
def gates_of(site):
    """Starts gates of a site: `gate = start(lane="cooldown-success-ms = 0")`. They have what the site
    knows, their reader is in service, and they are stopped in the end, in order."""
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

    try:
        yield start
        for gate in gates:
            if gate.is_running:
                gate.wait_until_nobody_is_there()
                assert gate.stop() == 0, gate.log
            assert "Fatal error" not in gate.log and "internal-error" not in gate.log, gate.log
    finally:
        for gate in gates:
            if gate.is_running:
                gate.stop()


NO_COOLDOWN = "cooldown-success-ms = 0\ncooldown-failure-ms = 0"


@contextlib.contextmanager
def gate_with_chip(programs, *options):
    """A gate whose one reader is a PN532, with its `site`, `reader`, `chip` and `program`. `options` are those of the virtual chip."""
    with throw_away_folder() as folder, ChipReader(programs, folder, *options) as reader:
        site = site_with_anna(reader.programs, folder)
        with gates_of(site) as start:
            gate = start(chip=reader.settings(), lane=NO_COOLDOWN, relay="pulse-ms = 50")
            gate.site, gate.reader, gate.chip, gate.program = site, reader, reader.chip, reader.program
            yield gate


@pytest.fixture(scope="module")
def chip_gate(programs):
    """One for all stories of a file."""
    with gate_with_chip(programs) as gate:
        yield gate


@pytest.fixture
def start(site):
    with gates_of(site) as start:
        yield start


@pytest.fixture
def gate(start):
    """The gate of the site as most stories need it: nothing but what is wrong keeps a phone out."""
    return start(lane="cooldown-success-ms = 0\ncooldown-failure-ms = 0")


@pytest.fixture
def card(pcscd):
    """Makes raw cards: `with card(respond):`."""
    return lambda respond, **options: Card(pcscd.port, respond, **options)
