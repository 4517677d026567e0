"""An auditor without our program: verifies a copy of journal.db, or what was collected, by docs/journal.md and docs/evidence.md alone, with
sqlite3, cbor2 and cryptography.

    python auditor.py journal.db --audit-key gate-1.audit.pub [--since-checkpoint FILE]
"""

import argparse
import base64
import hashlib
import json
import os
import re
import shutil
import sqlite3
import sys
import tempfile
from contextlib import closing

import cbor2
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "journal.md")
ZEROS = bytes(32)
TABLES = {"main": "main_record", "unproven": "unproven_record"}
# What a ring keeps at least, where a checkpoint does not say.
LEAST = {"main": 10_000, "unproven": 100_000}


class Finding(Exception):
    """What speaks against the journal: the codes of the page."""


def sha256(raw):
    return hashlib.sha256(raw).digest()


# Keys: "Key files" ---------------------------------------------------------------------------------


def key_file(text, role="audit"):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    assert (lines[0], lines[-1]) == ("-----BEGIN TAPSTILE PUBLIC KEY-----", "-----END TAPSTILE PUBLIC KEY-----")
    key = cbor2.loads(base64.b64decode("".join(lines[1:-1])))
    assert key[-65537] == role
    return cose_key(key)


def cose_key(key):
    """The thumbprint (RFC 9679) and the public key."""
    assert (key[1], key[-1], key[4]) == (2, 1, [2]), "EC2 on P-256, which signs"
    thumbprint = sha256(cbor2.dumps({1: 2, -1: 1, -2: key[-2], -3: key[-3]}, canonical=True))
    numbers = ec.EllipticCurvePublicNumbers(int.from_bytes(key[-2], "big"), int.from_bytes(key[-3], "big"), ec.SECP256R1())
    return thumbprint, numbers.public_key()


# Checkpoints -----------------------------------------------------------------------------------------


class Extent:
    def __init__(self, chain, parts):
        self.first, self.sequence, self.hash = parts[:3]
        self.keeps = parts[3] if len(parts) > 3 else LEAST[chain]
        assert 1 <= self.first <= self.sequence + 1 and len(self.hash) == 32

    @property
    def count(self):
        return self.sequence - self.first + 1


