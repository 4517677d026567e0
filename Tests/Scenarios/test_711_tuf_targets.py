"""Attacks on what a TUF repository describes and how it is served (S5), each with its name: targets, delegations, names, servers that lie."""

import os
import threading

import pytest
from network.attacks import DATA, FULL, OTHERS, accepted, refused
from network.attacks import client, known, lab, programs  # noqa: F401
from network.repository import broken_off, endless, signer, status, trickling
from tuf.api.metadata import TargetFile

# Targets


def served_as(lab, path):
    return next(name for name in lab.files if name.startswith("/targets/") and name.endswith("." + path.rpartition("/")[2]))


@pytest.mark.parametrize("content, code", [(b"eve is allowed", "endless-data"), (b"anna and herb", "wrong-target-hash"), (b"anna", "wrong-target-length"),
                                           (b"", "wrong-target-length")], ids=["longer", "other", "shorter", "empty"])
def test_35_a_target_with_other_bytes(lab, client, content, code):
    lab.files[served_as(lab, "people/full")] = content
    refused(client.download("site/data", "people/full"), code)
    # What was right stays, and of what was not there is nothing, whatever its name.
    assert os.listdir(client.targets) == [DATA]


def test_35_what_was_there_stays_when_the_next_one_is_wrong(lab, known):
    lab.add("people", "people/full", b"carla")
    lab.files[served_as(lab, "people/full")] = b"x"
    for name in lab.files:
        if name.endswith(".full"):
            lab.files[name] = b"xxxxx"
    lab.release("people")
    refused(known.download("people/full"), "wrong-target-hash", known, people=2)
    assert known.has(FULL) == b"anna and bert" and len(os.listdir(known.targets)) == 2


def test_36_a_target_with_hashes_of_unknown_kinds_only(lab, client):
    lab.delegated["people"].targets["people/full"] = TargetFile(13, {"md9": "00" * 16}, "people/full")
    lab.publish()
    refused(client.download("people/full"), "unknown-hash")


def test_36_an_unknown_kind_beside_a_known_one_is_no_reason(lab, client):
    lab.delegated["people"].targets["people/full"].hashes["md9"] = "00" * 16
    lab.publish()
    accepted(client.download("people/full"))


@pytest.mark.parametrize("value", ["../../x", "", "00", "g" * 64, 1, None])
def test_37_a_hash_that_would_lead_elsewhere(lab, client, value):
    lab.edit("people", lambda content: content["targets"]["people/full"].update(hashes={"sha256": value}))
    refused(client.download("people/full"), "malformed-metadata", client, people=0)
    assert not any(".." in name for name in lab.requests)


def test_both_kinds_of_hashes_must_fit(lab, client):
    lab.add("people", "people/full", b"anna and bert", ("sha256", "sha512"))
    lab.publish()
    accepted(client.download("people/full"))
    lab.delegated["people"].targets["people/full"].hashes["sha512"] = "00" * 64
    for name in [name for name in lab.files if name.endswith(".full")]:
        lab.files["/targets/people/" + "00" * 64 + ".full"] = lab.files[name]
    lab.release("people")
    os.remove(os.path.join(client.targets, FULL))
    refused(client.download("people/full"), "wrong-target-hash")


# Serving


@pytest.mark.parametrize("name, left", [("/metadata/2.root.json", {"timestamp": 0}), ("/metadata/timestamp.json", {"timestamp": 0}),
                                        ("/metadata/1.snapshot.json", {"timestamp": 1, "snapshot": 0}),
                                        ("/metadata/1.targets.json", {"targets": 0}), ("/metadata/1.people.json", {"people": 0})])
def test_38_metadata_without_end(lab, client, name, left):
    lab.files[name] = endless
    refused(client.download("people/full"), "endless-data", client, **left)


def test_38_a_target_without_end(lab, client):
    lab.files[served_as(lab, "people/full")] = endless
    refused(client.download("people/full"), "endless-data")
    assert os.listdir(client.targets) == []


@pytest.mark.parametrize("what", ["timestamp", "target"])
def test_39_a_byte_now_and_then(lab, client, what):
    name = "/metadata/timestamp.json" if what == "timestamp" else served_as(lab, "people/full")
    wake = threading.Event()
    lab.files[name] = trickling(lab.files[name], 0.5, wake)
    refused(client.download("people/full", options=["--stall-timeout", "1"]), "slow-retrieval")
    wake.set()
    assert client.has(FULL) is None


