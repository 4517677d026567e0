"""Attacks on the metadata of a TUF repository (S5), each with its name: repositories of python-tuf's own classes, and the whole client as a
gate has it: `tuf-client` with `tapstile-net`."""

import os
import threading

import pytest
from network.attacks import DATA, FULL, OTHERS, accepted, refused
from network.attacks import client, known, lab, programs  # noqa: F401
from network.repository import DAY, NOW, Lab, signed, signer, with_key
from network.tuf_client import TUFClient
from tuf.api.metadata import MetaFile

# What is in order is taken


def test_an_honest_repository_is_followed(lab, client):
    accepted(client.download("site/data", "people/full"))
    assert client.has(DATA) == b"what a site decides" and client.has(FULL) == b"anna and bert"
    assert lab.requests == ["/metadata/2.root.json", "/metadata/timestamp.json", "/metadata/1.snapshot.json", "/metadata/1.targets.json",
                            *[name for name in lab.files if name.startswith("/targets/site/")], "/metadata/1.people.json",
                            *[name for name in lab.files if name.startswith("/targets/people/")]]


def test_what_is_kept_is_what_was_served_byte_for_byte(lab, known):
    for role in (*OTHERS, "people"):
        assert known.kept(role) == lab.files[lab.name(role)]


def test_nothing_new_costs_two_requests(lab, known):
    lab.requests.clear()
    assert accepted(known.refresh()).told[0]["changed"] == []
    assert lab.requests == ["/metadata/2.root.json", "/metadata/timestamp.json"]


def test_a_target_that_is_there_is_left_alone(lab, known):
    before = os.stat(os.path.join(known.targets, FULL))
    lab.requests.clear()
    assert [row["downloaded"] for row in accepted(known.download("people/full", "site/data")).told] == [False, False]
    assert os.stat(os.path.join(known.targets, FULL)).st_mtime_ns == before.st_mtime_ns
    assert not any(name.startswith("/targets") for name in lab.requests)


def test_59_files_without_versions_and_hashes_in_their_names(programs, tmp_path):
    with Lab(consistent=False).served() as lab:
        client = TUFClient(programs, str(tmp_path), lab)
        accepted(client.download("people/full"))
        assert lab.requests[1:] == ["/metadata/timestamp.json", "/metadata/snapshot.json", "/metadata/targets.json", "/metadata/people.json",
                                    "/targets/people/full"]


# Root


def test_1_root_signed_only_by_its_new_key(lab, client):
    lab.rotate("root")
    lab.put_root(*lab.signers["root"])
    refused(client.refresh(), "root-not-continued", client, root=1, timestamp=0)
    assert lab.requests == ["/metadata/2.root.json"]


def test_2_root_signed_only_by_its_old_key(lab, client):
    lab.put_root(*lab.rotate("root"))
    refused(client.refresh(), "root-not-self-signed", client, root=1)


def test_3_root_below_the_old_threshold(lab, client):
    lab.rotate("root", keep=True, count=2)
    lab.root.roles["root"].threshold = 3
    lab.new_root()
    lab.root.roles["root"].threshold = 2
    lab.new_root(*lab.signers["root"][:2])
    refused(client.refresh(), "root-not-continued", client, root=3)


@pytest.mark.parametrize("version", [1, 3, 2**63 - 1])
def test_4_5_root_with_another_version_than_the_next(lab, client, version):
    lab.root.version = version
    lab.files["/metadata/2.root.json"] = signed(lab.root, *lab.signers["root"])
    refused(client.refresh(), "root-skipped", client, root=1)


def test_6_the_last_root_has_expired(lab, client):
    lab.root.expires = NOW - DAY
    lab.new_root()
    refused(client.refresh(), "freeze", client, root=2, timestamp=0)
    assert lab.requests == ["/metadata/2.root.json", "/metadata/3.root.json"]


def test_7_roots_that_have_expired_lead_to_one_that_has_not(lab, client):
    lab.root.expires = NOW - DAY
    lab.new_root()
    lab.root.expires = NOW + DAY
    lab.new_root()
    accepted(client.refresh())
    assert client.versions["root"] == 3


def test_an_expired_root_to_begin_with_is_one(programs, tmp_path, lab):
    lab.root.expires = NOW - DAY
    lab.put_root()
    client = TUFClient(programs, str(tmp_path), lab)
    lab.root.expires = NOW + DAY
    lab.new_root()
    accepted(client.refresh())


