"""`tapstile import FOLDER`: a stick with a copy of the repository, made by the real office, brought to a real gate by the real tool (S6)."""

import calendar
import hashlib
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import threading
import time

import pytest

import processes
from gatehouse import Programs, Site
from network.certificates import CertificateAuthority
from network.false_net import ENDLESS, GONE, LIES, SLOW, Wire
from network.false_stick import Control, Refused, Visit, held, honest, killed, pulled_out
from network.town import Town, sync
from patience import wait_until


class Island:
    """An office, and a gate that no network reaches."""

    def __init__(self, programs, folder):
        self.programs = programs
        self.site = Site(programs, folder)
        self.repository = self.site.path("repository")
        self.site.authority("publish", "init", "--repo", self.repository, "--together")
        self.sticks = 0

    @property
    def root(self):
        return os.path.join(self.repository, "metadata", "1.root.json")

    def enrol(self, *names):
        for name in names:
            self.site.person(name).enrol()

    def stick(self, *options):
        """What is published now, to carry."""
        self.sticks += 1
        path = self.site.path(f"stick-{self.sticks}")
        self.site.authority("publish", "--stick", path, *options)
        return path

    def gate(self):
        return self.site.gate(source=f'root = "{self.root}"')


@pytest.fixture(scope="module")
def programs():
    return Programs(os.environ["TAPSTILE_BIN"])


def ended(island):
    gate = island.site.latest_gate
    gate.stop()
    assert "Fatal error" not in gate.log and "internal-error" not in gate.log, gate.log


@pytest.fixture
def bare(programs, tmp_path):
    """An island whose gate has nothing yet."""
    island = Island(programs, str(tmp_path / "island"))
    yield island
    ended(island)


@pytest.fixture(scope="module")
def inhabited(programs, tmp_path_factory):
    """One whose gate has a stick's people."""
    island = Island(programs, str(tmp_path_factory.mktemp("island")))
    island.enrol(*(f"person-{number}" for number in range(8)))
    gate = island.gate().start()
    assert brought(gate, island.stick())["way"] == "whole"
    yield island
    ended(island)


@pytest.fixture
def island(inhabited):
    """The same for each story: the gate has whatever the office has, and somebody has come since."""
    brought(inhabited.site.latest_gate, inhabited.stick())
    inhabited.known = people(inhabited.site.latest_gate)
    inhabited.enrol(f"newcomer-{inhabited.known}")
    return inhabited


@pytest.fixture
def served(island):
    """Its gate."""
    return island.site.latest_gate


def people(gate):
    return gate.status()["trust"]["enrolled"]


def brought(gate, stick):
    return gate.ask("import", stick)


def refused(gate, stick):
    """The code with which a folder is refused."""
    return gate.refuses_import(stick)


def kept(island):
    """What the gate has for good."""
    state = island.site.path("state")
    digests = {}
    for folder, _, files in os.walk(state):
        for name in files:
            if name.startswith(("trust.db", "trust.recent.db", "trust.floor")) or folder.endswith(("tuf", "staging", "staging.import")):
                with open(os.path.join(folder, name), "rb") as file:
                    digests[name] = hashlib.sha256(file.read()).hexdigest()
    return digests


def data(island):
    """The same without metadata: those that are verified stay, whatever comes after them."""
    return {name: digest for name, digest in kept(island).items() if not name.endswith(".json")}


def is_tidy(island):
    """Nothing lies where a stick's files are taken apart."""
    folder = island.site.path("state", "staging.import")
    return not os.path.exists(folder) or not os.listdir(folder)


def file_of(stick, *name):
    """The file whose name ends so."""
    folder = os.path.join(stick, *name[:-1])
    found, = [each for each in os.listdir(folder) if each.endswith(name[-1])]
    return os.path.join(folder, found)


# In order ---------------------------------------------------------------------------------------


def test_a_gate_lives_from_sticks_alone(bare):
    bare.enrol(*(f"person-{number}" for number in range(8)))
    gate = bare.gate().start()
    assert gate.status()["sync"]["state"] == "waiting" and "from" not in gate.status()["sync"]
    first = bare.stick()
    answer = brought(gate, first)
    assert (answer["way"], answer["requests"] > 4) == ("whole", True)
    trust = gate.status()["trust"]
    assert (trust["origin"], trust["enrolled"], trust["version"]) == ("repository", 8, answer["version"])
    assert gate.events.wait("sync", state="began")["cause"] == "folder"
    assert gate.events.wait("sync", state="succeeded")["import"] == 1

    bare.enrol("newcomer")
    assert brought(gate, bare.stick())["way"] == "changes"
    bare.site.authority("ban", "--subject", "person-3", "--yes")
    last = bare.stick()
    assert brought(gate, last)["way"] == "changes"
    trust = gate.status()["trust"]
    assert (trust["enrolled"], trust["revocations"]) == (9, 1)
    assert "way" not in brought(gate, last)
    assert gate.status()["sync"]["lastSuccess"] and "failure" not in gate.status()["sync"]
    applied = [record for record in gate.journal("--kind", "trust") if record["detail"]["what"] == "applied"]
    assert [record["detail"]["user"] for record in applied] == [os.getuid()] * 3
    assert is_tidy(bare)

    gate.stop()
    gate.start()
    assert people(gate) == 9
    assert json.loads(gate.run_tool("sync", "--json", status=1).stderr)["error"]["code"] == "sync-off"
    assert "from folders alone" in gate.run_tool("status").stdout
    assert refused(gate, first) == "tuf-rollback"


