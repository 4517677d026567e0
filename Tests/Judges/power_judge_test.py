"""Who judges the disks of power cuts (lab/powercuts) must find what is missing: here the disks are forged."""

import hashlib
import json
import os
import sqlite3
import sys

import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "lab"))

from powercuts import cbor, witness  # noqa: E402
from powercuts.judge import Judge  # noqa: E402
from powercuts.synchronising import MEMBERS, RepositoryJudge  # noqa: E402

BOOT = bytes(range(16))
SETTINGS = {"tapstile.toml": b"[site]\n"}


def encode(item):
    """Deterministic CBOR of what a record's body is made of."""
    def head(major, value):
        for size, short in ((1, 24), (2, 25), (4, 26), (8, 27)):
            if value < 24:
                return bytes([major << 5 | value])
            if value < 1 << 8 * size:
                return bytes([major << 5 | short]) + value.to_bytes(size, "big")
        raise ValueError(value)
    if isinstance(item, bool):
        return b"\xf5" if item else b"\xf4"
    if isinstance(item, int):
        return head(0, item) if item >= 0 else head(1, -1 - item)
    if isinstance(item, bytes):
        return head(2, len(item)) + item
    if isinstance(item, str):
        return head(3, len(item.encode())) + item.encode()
    if isinstance(item, list):
        return head(4, len(item)) + b"".join(map(encode, item))
    pairs = sorted((encode(key), encode(value)) for key, value in item.items())
    return head(5, len(pairs)) + b"".join(key + value for key, value in pairs)