def test_8_roots_without_end(lab, client):
    for _ in range(300):
        lab.new_root()
    refused(client.refresh(), "too-many-roots", client, root=257, timestamp=0)
    accepted(client.refresh())
    assert client.versions["root"] == 301


def test_9_one_key_by_two_names_signs_root_once(lab, client):
    old, key = lab.signers["root"][0], signer()

    def change(content):
        with_key(with_key(content, "one", key.public_key), "two", key.public_key)
        content["version"] = 2
        content["roles"]["root"] = {"keyids": ["one", "two"], "threshold": 2}

    def called(name):
        return lambda told: {"keyid": name, "sig": key.sign(told).signature}

    lab.edit("root", change, old, called("one"), called("two"), version=2)
    refused(client.refresh(), "root-not-self-signed", client, root=1)


def test_10_one_key_by_two_names_signs_a_snapshot_once(lab, client):
    old, key = lab.signers["root"][0], signer()

    def change(content):
        with_key(with_key(content, "one", key.public_key), "two", key.public_key)
        content["version"] = 2
        content["roles"]["snapshot"] = {"keyids": ["one", "two"], "threshold": 2}

    lab.edit("root", change, old, version=2)
    names = [lambda told, name=name: {"keyid": name, "sig": key.sign(told).signature} for name in ("one", "two")]
    lab.edit("snapshot", lambda content: None, *names)
    refused(client.refresh(), "arbitrary-software", client, root=2, timestamp=1, snapshot=0)


def test_11_a_key_twice_in_a_role(lab, client):
    def change(content):
        content["version"] = 2
        content["roles"]["timestamp"]["keyids"] *= 2

    lab.edit("root", change, version=2)
    refused(client.refresh(), "duplicate-key", client, root=1)


@pytest.mark.parametrize("role", ["root", "timestamp", "snapshot", "targets"])
def test_12_two_signatures_of_one_key(lab, client, role):
    one = lab.signers[role][0]

    def wrong(_):
        return {"keyid": one.public_key.keyid, "sig": "00" * 64}

    for second in (one, wrong):
        lab.edit(role, lambda content: content.update(version=2 if role == "root" else 1), one, second, version=2 if role == "root" else 1)
        refused(client.refresh(), "duplicate-signature", client, root=1)


@pytest.mark.parametrize("threshold", [0, -1, 1.0, "1", True, None, []])
def test_13_a_threshold_that_is_none(lab, client, threshold):
    def change(content):
        content["version"] = 2
        content["roles"]["timestamp"]["threshold"] = threshold

    lab.edit("root", change, version=2)
    refused(client.refresh(), "malformed-metadata", client, root=1)


# Signatures


@pytest.mark.parametrize("role, left", [("timestamp", {}), ("snapshot", {"timestamp": 1}), ("targets", {"snapshot": 1}), ("people", {"targets": 1})])
def test_14_to_17_a_role_signed_by_a_stranger(lab, client, role, left):
    lab.put(role, signer())
    refused(client.download("people/full"), "arbitrary-software", client, **{role: 0}, **left)
    assert client.has(FULL) is None


@pytest.mark.parametrize("role", ["timestamp", "snapshot", "targets", "people"])
def test_14_to_17_a_role_that_nobody_signed(lab, client, role):
    lab.files[lab.name(role)] = signed(lab.content(role))
    refused(client.download("people/full"), "arbitrary-software", client, **{role: 0})


def test_18_the_key_of_the_timestamp_signs_a_snapshot(lab, client):
    lab.put("snapshot", lab.signers["timestamp"][0])
    refused(client.refresh(), "arbitrary-software", client, timestamp=1, snapshot=0)


def test_18_the_key_of_people_signs_targets(lab, client):
    lab.put("targets", lab.signers["people"][0])
    refused(client.refresh(), "arbitrary-software", client, snapshot=1, targets=0)


def test_19_a_snapshot_is_served_as_timestamp(lab, client):
    lab.files["/metadata/timestamp.json"] = signed(lab.snapshot, lab.signers["snapshot"][0], lab.signers["timestamp"][0])
    refused(client.refresh(), "wrong-role", client, timestamp=0)


def test_19_people_are_served_as_targets(lab, client):
    lab.files["/metadata/1.targets.json"] = signed(lab.delegated["people"], lab.signers["targets"][0])
    # Both have the type `targets`: what the role's key signed is the role's, and people/full is then nobody's.
    lab.requests.clear()
    accepted(client.refresh())
    refused(client.download("site/data"), "no-such-target")


