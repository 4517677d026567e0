"""What an office takes back reaches its gates, whoever brings folders, spoils files or sends them slowly (S3, S4, S6)."""

import os
import threading

import pytest

from gatehouse import Programs
from network.certificates import CertificateAuthority
from network.false_stick import Refused, Visit, honest
from network.town import Town, sync
from patience import joined, wait_until


@pytest.fixture(scope="module")
def programs():
    return Programs(os.environ["TAPSTILE_BIN"])


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return CertificateAuthority(str(tmp_path_factory.mktemp("certificates")))


@pytest.fixture
def town(programs, tmp_path, authority):
    town = Town(programs, str(tmp_path), authority)
    yield town
    town.close()


def revoked(gate):
    return gate.status()["trust"]["revocations"]


# Whoever may import -------------------------------------------------------------------------------


class Importers:
    """Several who bring one folder again and again, so that one always waits."""

    def __init__(self, gate, stick, count=3):
        self._gate, self._stick, self._stop = gate, stick, threading.Event()
        self.brought = 0
        self._threads = [threading.Thread(target=self._run, daemon=True) for _ in range(count)]

    def _run(self):
        while not self._stop.is_set():
            try:
                Visit(self._gate.socket, honest(self._stick)).end()
                self.brought += 1
            except Refused:
                # Another one of them waits.
                self._stop.wait(0.02)

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        for thread in self._threads:
            joined(thread)


def test_imports_in_a_loop_do_not_keep_a_revocation_from_a_gate(town):
    town.enrol("ada")
    town.publish()
    gate = town.served_gate()
    stick = town.site.path("stick")
    town.site.authority("publish", "--stick", stick)
    with Importers(gate, stick) as importers:
        wait_until("two imports", lambda: importers.brought >= 2)
        town.site.authority("revoke", "--subject", "ada")
        town.publish()
        assert sync(gate)["way"] == "changes"
        assert revoked(gate) == 1
        before = importers.brought
        wait_until("the imports to go on", lambda: importers.brought > before)
