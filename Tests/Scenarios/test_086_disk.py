"""Another program, or the disk itself, keeps the gate from writing: nobody passes unrecorded, the gate says why,
and goes on by itself."""

import os
import sqlite3

from patience import PATIENCE

NO_COOLDOWN = "cooldown-success-ms = 0\ncooldown-failure-ms = 0"


class Backup:
    """A program that holds the journal's write lock."""

    def __init__(self, site):
        self.connection = sqlite3.connect(site.path("state", "journal.db"), isolation_level=None, timeout=PATIENCE)
        self.connection.execute("BEGIN IMMEDIATE")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.execute("ROLLBACK")
        self.connection.close()


def lane(gate):
    (lane,) = gate.status()["lanes"]
    return [fault["code"] for fault in lane["faults"]]


def test_locked_in_service(site, start):
    gate = start(lane=NO_COOLDOWN, audit="durable-within-ms = 100")
    mark = gate.events.mark
    with Backup(site):
        assert site.anna.phone().tap()["reason"] == "audit-unavailable"
        gate.events.wait("lane", since=mark, faults=["journal-fault"])
        assert gate.status()["journal"]["failure"]["code"] == "database-busy"
        assert "fuser" in gate.run_tool("status").stdout
    gate.events.wait("lane", since=mark, faults=[])
    assert site.anna.phone().tap()["result"] == "granted"
    reasons = [record["reason"] for record in gate.journal() if record["kind"] == "outcome"]
    assert reasons == ["audit-unavailable", "granted"], "the refusal is written down late, and not lost"


def test_what_an_operator_orders_is_done_and_its_record_missed(site, start):
    """A lock-down waits for no disk; that a restart would forget it is said to whoever ordered it."""
    gate = start(audit="durable-within-ms = 100")
    mark = gate.events.mark
    with Backup(site):
        told = gate.run_tool("lane", "entry", "lock-down", status=3)
        assert "not-journalled" in told.stderr and gate.status()["lanes"][0]["mode"]["mode"] == "locked-down"
        assert gate.ask("lane", "entry", "lock-down", status=3)["journalled"] is False
    gate.events.wait("lane", since=mark, faults=[])
    assert gate.run_tool("lane", "entry", "lock-down").stderr == ""
    assert gate.stop() == 0
    gate.start()
    assert gate.status()["lanes"][0]["mode"]["mode"] == "locked-down"
    assert site.anna.phone().tap()["reason"] == "lane-closed"
    assert "lock-down" in [record["reason"] for record in gate.journal() if record["kind"] == "mode"]


def test_locked_at_the_start(site, start):
    gate = start()
    assert gate.stop() == 0
    with Backup(site):
        gate.start()
        assert lane(gate) == ["journal-fault"] or gate.events.wait("lane", faults=["journal-fault"])
    gate.wait_with_events("the lane without a fault", lambda: not lane(gate), "lane")
    gate.wait_for_reader()
    assert site.anna.phone().tap()["result"] == "granted"


def test_both_databases_damaged(site, start):
    """Set aside, said loudly; the chain goes on in a new file, and nobody passes until site data are imported."""
    gate = start(lane=NO_COOLDOWN)
    assert site.anna.phone().tap()["result"] == "granted"
    gate.wait_for_an_empty_field()
    before = gate.status()["journal"]["sequence"]
    assert gate.stop() == 0
    for name in ("journal.db", "trust.db"):
        with open(site.path("state", name), "r+b") as file:
            file.seek(100)
            file.write(b"\xff" * 3900)
    gate.start()
    gate.wait_for_reader()
    status = gate.status()
    assert status["trust"]["code"] == "database-corrupt" and status["trust"]["setAside"] == "trust.db.corrupt-1"
    assert status["journal"]["setAside"]["code"] == "journal-set-aside"
    assert status["journal"]["sequence"] > before
    assert {"trust.db.corrupt-1", "journal.db.corrupt-1"} <= set(os.listdir(site.path("state")))
    assert "trust-set-aside: " in gate.log and "journal-set-aside: " in gate.log
    assert site.anna.phone().tap()["result"] != "granted"
    gate.events.wait("result", reason="no-trust-data")
    gate.import_publication(site.publish())
    assert site.anna.phone().tap()["result"] == "granted"