# Rollback, freeze, mixtures


def test_20_an_older_timestamp(lab, known):
    old = lab.files["/metadata/timestamp.json"]
    accepted(lab.release() and known.refresh())
    lab.files["/metadata/timestamp.json"] = old
    refused(known.refresh(), "rollback", known, timestamp=2, snapshot=2)


def test_21_an_older_snapshot_by_a_new_timestamp(lab, known):
    accepted(lab.release() and known.refresh())
    lab.timestamp.version, lab.timestamp.snapshot_meta = 3, MetaFile(1)
    lab.put("timestamp")
    refused(known.refresh(), "rollback", known, timestamp=2, snapshot=2)


@pytest.mark.parametrize("role", ["targets", "people"])
def test_22_23_an_older_role_by_a_new_snapshot(lab, known, role):
    accepted(lab.release(role) and known.download("people/full"))
    lab.content(role).version = 1
    lab.release()
    refused(known.refresh(), "rollback", known, timestamp=3, snapshot=2, **{role: 2})


def test_24_a_role_is_dropped_from_the_snapshot(lab, known):
    lab.release()
    del lab.snapshot.meta["people.json"]
    lab.put("snapshot")
    refused(known.refresh(), "role-removed", known, timestamp=2, snapshot=1)


@pytest.mark.parametrize("role, left", [("timestamp", {"timestamp": 0}), ("snapshot", {"timestamp": 1, "snapshot": 0}),
                                        ("targets", {"snapshot": 1, "targets": 0}), ("people", {"targets": 1, "people": 0})])
def test_26_to_29_a_role_that_has_expired(lab, client, role, left):
    lab.content(role).expires = NOW - DAY
    lab.publish()
    refused(client.download("people/full"), "freeze", client, **left)
    assert client.has(FULL) is None


def test_30_the_same_timestamp_until_it_has_expired(lab, known):
    accepted(known.refresh(at=NOW + 2 * DAY))
    refused(known.refresh(at=NOW + 4 * DAY), "freeze", known, timestamp=1)


def test_31_what_expires_during_a_run_was_good_at_its_beginning(lab, client):
    timestamp, late = lab.files["/metadata/timestamp.json"], threading.Event()

    def slowly(handler):
        late.wait(2)
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(timestamp)))
        handler.end_headers()
        handler.wfile.write(timestamp)

    lab.files["/metadata/timestamp.json"] = slowly
    accepted(client.refresh(at=lab.timestamp.expires - 0.00001 * DAY))


def test_32_a_snapshot_with_another_hash(lab, client):
    lab.timestamp.snapshot_meta = MetaFile(1, hashes={"sha256": "00" * 32})
    lab.put("timestamp")
    refused(client.refresh(), "mix-and-match", client, timestamp=1, snapshot=0)


@pytest.mark.parametrize("role, parent", [("snapshot", "timestamp"), ("targets", "snapshot"), ("people", "targets")])
def test_33_a_role_with_another_version(lab, client, role, parent):
    lab.content(role).version = 2
    lab.files[f"/metadata/1.{role}.json"] = signed(lab.content(role), *lab.signers[role])
    refused(client.download("people/full"), "mix-and-match", client, **{parent: 1, role: 0})


@pytest.mark.parametrize("meta", [MetaFile(1, hashes={"sha256": "00" * 32}), MetaFile(1, hashes={"sha512": "00" * 64}), MetaFile(1, length=5),
                                  MetaFile(1, length=100_000)], ids=["sha256", "sha512", "shorter", "longer"])
@pytest.mark.parametrize("role", ["targets", "people"])
def test_34_a_role_with_another_hash_or_length(lab, client, role, meta):
    lab.snapshot.meta[f"{role}.json"] = meta
    lab.put("snapshot")
    refused(client.download("people/full"), "endless-data" if meta.length == 5 else "mix-and-match", client, snapshot=1, **{role: 0})


def test_34_right_hashes_and_lengths_are_right(lab, client):
    for role in ("targets", "people"):
        lab.snapshot.meta[f"{role}.json"] = MetaFile.from_data(1, lab.files[lab.name(role)], ["sha256", "sha512"])
    lab.put("snapshot")
    lab.timestamp.snapshot_meta = MetaFile.from_data(1, lab.files[lab.name("snapshot")], ["sha256"])
    lab.put("timestamp")
    accepted(client.download("people/full"))


# Bad JSON


