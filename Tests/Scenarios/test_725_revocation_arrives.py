"""What an office takes back reaches its gates, whoever brings folders, spoils files or sends them slowly (S3, S4, S6)."""

import os
import shutil
import threading

import pytest

from gatehouse import Programs
from network.certificates import CertificateAuthority
from network.false_stick import Refused, Visit, honest
from network.town import Town, first_look, sync
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


@pytest.fixture
def ending(programs, tmp_path, authority):
    """A town whose targets end in three days."""
    town = Town(programs, str(tmp_path), authority, begin=("--together", "--expires-targets", "3d"))
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
        town.site.authority("ban", "--subject", "ada", "--yes")
        town.publish()
        assert sync(gate)["way"] == "changes"
        assert revoked(gate) == 1
        before = importers.brought
        wait_until("the imports to go on", lambda: importers.brought > before)


# What is spoilt on the way -------------------------------------------------------------------------


def whole_of(town):
    """The file with everybody, on the server."""
    folder = os.path.join(town.repository, "targets", "people")
    name, = [each for each in os.listdir(folder) if each.endswith(".full")]
    return os.path.join(folder, name)


def test_three_spoilt_downloads_do_not_lock_out_the_good_file(town):
    town.enrol("ada")
    town.publish()
    path = whole_of(town)
    with open(path, "rb") as file:
        good = file.read()
    town.nginx.put(os.path.relpath(path, town.nginx.root), good[:-1] + bytes([good[-1] ^ 1]))
    gate = town.gate().start()
    assert first_look(gate)["failure"]["code"] == "tuf-wrong-target-hash"
    for _ in range(4):
        before = len(town.asked())
        assert sync(gate, status=1)["failure"]["code"] == "tuf-wrong-target-hash"
        assert any(line[5].endswith(".full") for line in town.asked()[before:]), "it may be good now"
    town.nginx.put(os.path.relpath(path, town.nginx.root), good)
    assert sync(gate)["way"] == "whole"
    assert gate.status()["trust"]["enrolled"] == 1


# What comes slowly ----------------------------------------------------------------------------------


def test_a_server_that_trickles_holds_up_neither_a_stick_nor_what_is_taken_back(town):
    town.enrol(*(f"person-{number}" for number in range(40)))
    town.publish()
    stick = shutil.copytree(town.repository, town.site.path("stick"))
    # Everybody would take minutes.
    town.nginx.more = "location /targets/people/ { limit_rate 200; }"
    town.nginx.restart()
    gate = town.gate(sync_more="minimum-rate = 1").start()
    wait_until("some of the whole", lambda: gate.status()["sync"].get("received"), instead=lambda: gate.status()["sync"])
    mark = gate.events.mark
    assert gate.ask("import", stick)["way"] == "whole"
    gate.events.wait("sync", since=mark, state="paused")
    assert gate.status()["trust"]["enrolled"] == 40
    # The server goes on by itself, and finds nothing that is missing.
    resumed = gate.events.wait("sync", since=mark, state="began", cause="resume")
    assert gate.events.wait("sync", since=mark, state="succeeded", run=resumed["run"])["changed"] is False
    town.site.authority("ban", "--subject", "person-3", "--yes")
    town.publish()
    assert sync(gate)["way"] == "changes"
    assert revoked(gate) == 1


# How long it can go on ----------------------------------------------------------------------------


def test_a_gate_says_until_when_it_can_go_on_and_what_stops_then(ending):
    ending.publish()
    gate = ending.served_gate()

    def says(status):
        sync = status["sync"]
        assert sorted(sync["roles"]) == ["people", "root", "snapshot", "targets", "timestamp"]
        assert sync["expires"] == min(sync["roles"].values())
        assert sync["warning"]["code"] == "sync-ends-soon" and "targets" in sync["warning"]["message"] and "revocations" in sync["warning"]["message"]
        assert status["trust"]["tokensUntil"] > sync["roles"]["targets"], "30 days"
        return sync["roles"]

    roles = says(gate.status())
    text = gate.run_tool("status").stdout
    assert "sync-ends-soon" in text and "takes what is new until" in text and "tokens pass until" in text
    # Without a server, after a power cut, it still knows.
    gate.kill()
    ending.nginx.stop()
    gate.start()
    assert says(gate.status()) == roles
