"""The daemon among others: a second one, signals, power cuts, hostile clients, hostile publications."""

import os
import random
import signal

import pytest

from gatehouse import Gate, RelayedPhone, Silence, Site

NO_COOLDOWN = "cooldown-success-ms = 0\ncooldown-failure-ms = 0"


# Starting and ending


def test_a_second_daemon_says_so_and_ends(site, gate):
    run = site.programs.run("tapstiled", "--config", gate.configuration, status=1)
    assert "tapstiled: " in run.stderr and "already" in run.stderr
    # The first one has noticed nothing.
    assert gate.is_running and gate.status()["lanes"][0]["indicator"] == "ready"
    assert site.anna.phone().tap()["result"] == "granted"


def test_wrong_arguments(site):
    assert site.programs.run("tapstiled", "--confg", "x", status=2).stderr


def test_wrong_keys(site, start):
    """The gate comes up, says so, and opens to nobody."""
    os.replace(site.path("authority", "gates", "gates", "gate-agreement.key"),
               site.path("authority", "gates", "gates", "gate-signing.key"))
    gate = start()
    assert [(key["key"], key["code"]) for key in gate.status()["keys"]] == [
        ("gate.signing-key", "key-file-role"), ("gate.agreement-key", "key-file-missing")]
    assert site.anna.phone().tap("--timeout", 2000)["status"] == 4
    gate.events.wait("result", reason="lane-fault")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_in_the_middle_of_a_pulse_leaves_the_relay_at_rest(site, start, number):
    gate = start(relay="pulse-ms = 60000")
    assert site.anna.phone().tap()["result"] == "granted"
    gate.events.wait("relay", energised=True)
    gate.signal(number)
    gate.events.wait("relay", energised=False)
    assert gate.ended() == 0
    gate.events.close()
    assert not os.path.exists(gate.socket)
    gate.start()
    assert gate.status()["lanes"][0]["relay"] is False
    assert "attempts-closed" not in gate.log


def test_killed_and_started_again(site, start):
    """Open attempts are closed as outcome-unknown, the chain goes on, and the old socket is no obstacle."""
    gate = start(lane=NO_COOLDOWN)
    assert site.anna.phone().tap()["result"] == "granted"
    before = gate.journal()
    silence = Silence(2)
    phone = RelayedPhone(site.anna, silence).insert()
    # message_2 is with the phone: the attempt's record is on its way to the disk.
    silence.wait_for_it()
    gate.wait_for_the_journal()
    gate.kill()
    silence.answers.set()
    phone.remove()
    # pcscd need not have seen the phone leave.
    gate.start()
    gate.wait_for_reader()
    assert "attempts-closed: 1 " in gate.log
    assert "journal-set-aside" not in gate.log and "journal-cut" not in gate.log
    (closed,) = gate.journal("--reason", "outcome-unknown")
    assert closed["lane"] == "entry" and "subject" not in closed
    after = gate.journal()
    assert after[: len(before)] == before
    assert [record["sequence"] for record in after] == sorted(record["sequence"] for record in after)
    assert gate.status()["journal"]["head"] == after[-1]["hash"]
    assert site.anna.phone().tap()["result"] == "granted"


def test_killed_in_the_middle_of_a_pulse(site, start):
    """The process cannot de-energise the relay any more; the one that follows does, and says so."""
    gate = start(relay="pulse-ms = 60000")
    told = site.anna.phone().tap()
    assert told["result"] == "granted"
    gate.events.wait("relay", energised=True)
    gate.kill()
    gate.start()
    assert gate.status()["lanes"][0]["relay"] is False
    assert "attempts-closed" not in gate.log
    assert [record["subject"] for record in gate.journal("--reason", "granted")] == ["anna"]


def test_its_threads_share_one_heap(site, gate):
    """The C library reserves 64 MiB for every further one, each of which keeps what it once needed."""
    assert site.anna.phone().tap()["result"] == "granted"
    with open(f"/proc/{gate.process.pid}/maps") as file:
        areas = [line.split() for line in file]
    reserved = [end - start for start, end in ([int(bound, 16) for bound in area[0].split("-")] for area in areas if area[1] == "---p")]
    assert max(reserved, default=0) < 32 << 20