class Checkpoint:
    def __init__(self, raw, keys, names):
        protected, unprotected, payload, signature = cbor2.loads(raw)
        header = cbor2.loads(protected)
        assert unprotected == {} and (header[1], header[16], len(header)) == (-7, "tapstile-checkpoint", 3)
        if header[4] not in keys:
            raise Finding("checkpoint-key-unknown")
        der = utils.encode_dss_signature(int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big"))
        try:
            keys[header[4]].verify(der, cbor2.dumps(["Signature1", protected, b"", payload]), ec.ECDSA(hashes.SHA256()))
        except InvalidSignature:
            raise Finding("checkpoint-signature-wrong") from None
        said = cbor2.loads(payload)
        assert said[0] in (1, 2) and set(said) == set(range(7))
        self.owner = (said[1], said[2])
        if names and self.owner != names:
            raise Finding("checkpoint-other-gate")
        self.extents = {"main": Extent("main", said[5]), "unproven": Extent("unproven", said[6])}


# Chains ----------------------------------------------------------------------------------------------


class Chain:
    """The records of one chain, each of which follows from the one before it."""

    def __init__(self, name, anchor, rows):
        self.name, (self.start, previous) = name, anchor
        self.hashes, self.records = {self.start: previous}, {}
        for row in rows:
            self.read(*row, previous)
            previous = row[-1]
        self.last = self.start + len(self.records)

    def read(self, sequence, kind, wall, lane, reason, body, found, previous):
        record = cbor2.loads(body)
        columns = (self.name, sequence, kind, wall, lane, reason)
        if sequence != self.start + len(self.records) + 1 or sha256(previous + body) != found:
            raise Finding("journal-broken")
        if (record[1], record[2], record[4], record[5], record.get(8), record.get(15)) != columns:
            raise Finding("journal-broken")
        self.hashes[sequence], self.records[sequence] = found, record

    def compare(self, extent):
        if extent.sequence < self.start:
            return "checkpoint-too-old"
        if extent.sequence > self.last:
            return "checkpoint-tail-cut"
        return None if self.hashes[extent.sequence] == extent.hash else "checkpoint-head-differs"


class Journal:
    """Both chains of a journal, or the main one of what was collected."""

    def __init__(self, main, unproven=None):
        self.chains = {"main": main} if unproven is None else {"main": main, "unproven": unproven}
        self.continued = [record[18] for record in main.records.values() if record.get(15) == "journal-set-aside" and "continued-from" in record[18]]

    def named_keys(self):
        announced = (record[18]["key"] for record in self.chains["main"].records.values() if record.get(15) == "audit-key")
        return dict(cose_key(cbor2.loads(key)) for key in announced)

    def verify(self, keys, names=None, outside=None):
        held = []
        for sequence, record in self.chains["main"].records.items():
            if record[4] == "checkpoint":
                held.append((sequence, self.held(sequence, Checkpoint(record[17], keys, names), [c for _, c in held])))
        for name, chain in self.chains.items():
            self.ring(name, chain, [c.extents[name] for _, c in held])
        if outside:
            self.outside(Checkpoint(outside, keys, names), [c for _, c in held])
        return len(held)

    def held(self, sequence, checkpoint, before):
        extents = checkpoint.extents
        if extents["main"].sequence >= sequence:
            raise Finding("checkpoint-misplaced")
        if before and (before[-1].owner != checkpoint.owner):
            raise Finding("checkpoint-other-gate")
        if before and any(extents[name].sequence < before[-1].extents[name].sequence for name in extents):
            raise Finding("checkpoint-goes-back")
        for name, chain in self.chains.items():
            if (fault := chain.compare(extents[name])) not in (None, "checkpoint-too-old"):
                raise Finding(fault)
        return checkpoint

    def ring(self, name, chain, extents):
        """What was let go although the ring had room."""
        is_after, first, keeps = False, 1, None
        for extent in extents:
            if keeps is None:
                keeps = LEAST[name] if extent.keeps >= LEAST[name] else 0
            if extent.first > first and extent.count < min(keeps, extent.keeps) and (is_after or not self.is_continued(name, extent.first)):
                raise Finding("checkpoint-first-differs")
            is_after, first, keeps = True, extent.first, extent.keeps
        # What was collected begins where it begins.
        whole = "unproven" in self.chains
        is_early = whole and chain.start + 1 > first and len(chain.records) < (keeps or LEAST[name])
        if is_early and (is_after or not self.is_continued(name, chain.start + 1)):
            raise Finding("checkpoint-first-differs")

    def is_continued(self, name, first):
        word = "continued-from" if name == "main" else "continued-unproven"
        return any(said.get(word, first - 1) == first - 1 for said in self.continued)

    def outside(self, checkpoint, held):
        losses = {self.loss(name, chain, checkpoint.extents[name], held) for name, chain in self.chains.items()}
        loss = next((code for code in ("checkpoint-first-differs", "checkpoint-set-aside") if code in losses), None)
        for name, chain in self.chains.items():
            fault = chain.compare(checkpoint.extents[name])
            if (name, fault, loss) == ("main", "checkpoint-too-old", "checkpoint-set-aside"):
                raise Finding(loss)
            if fault and (name, fault) != ("unproven", "checkpoint-too-old"):
                raise Finding(fault)
        if loss:
            raise Finding(loss)

    def loss(self, name, chain, extent, held):
        """Why records are gone since: a record that a file was set aside is a name for it and no excuse."""
        keeps = min([extent.keeps] + [c.extents[name].keeps for c in held])
        if "unproven" not in self.chains or chain.start + 1 <= extent.first or len(chain.records) >= keeps:
            return None
        is_named = extent.sequence <= chain.start and self.is_continued(name, chain.start + 1)
        return "checkpoint-set-aside" if is_named else "checkpoint-first-differs"


# Files -----------------------------------------------------------------------------------------------


def schema(connection):
    rows = connection.execute("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master")
    return sorted((kind, name, table, " ".join(sql.replace('"', "").split())) for kind, name, table, sql in rows)


def documented_schema():
    with open(PAGE, encoding="utf-8") as file:
        statements = re.search(r"```text\n(CREATE TABLE main_record.*?)```", file.read(), re.S).group(1)
    with closing(sqlite3.connect(":memory:")) as model:
        model.executescript(statements)
        return schema(model)


def chain(connection, name):
    anchors = connection.execute("SELECT sequence, hash FROM anchor WHERE partition = ?", (name,)).fetchall()
    anchor = anchors[0] if anchors else (0, ZEROS)
    table = TABLES[name]
    if connection.execute(f"SELECT count(*) FROM {table} WHERE sequence <= ?", (anchor[0],)).fetchone() != (0,) or (anchors and anchor[0] < 1):
        raise Finding("journal-broken")
    return Chain(name, anchor, connection.execute(f"SELECT sequence, kind, wall, lane, reason, body, hash FROM {table} ORDER BY sequence"))


def from_database(path):
    with tempfile.TemporaryDirectory() as folder:
        # Nobody writes to what was handed over.
        for suffix in ("", "-wal"):
            if os.path.exists(path + suffix):
                shutil.copy(path + suffix, os.path.join(folder, "journal.db" + suffix))
        with closing(sqlite3.connect(os.path.join(folder, "journal.db"))) as connection:
            assert connection.execute("PRAGMA application_id").fetchone() == (0x54534A4E,)
            if schema(connection) != documented_schema():
                raise Finding("journal-schema-differs")
            if connection.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
                raise Finding("database-corrupt")
            return Journal(chain(connection, "main"), chain(connection, "unproven"))


def from_lines(path):
    rows, anchor = [], None
    with open(path, encoding="utf-8") as file:
        for line in map(json.loads, file):
            body = bytes.fromhex(line["body"])
            record = cbor2.loads(body)
            anchor = anchor or (record[2] - 1, bytes.fromhex(line["previous"]))
            rows.append((line["sequence"], line["kind"], record[5], line.get("lane"), line.get("reason"), body, bytes.fromhex(line["hash"])))
            if line.get("subject") != record.get(13):
                raise Finding("journal-broken")
    return Journal(Chain("main", anchor, rows))


def journal(path):
    with open(path, "rb") as file:
        return from_lines(path) if file.read(1) == b"{" else from_database(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("journal")
    parser.add_argument("--audit-key", action="append", default=[])
    parser.add_argument("--since-checkpoint")
    given = parser.parse_args()
    keys = {}
    for path in given.audit_key:
        with open(path, encoding="ascii") as file:
            keys.update([key_file(file.read())])
    outside = None
    if given.since_checkpoint:
        with open(given.since_checkpoint, "rb") as file:
            outside = file.read()
    try:
        found = journal(given.journal)
        print(found.verify(keys or found.named_keys(), outside=outside), "checkpoints hold")
    except Finding as finding:
        sys.exit(f"{finding}")


if __name__ == "__main__":
    main()
