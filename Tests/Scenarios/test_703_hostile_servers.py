"""Servers that feed the real tapstile-net what is no file and never ends (S4, S5): each is given up, and the next one is asked."""

import os
import threading

import pytest

from gatehouse import Programs
from gatehouse.wall_clock import WallClock
from network.attacks import client, lab  # noqa: F401
from network.attacks import refused
from network.certificates import CertificateAuthority
from network.fetcher import Fetcher
from network.nginx import Nginx
from network.servers import RawServer
from network.town import Town, first_look, sync

OK = b"HTTP/1.1 200 OK\r\n"
TERABYTE = 1 << 40
# A body of so many bytes a second would do.
RATE, WINDOW = 1024, 1000


@pytest.fixture(scope="module")
def programs():
    return Programs(os.environ["TAPSTILE_BIN"])


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return CertificateAuthority(str(tmp_path_factory.mktemp("authority")))


@pytest.fixture
def town(programs, tmp_path, authority):
    town = Town(programs, str(tmp_path), authority)
    yield town
    town.close()


def fetcher(programs, **setup):
    return Fetcher.child(programs).set_up(**setup)


# A terabyte of nothing ------------------------------------------------------------------------------


def test_a_sparse_terabyte_is_not_begun(programs, authority, tmp_path):
    with Nginx(str(tmp_path), authority.issue("server", "127.0.0.1")) as server, fetcher(programs, authorities=authority.file) as asking:
        server.put("file", b"x")
        os.truncate(os.path.join(server.root, "file"), TERABYTE)
        answer = asking.fetch(server.url("file"), most=1 << 20)
        assert (answer.code, answer.body) == ("too-many-bytes", b"")
        # A part of it neither.
        assert asking.fetch(server.url("file"), offset=10, most=1 << 20).body == b""
        server.put("file", b"good")
        assert asking.fetch(server.url("file")).body == b"good"


def size(folder):
    """The bytes on the disk below it."""
    return sum(os.lstat(os.path.join(place, name)).st_blocks * 512 for place, _, names in os.walk(folder) for name in names)


def test_a_gate_that_is_served_a_sparse_terabyte_writes_none_of_it(town):
    town.enrol("ada")
    town.publish()
    folder = os.path.join(town.repository, "targets", "people")
    whole, = [each for each in os.listdir(folder) if each.endswith(".full")]
    with open(os.path.join(folder, whole), "rb") as file:
        good = file.read()
    os.truncate(os.path.join(folder, whole), TERABYTE)
    gate = town.gate().start()
    assert first_look(gate)["failure"]["code"] == "endless-data"
    before = size(town.site.path("state"))
    for _ in range(3):
        assert sync(gate, status=1)["failure"]["code"] == "endless-data"
    assert size(town.site.path("state")) < before + (8 << 20)
    town.nginx.put(os.path.join("targets", "people", whole), good)
    assert sync(gate)["way"] == "whole"


# Answers that never begin ---------------------------------------------------------------------------


def again(first, piece, pause, wake):
    """Says one thing, and then the other at that pace, until nobody listens."""
    def answer(connection, _=None):
        connection.sendall(first)
        while not wake.wait(pause):
            connection.sendall(piece)
    return answer


#: What is said first, what comes again and again, and how many seconds lie between.
NEVER = {
    "a header at one byte a second": (OK + b"X-More: ", b"x", 1),
    "the first line at one byte a second": (b"HTTP/1.1 2", b"0", 1),
    "lines of a header now and then": (OK, b"X-More: x\r\n", 0.2),
    "1xx now and then": (b"", b"HTTP/1.1 103 Early Hints\r\n\r\n", 0.2),
    "100 for ever": (b"", b"HTTP/1.1 100 Continue\r\n\r\n", 0),
    "102 for ever": (b"", b"HTTP/1.1 102 Processing\r\nX-More: " + b"x" * 1000 + b"\r\n\r\n", 0),
}


@pytest.fixture
def wake():
    wake = threading.Event()
    yield wake
    wake.set()


@pytest.mark.parametrize("what", NEVER)
def test_an_answer_that_never_begins_is_given_up_and_the_next_server_asked(programs, wake, what):
    first, piece, pause = NEVER[what]
    with RawServer(again(first, piece, pause, wake)) as server, fetcher(programs) as asking:
        answer = asking.fetch(server.url(), rate=RATE, window=WINDOW)
        # What comes fast is too long a header, and what comes slowly is too slow.
        assert answer.code in (("too-slow",) if pause else ("answer-malformed", "connection-lost", "address-refused", "fetch-failed"))
        assert (answer.status, answer.body) == (None, b"")
        with RawServer(lambda connection, _: connection.sendall(OK + b"Content-Length: 4\r\n\r\ngood")) as good:
            assert asking.fetch(good.url(), rate=RATE, window=WINDOW).body == b"good"


@pytest.mark.parametrize("what", [name for name, (_, _, pause) in NEVER.items() if pause])
def test_whoever_asks_gives_it_up_too_and_the_old_root_stays(lab, client, wake, what):  # noqa: F811
    first, piece, pause = NEVER[what]
    lab.files["/metadata/timestamp.json"] = lambda handler: again(first, piece, pause, wake)(handler.connection)
    refused(client.download("people/full", options=["--stall-timeout", "1"]), "slow-retrieval", client, root=1, timestamp=0)


# Old files, and a clock for which nobody vouches ----------------------------------------------------


def test_a_freeze_is_noticed_by_a_clock_that_nobody_vouches_for_and_what_is_new_still_arrives(town):
    town.enrol("ada", "bob")
    town.publish()
    gate = town.gate(clock="")
    clock = WallClock(gate, alone=True)
    gate.start()
    assert "failure" not in first_look(gate)
    assert gate.status()["clock"]["trust"] == "untrusted"

    # A timestamp counts for three days: somebody serves the old files for longer.
    clock.set(4 * 24)
    assert sync(gate, status=1)["failure"]["code"] == "tuf-freeze"
    status = gate.status()
    assert status["sync"]["warning"]["code"] == "sync-ended" and "timestamp" in status["sync"]["warning"]["message"]
    assert status["trust"]["enrolled"] == 2, "whoever is known passes"

    # The clock is put back to before all that was signed. The same files pass again, and make nothing fresh: hours of service count.
    clock.set(-10 * 24)
    age = gate.status()["trust"]["age"]["service"]
    assert "way" not in sync(gate)
    assert gate.status()["trust"]["age"]["service"] >= age
    assert gate.status()["clock"]["trust"] == "untrusted"
    # What has been taken back since reaches the gate all the same.
    town.site.authority("ban", "--subject", "ada", "--yes")
    town.publish()
    assert sync(gate)["way"] == "changes"
    assert gate.status()["trust"]["revocations"] == 1