# The control socket


class TestControlSocket:
    def test_hostile_lines(self, site, gate):
        """Each is answered with a code, and nobody else notices."""
        for line, code in [
            (b"hello\n", "request-malformed"),
            (b"\xff\xfe\x00\n", "request-malformed"),
            (b'{"v":1}\n', "request-malformed"),
            (b'{"v":1,"id":1}\n', "request-malformed"),
            (b'{"v":1,"v":1,"id":1,"do":"status"}\n', "request-malformed"),
            (b'{"v":2,"id":1,"do":"status"}\n', "version-unknown"),
            (b'{"v":1,"id":1,"do":"explode"}\n', "operation-unknown"),
            (b'{"v":1,"id":1,"do":"journal","limit":"all"}\n', "request-malformed"),
            # What brought single files, before a folder had to come.
            (b'{"v":1,"id":1,"do":"import"}\n', "operation-unknown"),
            (b'{"v":1,"id":1,"do":"import-folder"}\n', "file-missing"),
            (b"[" * 5000 + b"\n", "request-malformed"),
        ]:
            with gate.connect() as client:
                answer = client.ask(line)
                assert answer["error"]["code"] == code, (line[:60], answer)
                # The connection is good for the next line.
                assert client.ask(b'{"v":1,"id":7,"do":"status"}\n')["id"] == 7
        assert site.anna.phone().tap()["result"] == "granted"

    def test_a_line_that_does_not_end(self, site, gate):
        with gate.connect() as client:
            try:
                client.send(b"x" * 200_000)
            except (BrokenPipeError, ConnectionResetError):
                pass
            answer = client.line()
            assert answer is None or answer["error"]["code"] == "line-too-long"
        assert gate.status()["gate"] == "gate-1"

    def test_random_bytes(self, gate):
        chance = random.Random(42)
        for _ in range(20):
            with gate.connect() as client:
                client.send(chance.randbytes(chance.randint(1, 3000)) + b"\n")
                assert "error" in client.line()
        assert gate.status()["gate"] == "gate-1"

    def test_clients_that_stay(self, site, gate):
        """When all places are taken, newcomers are told so; phones do not care."""
        # Root has all 32 places, anybody else 8.
        clients = [gate.connect() for _ in range(40)]
        told = [client.line()["error"]["code"] for client in clients[32:]]
        assert set(told) == {"too-many-clients"}
        assert site.programs.run("tapstile-phone", "help", status=0)
        site.latest_gate = None
        mark = gate.events.mark
        assert site.anna.phone().tap()["result"] == "granted"
        gate.events.wait("result", since=mark)
        for client in clients:
            client.close()

    def test_a_subscriber_that_never_reads_delays_nobody(self, site, gate):
        with gate.connect() as slow:
            slow.send(b'{"v":1,"id":1,"do":"events"}\n')
            assert slow.line()["body"] == {"subscribed": True}
            for _ in range(3):
                mark = gate.events.mark
                assert site.anna.phone().tap()["result"] == "granted"
                assert gate.events.wait("result", since=mark)["timing"]["relay"] < 250_000

    def test_who_may_not_act(self, site, gate, folder):
        """Somebody who is neither root nor in the group cannot even connect."""
        if os.geteuid() != 0:
            pytest.skip("only root can become somebody else")
        assert os.stat(gate.socket).st_mode & 0o007 == 0


# Publications