@pytest.mark.parametrize("change", [
    lambda text: text.replace(b'"version":1', b'"version":1,"version":1'), lambda text: text.replace(b'"version":1', b'"version":1.0'),
    lambda text: text.replace(b'"version":1', b'"version":9223372036854775808'), 
    lambda text: text.replace(b'"version":1', b'"version":NaN'),
    lambda text: b"\xef\xbb\xbf" + text, lambda text: text + b"x", lambda text: text[:-1], lambda _: b"", lambda _: b"[" * 100 + b"]" * 100,
    lambda _: b"[" + b"0," * 8000 + b"0]", lambda text: text.replace(b"snapshot.json", b"\\ud800.json")
], ids=["twice", "fraction", "2^63", "NaN", "BOM", "more", "less", "nothing", "deep", "many", "surrogate"])
def test_52_json_that_is_none(lab, client, change):
    lab.files["/metadata/timestamp.json"] = change(lab.files["/metadata/timestamp.json"])
    refused(client.refresh(), "malformed-metadata", client, timestamp=0)


@pytest.mark.parametrize("fields", [
    {"version": -1}, {"version": 0}, {"version": "1"}, {"version": True}, {"expires": "2100-01-01T00:00:00.5Z"}, {"expires": "2100-01-01"}, {"expires": 1},
    {"expires": "2100-13-01T00:00:00Z"}, {"spec_version": 1}, {"meta": {}}, {"meta": []}, {"meta": {"snapshot.json": {"version": 0}}}])
def test_52_fields_that_are_none_whoever_signed_them(lab, client, fields):
    lab.edit("timestamp", lambda content: content.update(fields))
    refused(client.refresh(), "malformed-metadata", client, timestamp=0)


@pytest.mark.parametrize("version", ["2.0.0", "0.9", "one"])
def test_52_another_specification(lab, client, version):
    lab.edit("timestamp", lambda content: content.update(spec_version=version))
    refused(client.refresh(), "unsupported-spec", client, timestamp=0)


def test_52_a_million_values_in_targets(lab, client):
    lab.files["/metadata/1.targets.json"] = b'{"signed":[' + b"[]," * 1_000_000 + b'[]],"signatures":[]}'
    refused(client.refresh(), "malformed-metadata", client, targets=0)


# After a theft


def fast_forward(lab, client, role, far=1_000_000_000):
    """A thief publishes a role with a number from far away; the office goes on with the honest one."""
    honest = lab.content(role).version
    lab.content(role).version = far
    lab.publish()
    accepted(client.download("people/full"))
    lab.content(role).version = honest
    lab.snapshot.meta[f"{role}.json"] = MetaFile(honest)
    lab.release()
    refused(client.refresh(), "rollback")


@pytest.mark.parametrize("role, rotated", [("snapshot", "snapshot"), ("timestamp", "timestamp"), ("targets", "snapshot"), ("people", "snapshot")])
def test_53_54_honest_numbers_count_again_after_the_key_is_replaced(lab, client, role, rotated):
    fast_forward(lab, client, role)
    if role == "snapshot":
        del lab.snapshot.meta["snapshot.json"]
    if role == "timestamp":
        del lab.snapshot.meta["timestamp.json"]
    lab.rotate(rotated)
    lab.release()
    accepted(client.download("people/full"))
    assert client.versions[role] < 10


def test_54_one_of_two_keys_is_taken_away(lab, client):
    lab.rotate("snapshot", keep=True)
    fast_forward(lab, client, "snapshot")
    del lab.snapshot.meta["snapshot.json"]
    stolen = lab.signers["snapshot"].pop(0)
    lab.root.revoke_key(stolen.public_key.keyid, "snapshot")
    lab.new_root()
    lab.release()
    accepted(client.refresh())


@pytest.mark.parametrize("role", ["snapshot", "timestamp"])
def test_55_a_key_that_is_added_recovers_nothing(lab, client, role):
    fast_forward(lab, client, role)
    del lab.snapshot.meta[f"{role}.json"]
    lab.rotate(role, keep=True)
    lab.release()
    refused(client.refresh(), "rollback", client, root=2)


@pytest.mark.parametrize("role", ["root", "timestamp", "snapshot", "targets"])
def test_every_key_can_be_replaced(lab, known, role):
    old = lab.rotate(role)
    lab.release("targets")
    accepted(known.download("people/full"))
    lab.release("targets")
    if role != "root":
        lab.put(role, *old)
        refused(known.refresh(), "arbitrary-software")