@pytest.mark.parametrize("what", ["timestamp", "target"])
def test_40_an_answer_that_breaks_off(lab, client, what):
    name = "/metadata/timestamp.json" if what == "timestamp" else served_as(lab, "people/full")
    lab.files[name] = broken_off(lab.files[name])
    assert "connection-lost" in refused(client.download("people/full"), "unavailable").said
    assert os.listdir(client.targets) == []


@pytest.mark.parametrize("code, reason", [(404, "missing-file"), (403, "missing-file"), (500, "unavailable"), (503, "unavailable"), (204, "unavailable")])
def test_a_server_that_has_no_timestamp(lab, client, code, reason):
    lab.files["/metadata/timestamp.json"] = status(code)
    outcome = refused(client.refresh(), reason, client, timestamp=0)
    # Whose file it was, and which, or what the server said.
    assert outcome.said.startswith("timestamp: ") and ("timestamp.json" if reason == "missing-file" else str(code)) in outcome.said


def test_a_server_that_answers_every_question_with_a_page(lab, client):
    lab.files["/metadata/2.root.json"] = b"<!doctype html><title>Welcome</title>"
    assert refused(client.refresh(), "malformed-metadata", client, timestamp=0).said.startswith("root: ")


def test_a_root_that_a_server_fails_to_give_is_not_the_last_one(lab, client):
    lab.files["/metadata/2.root.json"] = status(500)
    refused(client.refresh(), "unavailable", client, timestamp=0)


# Delegations


def test_41_roles_that_delegate_in_a_circle(lab, client):
    lab.delegate("a", ["*"]).delegate("b", ["*"], by="a").delegate("a", ["*"], by="b").publish()
    refused(client.download("nothing"), "no-such-target", client, a=1, b=1)


def test_42_a_chain_of_forty_roles(lab, client):
    for number in range(40):
        lab.delegate(f"r{number}", ["deep/*"], by=f"r{number - 1}" if number else "targets")
    lab.add("r39", "deep/x", b"x")
    lab.publish()
    refused(client.download("deep/x"), "too-many-roles")


def test_43_a_role_that_another_role_delegates_with_other_keys(lab, client):
    good, bad = signer(), signer()
    lab.delegate("a", ["a/*"]).delegate("b", ["b/*"])
    lab.delegate("common", ["a/*"], by="a", signers=[good]).delegate("common", ["b/*"], by="b", signers=[bad])
    lab.add("common", "a/x", b"x")
    lab.add("common", "b/x", b"x")
    lab.publish()
    accepted(client.download("a/x"))
    refused(client.download("b/x"), "arbitrary-software")
    refused(client.download("a/x", "b/x"), "arbitrary-software")


def test_44_a_role_that_ends_the_search(lab, client):
    lab.delegate("first", ["x/*"], terminating=True).delegate("second", ["x/*"])
    lab.add("second", "x/y", b"y")
    lab.publish()
    refused(client.download("x/y"), "no-such-target", client, second=0)


def test_45_a_role_that_may_less_than_it_says(lab, client):
    lab.delegate("parent", ["a/*"]).delegate("child", ["*", "*/*"], by="parent")
    lab.add("child", "b/x", b"x")
    lab.add("child", "a/x", b"x")
    lab.publish()
    refused(client.download("b/x"), "no-such-target", client, parent=0, child=0)
    accepted(client.download("a/x"))


def test_45_people_sign_what_is_the_sites(lab, client):
    del lab.delegated["targets"].targets["site/data"]
    lab.add("people", "site/data", b"eve decides")
    lab.publish()
    refused(client.download("site/data"), "no-such-target")


@pytest.mark.parametrize("pattern, fits, not_so", [
    ("a/*", "a/b", "a/b/c"), ("*", "a", "a/b"), ("a/?", "a/b", "a/bc"), ("[ab]/x", "a/x", "c/x"), ("[!ab]/x", "c/x", "a/x"), ("A/*", "A/b", "a/b"),
    ("a/*.tgz", "a/x.tgz", "a/x.tgz2"), ("*/b", "a/b", "b")])
def test_46_patterns(lab, client, pattern, fits, not_so):
    lab.delegate("r", [pattern])
    lab.add("r", fits, b"x")
    lab.add("r", not_so, b"x")
    lab.publish()
    accepted(client.download(fits))
    refused(client.download(not_so), "no-such-target")


