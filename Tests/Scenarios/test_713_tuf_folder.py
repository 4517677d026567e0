"""A TUF repository in a folder, such as a stick (S6): it is verified like one far away, and nothing outside of it is read."""

import os

import pytest
from gatehouse import Programs
from network.attacks import DATA, FULL, accepted, refused
from network.repository import Lab, signer
from network.tuf_client import TUFClient


class FolderClient(TUFClient):
    """Asks a folder instead of the two addresses."""

    def __init__(self, programs, folder, lab, stick):
        super().__init__(programs, folder, lab)
        self.stick = stick

    def refresh(self, *options, **how):
        return self._run(["--from", self.stick, *options, "refresh"], **how)

    def download(self, *names, **how):
        named = [word for name in names for word in ("--target-name", name)]
        return self._run(["--from", self.stick, *named, "--target-dir", self.targets, "download"], **how)


def written(lab, stick):
    """The files of a repository as they lie on a stick."""
    for name, content in lab.files.items():
        path = os.path.join(stick, name[1:])
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)
    return stick


@pytest.fixture
def lab():
    return Lab()


@pytest.fixture
def stick(lab, tmp_path):
    return written(lab, str(tmp_path / "stick"))


@pytest.fixture
def client(lab, stick, tmp_path):
    return FolderClient(Programs(os.environ["TAPSTILE_BIN"]), str(tmp_path), lab, stick)


def timestamp_of(stick):
    return os.path.join(stick, "metadata", "timestamp.json")


def test_a_stick_brings_what_a_server_does(lab, stick, client):
    accepted(client.download("site/data", "people/full"))
    assert client.has(DATA) == b"what a site decides" and client.has(FULL) == b"anna and bert"
    lab.add("people", "people/full", b"carla " * 100_000)
    lab.rotate("root")
    lab.release("people")
    written(lab, stick)
    assert accepted(client.refresh()).told[0]["changed"] == ["root", "timestamp", "snapshot"]
    accepted(client.download("people/full"))
    assert client.has(FULL) == b"carla " * 100_000


def test_it_is_believed_no_more_than_a_server(lab, stick, client):
    accepted(client.refresh())
    old = lab.files["/metadata/timestamp.json"]
    lab.release()
    accepted(written(lab, stick) and client.refresh())
    with open(timestamp_of(stick), "wb") as file:
        file.write(old)
    refused(client.refresh(), "rollback", client, timestamp=2)
    lab.put("timestamp", signer())
    refused(written(lab, stick) and client.refresh(), "arbitrary-software", client, timestamp=2)


def test_half_a_copy_is_no_repository(lab, stick, client):
    for name in list(lab.files):
        if name.startswith("/targets/people"):
            os.remove(os.path.join(stick, name[1:]))
    refused(client.download("people/full"), "missing-file", client, people=1)
    os.remove(timestamp_of(stick))
    refused(client.refresh(), "missing-file")


def test_half_a_file_is_none(stick, client):
    os.truncate(os.path.join(stick, "metadata", "1.snapshot.json"), 100)
    refused(client.refresh(), "malformed-metadata", client, timestamp=1, snapshot=0)


@pytest.mark.parametrize("kind", ["link", "link in between", "link to itself", "pipe", "folder", "nothing"])
def test_what_is_no_file_of_the_folder_is_not_there(stick, client, tmp_path, kind):
    path, elsewhere = timestamp_of(stick), str(tmp_path / "elsewhere")
    os.rename(os.path.dirname(path) if kind == "link in between" else path, elsewhere)
    if kind == "link":
        os.symlink(elsewhere, path)
    elif kind == "link in between":
        os.symlink("../elsewhere", os.path.dirname(path))
    elif kind == "link to itself":
        os.symlink("timestamp.json", path)
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        os.mkdir(path)
    refused(client.refresh(), "missing-file", client, timestamp=0)


def test_a_link_within_the_folder_is_followed(stick, client):
    os.rename(os.path.join(stick, "metadata"), os.path.join(stick, "2026-11"))
    os.symlink("2026-11", os.path.join(stick, "metadata"))
    accepted(client.refresh())


@pytest.mark.parametrize("name", ["timestamp.json", "1.snapshot.json", "2.root.json"])
def test_a_file_without_end_is_not_read(stick, client, name):
    path = os.path.join(stick, "metadata", name)
    with open(path, "ab"):
        os.truncate(path, 1 << 40)
    refused(client.refresh(), "endless-data")


def test_names_are_decoded_once(lab, stick, client):
    lab.delegate("a b?#%41", ["z/*"])
    lab.add("a b?#%41", "z/x%20y", b"x")
    lab.publish()
    written(lab, stick)
    digest = lab.delegated["a b?#%41"].targets["z/x%20y"].hashes["sha256"]
    os.rename(os.path.join(stick, "targets", "z", f"{digest}.x%20y"), os.path.join(stick, "targets", "z", f"{digest}.x y"))
    accepted(client.download("z/x%20y"))


def test_a_folder_that_is_not_there_is_told_of(client):
    client.stick = "/nothing/there"
    outcome = client.refresh()
    assert outcome.status == 1 and "/nothing/there" in outcome.said


@pytest.mark.parametrize("option", ["--metadata-url", "--target-base-url", "--proxy", "--ca-file", "--fetch"])
def test_a_folder_has_no_address(client, option):
    assert client.refresh(option, "x").status == 2