class Disk:
    """A gate's disk after a cut, with what the gate wrote there before."""

    def __init__(self, folder):
        self.folder = str(folder)
        self.chains = {"main": [], "unproven": []}
        self.open = {}

    def _add(self, partition, kind, at, lane, **fields):
        rows = self.chains[partition]
        body = {0: 1, 1: partition, 2: len(rows) + 1, 3: BOOT, 4: kind, 5: at, 6: 0, 7: at,
                8: lane, 9: f"{lane}-reader", 16: True}
        body |= {{"attempt": 12, "subject": 13, "reason": 15}[name]: value for name, value in fields.items()}
        rows.append(body)
        return len(rows)

    def attempt(self, at, lane="entry"):
        number = self._add("unproven", "attempt", at, lane)
        self.open[number] = self.chains["unproven"][-1]
        return number

    def outcome(self, attempt, at, lane="entry", reason="granted"):
        self.open.pop(attempt)
        self._add("main", "outcome", at, lane, attempt=attempt, subject=f"person-{lane}", reason=reason)

    def tap(self, at, lane="entry"):
        self.outcome(self.attempt(at, lane), at + 30, lane)

    def write(self, spoil=lambda rows: rows):
        """Writes it down. `spoil` changes the rows of the main chain on the way."""
        state = os.path.join(self.folder, "state")
        os.makedirs(state, exist_ok=True)
        os.makedirs(os.path.join(self.folder, "etc"), exist_ok=True)
        for name, content in SETTINGS.items():
            with open(os.path.join(self.folder, "etc", name), "wb") as file:
                file.write(content)
        sqlite3.connect(os.path.join(state, "trust.db")).close()
        path = os.path.join(state, "journal.db")
        if os.path.exists(path):
            os.unlink(path)
        database = sqlite3.connect(path)
        database.executescript("""
            CREATE TABLE anchor (partition TEXT, sequence INTEGER, hash BLOB);
            CREATE TABLE open_attempt (sequence INTEGER, body BLOB);""")
        for partition, bodies in self.chains.items():
            table = f"{partition}_record"
            database.execute(f"CREATE TABLE {table} (sequence, kind, wall, lane, reason, body, hash)")
            digest, rows = bytes(32), []
            for body in bodies:
                digest = hashlib.sha256(digest + encode(body)).digest()
                rows.append((body[2], body[4], body[5], body[8], body.get(15), encode(body), digest))
            rows = spoil(rows) if partition == "main" else rows
            database.executemany(f"INSERT INTO {table} VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        attempts = [(number, encode(body)) for number, body in self.open.items()]
        database.executemany("INSERT INTO open_attempt VALUES (?, ?)", attempts)
        database.commit()
        database.close()
        return self.folder


def console(*lines):
    return witness.Testimony.read([f"board: boot {BOOT.hex()}", "board: tapping", *lines])


@pytest.fixture
def disk(tmp_path):
    return Disk(tmp_path)


@pytest.fixture
def judge():
    return Judge(SETTINGS, ("entry", "exit"))


def losses(judge):
    return " / ".join(judge.account.losses)


def test_a_tap_with_attempt_and_name_is_no_loss(disk, judge):
    disk.tap(1000)
    disk.tap(1500, "exit")
    judge.cut(1, console("edge entry 1 1031", "edge entry 0 1081", "edge exit 1 1532"), disk.write())
    assert losses(judge) == ""
    assert str(judge.account) == "1 cuts, 2 edges, 2 records, 0 unknown, 0 losses"


def test_one_grant_in_a_lane_may_lack_its_name(disk, judge):
    disk.tap(1000)
    open_attempt = disk.attempt(1500)
    judge.cut(1, console("edge entry 1 1031", "edge entry 1 1532"), disk.write())
    disk.outcome(open_attempt, 3000, reason="outcome-unknown")
    judge.cut(2, witness.Testimony(boot="another"), disk.write())
    assert losses(judge) == "" and judge.account.unknown == 1


def test_two_nameless_grants_in_a_lane_are_a_loss(disk, judge):
    disk.attempt(1000)
    disk.attempt(1500)
    judge.cut(1, console("edge entry 1 1031", "edge entry 1 1532"), disk.write())
    assert "opened 2 times without a name" in losses(judge)


def test_an_edge_without_an_attempt_is_a_loss(disk, judge):
    disk.tap(1000)
    judge.cut(1, console("edge entry 1 1031", "edge entry 1 1532"), disk.write())
    assert "energised at" in losses(judge) and "no attempt" in losses(judge)


def test_an_attempt_of_the_other_lane_does_not_count(disk, judge):
    disk.tap(1000, "exit")
    judge.cut(1, console("edge entry 1 1031"), disk.write())
    assert "the relay of lane entry was energised at 1031" in losses(judge)


def test_an_attempt_that_was_refused_moves_no_relay(disk, judge):
    disk.outcome(disk.attempt(1000), 1030, reason="revoked")
    judge.cut(1, console("edge entry 1 1031"), disk.write())
    assert "no attempt" in losses(judge)


def test_what_is_left_open_must_be_closed_by_the_next_start(disk, judge):
    disk.attempt(1000)
    judge.cut(1, console("edge entry 1 1031"), disk.write())
    judge.cut(2, witness.Testimony(boot="another"), disk.write())
    assert "is open still" in losses(judge)


def test_a_record_that_was_there_may_not_be_missing_a_boot_later(disk, judge):
    disk.tap(1000)
    disk.tap(1500)
    judge.cut(1, console(), disk.write())
    disk.chains["main"].pop()
    judge.cut(2, witness.Testimony(boot="another"), disk.write())
    assert "not a continuation" in losses(judge)


@pytest.mark.parametrize("spoil", [
    lambda rows: rows[1:], lambda rows: [rows[0][:4] + ("revoked",) + rows[0][5:], *rows[1:]],
    lambda rows: [rows[0][:5] + (rows[0][5] + b"\x00", rows[0][6]), *rows[1:]]])
def test_a_chain_that_is_not_whole_is_a_loss(disk, judge, spoil):
    disk.tap(1000)
    disk.tap(1500)
    judge.cut(1, console(), disk.write(spoil))
    assert "of the main chain" in losses(judge)


def test_a_head_that_a_phone_was_told_must_be_there(disk, judge):
    disk.tap(1000)
    told = '{"journalHead":"%s","reason":"granted","result":"granted"}'
    known = hashlib.sha256(bytes(32) + encode(disk.chains["main"][0])).hexdigest()
    judge.cut(1, console(told % known), disk.write())
    assert losses(judge) == ""
    judge.cut(2, console(told % ("ab" * 32)), disk.write())
    assert "was told the head abababababababab" in losses(judge)


def test_a_relay_at_the_start_is_a_loss(judge):
    said = witness.Testimony.read(["level entry 1 900", "board: relays before 1 0", "board: relays after 0 0",
                                   'board: verified {"holds":true,"main":1}',
                           'board: status {"trust":{"state":"ready","version":1},"journal":{}}'])
    judge.start(said)
    assert "relays before" in losses(judge) and "without a phone" in losses(judge) and len(judge.account.losses) == 2


def test_site_data_may_not_go_back(judge):
    up = ['board: relays before 0 0', "board: relays after 0 0", 'board: verified {"holds":true,"main":1}',
          'board: status {"trust":{"state":"ready","version":1},"journal":{}}']
    judge.start(witness.Testimony.read([*up, "Version 2 of 2026-01-31T08:00:00.000Z is in force: 3 records."]))
    assert losses(judge) == ""
    judge.start(witness.Testimony.read(up))
    assert "publication 2 was in force, and now it is 1" in losses(judge)


def test_what_is_said_after_the_disk_dropped_does_not_count():
    said = console("edge entry 1 1000", "board: dropping", "edge entry 1 1500")
    assert [edge.milliseconds for edge in said.edges] == [1000]


# A gate that synchronises -----------------------------------------------------------------------

ROLES = ("root", "timestamp", "snapshot", "targets", "people")
UP = ['board: relays before 0 0', "board: relays after 0 0", 'board: verified {"holds":true,"main":1}']


@pytest.fixture
def follower():
    """The judge of a gate that follows a repository; ben may pass by version 1, and not by version 2."""
    judge = RepositoryJudge(SETTINGS, ("entry", "exit"))
    judge.states = {1: True, 2: False}
    return judge


def remember(disk, *slots, **metadata):
    """The two slots of `trust.versions`, each a number and the versions of all roles; the version in the file of a role."""
    def sealed(number, versions):
        value = encode([bytes(32), *versions])
        body = b"TSSLOT1\n" + number.to_bytes(8, "big") + len(value).to_bytes(2, "big") + value
        return (body + hashlib.sha256(body).digest()).ljust(512, b"\0")
    state = os.path.join(disk.folder, "state")
    os.makedirs(os.path.join(state, "tuf"), exist_ok=True)
    with open(os.path.join(state, "trust.versions"), "wb") as file:
        file.write(b"".join(sealed(*slot) if slot else bytes(512) for slot in slots))
    for role, version in metadata.items():
        with open(os.path.join(state, "tuf", f"{role}.json"), "w", encoding="utf-8") as file:
            json.dump({"signed": {"version": version}, "signatures": []}, file)


def state_of(version, *said, **more):
    trust = {"state": "ready", "origin": "repository", "version": version, "memberships": MEMBERS, **more}
    return witness.Testimony.read([*UP, "board: status " + json.dumps({"trust": trust, "journal": {}}), "board: tapping", *said])


def tapped(result):
    return [json.dumps({"result": result, "reason": "revoked", "journalHead": ""}).replace(": ", ":"), "board: decided"]


def test_a_state_that_was_published_and_decides_so_is_no_loss(follower, disk):
    follower.start(state_of(1, *tapped("granted"), "board: run 0 There was nothing new.", "board: version 2 is in force", "board: run 1 connect-failed"))
    follower.start(state_of(2, *tapped("refused")))
    for turn in (1, 2):
        remember(disk, (2 * turn, [1, turn, turn, 1, turn]), (1, [1, 1, 1, 1, 1]), timestamp=turn, people=1)
        follower.cut(turn, console(), disk.write())
    assert losses(follower) == ""


@pytest.mark.parametrize("state, words", [
    (state_of(3), "never published"), (state_of(1, memberships=0), "never published"), (state_of(1, origin="publication"), "never published"),
    (state_of(2, *tapped("granted")), "by version 2 a tap ended so: granted"), (state_of(1, *tapped("refused")), "by version 1"),
    (state_of(1, "board: run 1 tuf-rollback: timestamp"), "first run")])
def test_another_state_or_decision_is_a_loss(follower, state, words):
    follower.start(state)
    assert words in losses(follower)


def test_a_state_that_was_in_force_may_not_go_back(follower):
    follower.start(state_of(1, "board: version 2 is in force"))
    follower.start(state_of(1))
    assert "publication 2 was in force, and now it is 1" in losses(follower)


def test_versions_of_roles_may_not_go_back(follower, disk):
    for turn, version in ((1, 5), (2, 4)):
        remember(disk, (turn, [1, version, 1, 1, 1]), None)
        follower.cut(turn, console(), disk.write())
    assert "trust.versions went from [1, 5, 1, 1, 1] to [1, 4, 1, 1, 1]" in losses(follower)


@pytest.mark.parametrize("slots, words", [
    ([(1, [1, 1, 1, 1, 1]), None], "snapshot has version 2, and trust.versions says 1"), ([None, None], "trust.versions says nothing")])
def test_no_file_is_newer_than_the_versions_say(follower, disk, slots, words):
    remember(disk, *slots, snapshot=2)
    follower.cut(1, console(), disk.write())
    assert words in losses(follower)


def test_a_file_that_is_not_whole_is_a_loss(follower, disk):
    remember(disk, (1, [1, 1, 1, 1, 1]), None, people=1)
    folder = disk.write()
    for path in ("tuf/people.json", "trust.recent.db"):
        with open(os.path.join(folder, "state", path), "wb") as file:
            file.write(b"{" * 4096)
        follower.cut(1, console(), folder)
    assert "people.json is damaged" in losses(follower) and "trust.recent.db" in losses(follower)


def test_the_reader_of_bodies_knows_what_they_are_made_of():
    item = {0: 1, 1: "main", 3: BOOT, 5: 1 << 40, 7: -5, 16: True}
    assert cbor.decode(encode(item)) == item