@pytest.mark.parametrize("paths", [["*"], None], ids=["beside patterns", "alone"])
def test_47_a_delegation_by_hash_is_not_known(lab, client, paths):
    def change(content):
        role = content["delegations"]["roles"][0]
        role.pop("paths", None)
        role.update({"path_hash_prefixes": ["00"], **({"paths": paths} if paths else {})})

    lab.edit("targets", change)
    refused(client.refresh(), "unknown-delegation", client, targets=0)


@pytest.mark.parametrize("name, code", [("root", "unsafe-role-name"), ("timestamp", "unsafe-role-name"), ("snapshot", "unsafe-role-name"),
                                        ("targets", "unsafe-role-name"), ("", "unsafe-role-name"), ("x" * 300, "unsafe-role-name")])
def test_49_a_role_with_a_name_that_none_may_have(lab, client, name, code):
    lab.edit("targets", lambda content: content["delegations"]["roles"][0].update(name=name))
    refused(client.download("people/full"), code)
    assert set(client.versions) <= {"root", "timestamp", "snapshot", "targets"}


def test_49_a_role_that_is_delegated_twice(lab, client):
    lab.edit("targets", lambda content: content["delegations"].update(roles=content["delegations"]["roles"] * 2))
    refused(client.refresh(), "duplicate-delegation", client, targets=0)


@pytest.mark.parametrize("name", ["../x", "../../targets/x", "/x", "a/b", "..", ".", "%2e%2e", "x\0y", "é", "e\u0301", "-", "a b?#", "root.json"])
def test_50_a_role_whose_name_climbs(lab, client, tmp_path, name):
    lab.delegate(name, ["z/*"])
    quoted = "".join(chr(byte) if chr(byte).isascii() and (chr(byte).isalnum() or chr(byte) in "_.-~") else f"%{byte:02X}" for byte in name.encode())
    lab.add(name, "z/x", b"x")
    lab.publish()
    lab.files[f"/metadata/1.{quoted}.json"] = lab.files[lab.name(name)]
    accepted(client.download("z/x"))
    assert f"/metadata/1.{quoted}.json" in lab.requests
    assert sorted(os.listdir(client.metadata)) == sorted([f"{quoted}.json", *(f"{role}.json" for role in ("root", *OTHERS))])
    assert sorted(os.listdir(tmp_path)) == ["metadata", "root.json", "targets"]


def test_50_two_spellings_are_two_roles(lab, client):
    one, other = "é", "e\u0301"
    lab.delegate(one, ["z/1"]).delegate(other, ["z/2"])
    for number, name in enumerate((one, other)):
        lab.add(name, f"z/{number + 1}", b"x")
    lab.publish()
    for name, quoted in ((one, "%C3%A9"), (other, "e%CC%81")):
        lab.files[f"/metadata/1.{quoted}.json"] = lab.files[lab.name(name)]
    accepted(client.download("z/1", "z/2"))
    assert client.versions["%C3%A9"] == client.versions["e%CC%81"] == 1


@pytest.mark.parametrize("path", ["../x", "/x", "a//b", ".", "..", "a/../b", "a/.", "%2e%2e/x", "a%2fb", "a%5cb", "a%00", "a\\b", "a\nb", "a/", "", "%zz", "x" * 2000])
def test_51_a_target_whose_path_climbs(lab, client, tmp_path, path):
    lab.delegated["targets"].targets[path] = TargetFile.from_data(path, b"x")
    lab.publish()
    refused(client.download(path), "unsafe-target-path")
    assert os.listdir(client.targets) == [] and sorted(os.listdir(tmp_path)) == ["metadata", "root.json", "targets"]


@pytest.mark.parametrize("path, name", [("a b/c+d", "a%20b%2Fc%2Bd"), ("é", "%C3%A9"), (".hidden", ".hidden"), ("a%20b", "a%2520b"), ("?#&", "%3F%23%26"),
                                        ("long/" + "x" * 300, None)])
def test_51_unusual_paths_have_usual_files(lab, client, path, name):
    target = lab.add("targets", path, b"x")
    lab.publish()
    digest = target.hashes["sha256"]
    folder, slash, base = path.rpartition("/")
    keep = "!$&'()*+,;=:@/%_.-~"
    asked = "".join(chr(byte) if chr(byte).isascii() and (chr(byte).isalnum() or chr(byte) in keep) else f"%{byte:02X}"
                    for byte in f"{folder}{slash}{digest}.{base}".encode())
    lab.files[f"/targets/{asked}"] = b"x"
    accepted(client.download(path))
    files = os.listdir(client.targets)
    assert files == [name] if name else len(files) == 1 and files[0].startswith("sha256-")
