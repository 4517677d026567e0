"""What earlier versions have left (Tests/Frozen), before judges who know nothing of ours but today's documents: they still say how it is read."""

import lzma
import os

import auditor
import cbor2
import pytest
from evidence_test import Evidence, armoured_key, granted_by, public_key, record_of

from gatehouse.frozen import FOLDER, unpacked, versions


@pytest.fixture(params=versions())
def frozen(request, tmp_path):
    """The folder of a version, and where its gate was unpacked."""
    return os.path.join(FOLDER, request.param), unpacked(request.param, "gate", str(tmp_path))


def verified(folder, path, kept):
    with open(os.path.join(folder, "audit.pub"), encoding="ascii") as key, open(os.path.join(folder, kept), "rb") as checkpoint:
        return auditor.journal(path).verify(dict([auditor.key_file(key.read())]), outside=checkpoint.read())


@pytest.mark.parametrize("state", ["gate/state", "killed"])
def test_a_journal_of_then_holds_by_the_documents_of_today(frozen, state):
    folder, unpacked_to = frozen
    path = os.path.join(unpacked_to, state, "journal.db")
    assert verified(folder, path, "kept.checkpoint") >= 1
    with open(path + ("-wal" if state == "killed" else ""), "r+b") as file:
        file.seek(file.read().index(b"anna"))
        file.write(b"bert")
    with pytest.raises(auditor.Finding):
        verified(folder, path, "kept.checkpoint")


def test_what_was_collected_then_holds_by_the_documents_of_today(frozen):
    folder, unpacked_to = frozen
    path = os.path.join(unpacked_to, "collected.jsonl")
    with lzma.open(os.path.join(folder, "journal.bodies.jsonl.xz")) as packed, open(path, "wb") as file:
        file.write(packed.read())
    assert verified(folder, path, "collected.checkpoint") >= 1


@pytest.mark.parametrize("name", ["anna", "emil", "carl", "hugo"])
def test_evidence_of_then_is_proved_by_the_documents_of_today(frozen, name):
    folder, _ = frozen
    with open(os.path.join(folder, "evidence", f"{name}.cbor"), "rb") as file:
        raw = file.read()
    record, _ = record_of(raw)
    assert (record[13], record[15]) == (name, "granted")
    assert granted_by(raw, armoured_key(os.path.join(folder, "audit.pub")), "gate-1")
    evidence = Evidence(record[17])
    assert record[11] == evidence.th_4
    # A token is COSE_Sign1, whose claims name the key; a claims set is those claims.
    shown = cbor2.loads(evidence.cred_i)
    claims = cbor2.loads(shown[2]) if isinstance(shown, list) else shown
    assert evidence.phone_signed(public_key(claims[8][1]))
    assert evidence.gate_signed(public_key(cbor2.loads(evidence.cred_r)[8][1]))
    assert not evidence.gate_signed(public_key(claims[8][1]))