def test_what_people_are_told(served, island):
    stick = island.stick()
    assert "is in force" in served.run_tool("import", stick).stdout
    assert "There was nothing new" in served.run_tool("import", stick).stdout
    run = served.run_tool("import", island.site.path("people"), status=1)
    assert "folder-without-repository" in run.stderr
    assert "/nothing/there" in served.run_tool("import", "/nothing/there", status=1).stderr


def test_a_stick_beside_a_server(programs, tmp_path):
    town = Town(programs, str(tmp_path), CertificateAuthority(str(tmp_path)))
    try:
        town.enrol("ada")
        old = town.site.path("old")
        town.site.authority("publish", "--stick", old)
        town.publish()
        gate = town.served_gate()
        # It knows more than the stick, and says so to who brought it; with the server nothing is wrong.
        assert refused(gate, old) == "tuf-rollback"
        assert "failure" not in gate.status()["sync"]
        town.socket.close()
        assert sync(gate, status=1)["failure"]["code"] == "fetcher-died"
        town.enrol("bob")
        new = town.site.path("new")
        town.site.authority("publish", "--stick", new)
        assert brought(gate, new)["way"] == "changes"
        assert people(gate) == 2
        assert gate.status()["sync"]["failure"]["code"] == "fetcher-died", "a stick fixes no network"
        town.socket = town.fetcher()
        town.enrol("carla")
        town.publish()
        # The gate may have tried again by itself in between, and then there is nothing new.
        assert sync(gate).get("way") in ("changes", None)
        assert people(gate) == 3
    finally:
        town.close()


# What is not a repository of this site --------------------------------------------------------------


def test_another_sites_stick_believes_nothing_here(served, island, programs, tmp_path):
    other = Island(programs, str(tmp_path / "other"))
    other.enrol("eve")
    before = kept(island)
    assert refused(served, other.stick()) == "tuf-arbitrary-software"
    assert kept(island) == before
    record = served.journal("--kind", "trust")[-1]
    assert (record["detail"]["what"], record["reason"], record["detail"]["user"]) == ("refused", "tuf-arbitrary-software", os.getuid())


def test_a_stick_that_is_over_is_refused(served, island):
    stick = island.stick("--valid", "1s")
    before = kept(island)
    wait_until("the stick to be over", lambda: time.time() > expiry(stick), pause=0.1)
    assert refused(served, stick) == "tuf-freeze"
    assert kept(island) == before


def expiry(stick):
    with open(os.path.join(stick, "metadata", "timestamp.json"), encoding="utf-8") as file:
        expires = json.load(file)["signed"]["expires"]
    return calendar.timegm(time.strptime(expires, "%Y-%m-%dT%H:%M:%SZ"))


@pytest.mark.parametrize("kind", ["link", "link in between", "pipe", "folder", "nothing"])
def test_what_is_no_file_of_the_folder_is_not_there(served, island, tmp_path, kind):
    stick, before, elsewhere = island.stick(), kept(island), str(tmp_path / "elsewhere")
    path = os.path.join(stick, "metadata", "timestamp.json")
    if kind == "link in between":
        os.rename(os.path.dirname(path), elsewhere)
        os.symlink(elsewhere, os.path.dirname(path))
        assert refused(served, stick) == "folder-without-repository"
    else:
        os.rename(path, elsewhere)
        if kind == "link":
            os.symlink(elsewhere, path)
        elif kind == "pipe":
            os.mkfifo(path)
        elif kind == "folder":
            os.mkdir(path)
        assert refused(served, stick) == "tuf-missing-file"
    assert kept(island) == before


