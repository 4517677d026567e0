"""The two databases as the judge reads them: with SQLite and SHA-256 only, none of the product's code."""

import contextlib
import hashlib
import os
import sqlite3
from dataclasses import dataclass

from . import cbor

PARTITIONS = {"main": "main_record", "unproven": "unproven_record"}
# The numbers in a record's body (Sources/Controller/Storage/Journal/JournalBody.swift).
SEQUENCE, BOOT, KIND, WALL, MONOTONIC, LANE, READER, ATTEMPT, SUBJECT, REASON = 2, 3, 4, 5, 7, 8, 9, 12, 13, 15


class Damaged(Exception):
    """What a database says that it must not say."""


@dataclass(frozen=True)
class Record:
    sequence: int
    hash: bytes
    boot: str
    kind: str
    monotonic: int
    lane: str
    reader: str
    attempt: int
    subject: str
    reason: str


def record(body, digest=b""):
    fields = cbor.decode(body)
    return Record(fields[SEQUENCE], bytes(digest), fields[BOOT].hex(), fields[KIND], fields[MONOTONIC],
                  fields.get(LANE), fields.get(READER), fields.get(ATTEMPT), fields.get(SUBJECT), fields.get(REASON))


class Journal:
    """What `journal.db` in a folder holds, once it has passed: its pages, and both chains from end to end."""

    def __init__(self, folder):
        with _open(folder, "journal.db") as connection:
            self.chains = {name: _chain(connection, name, table) for name, table in PARTITIONS.items()}
            attempts = connection.execute("SELECT sequence, body FROM open_attempt")
            self.open = {number: record(body) for number, body in attempts}
        self.heads = {entry.hash.hex() for entry in self.chains["main"]}

    def outcomes(self, boot):
        """Outcomes in the main chain of attempts that were made in this boot, by the attempt's number."""
        attempts = {attempt.sequence for attempt in self.attempts(boot)}
        return {entry.attempt: entry for entry in self.chains["main"]
                if entry.kind == "outcome" and entry.attempt in attempts}

    def attempts(self, boot):
        return [entry for entry in self.chains["unproven"] if entry.kind == "attempt" and entry.boot == boot]


def check_site_data(folder, name="trust.db"):
    """Fails unless the site's data are there and whole."""
    with _open(folder, name):
        pass


@contextlib.contextmanager
def _open(folder, name):
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        raise Damaged(f"{name} is gone")
    with contextlib.closing(sqlite3.connect(path)) as connection:
        try:
            found = connection.execute("PRAGMA integrity_check").fetchall()
            if found != [("ok",)]:
                raise Damaged(f"{name}: integrity_check says {found}")
            yield connection
        except sqlite3.DatabaseError as error:
            raise Damaged(f"{name}: {error}") from error


def _chain(connection, partition, table):
    anchor = connection.execute("SELECT sequence, hash FROM anchor WHERE partition = ?", (partition,)).fetchone()
    sequence, digest = anchor or (0, bytes(32))
    records = []
    columns = "sequence, kind, wall, lane, reason, body, hash"
    rows = connection.execute(f"SELECT {columns} FROM {table} ORDER BY sequence")
    for number, kind, wall, lane, reason, body, found in rows:
        sequence += 1
        if number != sequence:
            raise Damaged(f"record {sequence} of the {partition} chain is missing")
        digest = hashlib.sha256(digest + body).digest()
        if digest != found:
            raise Damaged(f"record {number} of the {partition} chain does not follow from the one before it")
        fields = cbor.decode(body)
        said = (fields[SEQUENCE], fields[KIND], fields[WALL], fields.get(LANE), fields.get(REASON))
        if said != (number, kind, wall, lane, reason):
            raise Damaged(f"record {number} of the {partition} chain does not say what its columns say")
        records.append(record(body, found))
    return records