class TestPublications:
    @pytest.fixture
    def publication(self, site, gate):
        """One that would be accepted."""
        site.person("carl").enrol()
        return site.publish()

    @staticmethod
    def whatever_the_time(gate):
        """What status says of the site data, but for how old they are."""
        return {name: value for name, value in gate.status()["trust"].items() if name != "age"}

    def refused(self, site, gate, path, *codes):
        before = self.whatever_the_time(gate)
        code = gate.refuses_import(path)
        assert code in codes, code
        assert self.whatever_the_time(gate) == before
        assert gate.journal("--reason", code)[-1]["kind"] == "trust"
        # The old data still admit.
        assert site.anna.phone().tap()["result"] == "granted"

    @pytest.mark.parametrize("part", ["people", "site"])
    def test_tampered_in_the_body(self, site, gate, publication, part):
        site.rules('time-zone = "UTC"\n')
        for path in targets(site.publish(), part):
            tamper(path, -10)
        self.refused(site, gate, site.path("publication-3"), "tuf-wrong-target-hash")

    @pytest.mark.parametrize("keep", [0.3, 0.999])
    def test_truncated(self, site, gate, publication, keep):
        for path in targets(publication, "people"):
            os.truncate(path, int(os.path.getsize(path) * keep))
        self.refused(site, gate, publication, "tuf-wrong-target-hash", "tuf-wrong-target-length", "tuf-target-too-short")

    def test_of_another_site(self, site, gate, programs, folder):
        other = Site(programs, folder + "/other", name="elsewhere")
        self.refused(site, gate, other.publish(), "tuf-arbitrary-software")

    def test_rolled_back(self, site, gate, publication):
        newer = site.publish()
        gate.import_publication(newer)
        self.refused(site, gate, publication, "tuf-rollback")
        # The very same one again is no rollback.
        assert gate.import_publication(newer)["version"] == gate.status()["trust"]["version"]

    def test_not_a_folder(self, gate, folder):
        for content in (b"", random.Random(1).randbytes(100_000)):
            with open(folder + "/noise", "wb") as file:
                file.write(content)
            assert gate.refuses_import(folder + "/noise") == "folder-without-repository"
        assert gate.run_tool("import", folder, status=1).stderr
        assert gate.run_tool("import", folder + "/nowhere", status=1).stderr
        os.mkfifo(folder + "/pipe")
        writer = os.open(folder + "/pipe", os.O_RDWR)
        assert gate.run_tool("import", folder + "/pipe", status=1).stderr
        os.close(writer)
        assert gate.status()["trust"]["state"] == "ready"

    def test_survives_a_restart(self, site, start):
        gate = start(lane=NO_COOLDOWN)
        trust = gate.status()["trust"]
        gate.kill()
        gate.start()
        gate.wait_for_reader()
        assert gate.status()["trust"]["version"] == trust["version"]
        assert site.anna.phone().tap()["result"] == "granted"

    def test_damaged_on_the_disk(self, site, start):
        """Set aside, nothing is granted, and the next import fixes it."""
        gate = start(lane=NO_COOLDOWN)
        gate.stop()
        tamper(site.path("state", "trust.db"), 100, 4000)
        gate.start()
        gate.wait_for_reader()
        status = gate.status()["trust"]
        assert status["state"] == "absent" and status["setAside"]
        mark = gate.events.mark
        assert site.anna.phone().tap()["result"] == "refused"
        assert gate.events.wait("result", since=mark)["reason"] == "no-trust-data"
        gate.import_publication(site.publish())
        assert site.anna.phone().tap()["result"] == "granted"


def targets(stick, part):
    folder = os.path.join(stick, "targets", part)
    return [os.path.join(folder, name) for name in os.listdir(folder)]


def tamper(path, place, count=1):
    """Turns bits over from a place in a file on, negative from its end."""
    with open(path, "r+b") as file:
        file.seek(place, os.SEEK_END if place < 0 else os.SEEK_SET)
        data = file.read(count)
        file.seek(-len(data), os.SEEK_CUR)
        file.write(bytes(byte ^ 0xFF for byte in data))


def test_two_gates_at_once(site, gate, folder):
    """Another folder, another socket: they do not meet."""
    second = Site(site.programs, folder + "/second")
    other = second.gate(match='name = "Tapstile Virtual Reader 00 01"')
    assert isinstance(other, Gate)
    other.start()
    other.wait_for_reader()
    other.import_publication(second.publish())
    bert = second.person("bert")
    bert.give_token()
    assert bert.phone("--slot", "2").tap()["result"] == "granted"
    assert gate.journal("--reason", "granted") == []
    assert other.stop() == 0