SPOILT = {
    "cut": (lambda path: os.truncate(path, os.path.getsize(path) // 2), "tuf-wrong-target-length"),
    "empty": (lambda path: os.truncate(path, 0), "tuf-wrong-target-length"),
    "changed": (lambda path: flip(path), "tuf-wrong-target-hash"),
    "without end": (lambda path: os.truncate(path, 1 << 40), ENDLESS),
    "gone": (os.remove, "tuf-missing-file"),
    "a pipe": (lambda path: (os.remove(path), os.mkfifo(path)), "tuf-missing-file"),
}


def flip(path):
    with open(path, "r+b") as file:
        file.seek(os.path.getsize(path) // 2)
        byte = file.read(1)
        file.seek(-1, 1)
        file.write(bytes([byte[0] ^ 1]))


@pytest.mark.parametrize("how", SPOILT)
def test_a_bad_copy_changes_nothing_and_hurts_nobody(served, island, tmp_path, how):
    spoil, code = SPOILT[how]
    stick, good = island.stick(), str(tmp_path / "good")
    shutil.copytree(stick, good)
    spoil(file_of(stick, "targets", "people", f".since-{served.status()['trust']['version']}"))
    before = data(island)
    # More often than a server's file may be refused.
    for _ in range(4 if how == "changed" else 1):
        assert refused(served, stick) == code
        assert data(island) == before
    assert is_tidy(island)
    assert brought(served, good)["way"] == "changes"


# What is wrong with whoever reads it ---------------------------------------------------------------


def test_a_stick_that_is_pulled_out_at_any_file(served, island):
    stick, before = island.stick(), data(island)
    for after in range(100):
        code = Visit(served.socket, honest(stick, pulled_out, after)).end()
        if code is None:
            break
        assert code == "folder-unreadable", after
        assert data(island) == before and is_tidy(island), after
    assert after >= 4
    assert people(served) == island.known + 1


def test_a_tool_that_dies_at_any_file(served, island):
    stick, before = island.stick(), data(island)
    for after in range(100):
        code = Visit(served.socket, honest(stick, killed, after)).end()
        if code is None:
            break
        assert code == "folder-gone", after
        assert data(island) == before and is_tidy(island), after
    assert after >= 4
    assert people(served) == island.known + 1


def test_no_lie_of_a_tool_is_believed(served, island):
    stick, before = island.stick(), kept(island)
    codes = {GONE: "folder-gone", "connection-lost": "folder-unreadable"}
    for name, (lie, code) in LIES.items():
        if code != SLOW:
            assert Visit(served.socket, lie).end() == codes.get(code, code), name
            assert kept(island) == before, name
    assert served.ask("journal", "verify")
    assert brought(served, stick)["way"] == "changes"


def test_a_tool_that_hangs_is_given_up_and_says_so(served, island):
    stick, before = island.stick(), data(island)
    # Silent from the first moment on: a disk that does not answer.
    assert Visit(served.socket, Wire.wait).end() == "folder-silent"
    assert data(island) == before
    assert brought(served, stick)["way"] == "changes"


def test_killed_at_any_moment_there_is_the_old_state_or_the_new_one(served, island):
    chance = random.Random(730)
    for turn in range(6):
        island.enrol(f"late-{turn}")
        stick, before = island.stick(), people(served)
        tool = island.programs.start("tapstile", "import", stick, "--socket", served.socket, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        # Any moment will do.
        time.sleep(chance.uniform(0, 0.15))
        if turn % 2:
            served.kill()
            assert processes.ended(tool) in (0, 1)
            processes.end(tool)
            served.start()
        else:
            tool.send_signal(signal.SIGKILL)
            processes.end(tool)
        new = island.known + 2 + turn
        trust = served.status()["trust"]
        assert trust["state"] == "ready" and trust["enrolled"] in (before, new)
        # Whoever comes next does not wait for somebody who is gone.
        brought(served, stick)
        assert people(served) == new
        assert is_tidy(island)


# Who may, and when --------------------------------------------------------------------------------


def test_one_folder_is_read_and_one_waits(served, island):
    stick, release = island.stick(), threading.Event()
    first = Visit(served.socket, held(release))
    served.events.wait("sync", state="began", **{"import": first.number})
    second = Visit(served.socket, honest(stick))
    assert second.report()["state"] == "queued" and first.report()["state"] == "fetching"
    assert refused(served, stick) == "import-waiting"
    release.set()
    assert first.end() == "folder-gone"
    assert second.end() is None
    assert people(served) == island.known + 1


def test_only_a_connection_of_this_machine_is_taken(served, island):
    reading, writing = os.pipe()
    others = [socket.socket(), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)]
    with Control(served.socket) as control, open(island.root, "rb") as file:
        for descriptor in (file.fileno(), reading, writing, *(each.fileno() for each in others)):
            with pytest.raises(Refused, match="request-malformed"):
                control.ask("import-folder", descriptor)
        with pytest.raises(Refused, match="file-missing"):
            control.ask("import-folder")
        with pytest.raises(Refused, match="import-unknown"):
            control.ask("import-follow", **{"import": 1 << 40})
    for each in (reading, writing):
        os.close(each)
    for each in others:
        each.close()
