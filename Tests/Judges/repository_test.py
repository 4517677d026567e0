"""A repository of `tapstile-authority publish` before python-tuf, the reference client: it takes it after every command.

TAPSTILE_BIN is the folder of the built programs.
"""

import functools
import http.server
import json
import os
import threading

import cbor2
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from tuf.api.exceptions import ExpiredMetadataError, RepositoryError
from tuf.api.metadata import Metadata
from tuf.ngclient import Updater

from patience import PATIENCE, joined, wait_until
from processes import run

ROLES = ["root", "targets", "people", "snapshot", "timestamp"]


class Quiet(http.server.SimpleHTTPRequestHandler):
    # Of its connection.
    timeout = PATIENCE

    def log_message(self, *_):
        pass


class Office:
    """An authority with a repository, and a client of python-tuf for it."""

    def __init__(self, folder):
        self.folder = folder
        self.repository = folder / "repo"
        self.run("init", "--site", "north")
        self.run("gate", "--name", "main")

    def run(self, *arguments, code=0):
        program = os.path.join(os.environ["TAPSTILE_BIN"], "tapstile-authority")
        about_folder = [] if arguments[0] in ("sign", "role-key", "verify-repo") else ["--dir", self.folder / "office"]
        # Whoever runs the tests answers for the machine's clock.
        environment = {**os.environ, "TAPSTILE_CLOCK_SOURCE": "installer"}
        done = run([program, *arguments, *about_folder, "--json"], env=environment, capture_output=True, text=True)
        assert done.returncode == code, done.stderr
        return json.loads(done.stdout if code == 0 else done.stderr)

    def enrol(self, subject):
        public = ec.generate_private_key(ec.SECP256R1()).public_key()
        line = {"subject": subject, "key": public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint).hex()}
        path = self.folder / "list"
        path.write_text(json.dumps(line) + "\n")
        self.run("enrol", "--from", path)

    def sign(self, role, *keys, code=0):
        """Draft, signatures, acceptance."""
        draft = self.folder / "draft"
        self.run("draft", role, "--out", draft)
        signatures = []
        for number, key in enumerate(keys):
            signatures += ["--signature", self.folder / f"{number}.sig"]
            self.run("sign", draft, "--key", key, "--out", signatures[-1], "--yes", "--uncompared")
        return self.run("accept", draft, *signatures, code=code)

    def root(self):
        return (self.repository / "metadata" / "1.root.json").read_bytes()


class Client:
    """python-tuf with a folder of its own: it keeps what it trusts from one visit to the next."""

    def __init__(self, office, folder, address):
        self.office, self.folder, self.address = office, folder, address
        for name in ("metadata", "targets"):
            (folder / name).mkdir(parents=True)
        self.bootstrap = office.root()

    def visit(self):
        """Refreshes and loads every target; those of people as CBOR."""
        updater = Updater(str(self.folder / "metadata"), f"{self.address}/metadata/", str(self.folder / "targets"),
                          f"{self.address}/targets/", bootstrap=self.bootstrap)
        updater.refresh()
        found = {}
        for path in ["site/data", *self.targets_of_people()]:
            info = updater.get_targetinfo(path)
            assert info is not None, path
            with open(updater.download_target(info), "rb") as file:
                found[path] = sequence(file.read())
        assert updater.get_targetinfo("people/nothing") is None
        return found

    def targets_of_people(self):
        newest = max(int(name.name.split(".")[0]) for name in (self.office.repository / "metadata").glob("*.people.json"))
        return sorted(json.loads((self.office.repository / "metadata" / f"{newest}.people.json").read_text())["signed"]["targets"])

    def version(self, role):
        return Metadata.from_file(str(self.folder / "metadata" / f"{role}.json")).signed.version


def sequence(data):
    """The items of a CBOR sequence."""
    items, decoder = [], cbor2.CBORDecoder(stream := __import__("io").BytesIO(data))
    while stream.tell() < len(data):
        items.append(decoder.decode())
    return items


@pytest.fixture
def office(tmp_path):
    return Office(tmp_path)


@pytest.fixture
def client(office, tmp_path):
    """Made when the repository is there."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(office.repository)))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    numbers = iter(range(100))
    yield lambda: Client(office, tmp_path / f"client-{next(numbers)}", f"http://127.0.0.1:{server.server_port}")
    server.shutdown()
    joined(thread)
    server.server_close()


def test_it_takes_a_new_repository_and_every_change(office, client):
    office.run("publish", "init", "--repo", office.repository, "--together")
    gate = client()
    found = gate.visit()
    assert list(found) == ["site/data", "people/full"]
    assert found["site/data"][0][2] == "site" and found["site/data"][0][3] == "north"
    office.enrol("anna")
    office.run("suspend", "--subject", "ben", "--anyway")
    assert office.run("publish")["changes"] == 2
    found = gate.visit()
    changes = found["people/since-1"]
    assert changes[0][9] == 1 and changes[0][5] == 2
    assert [item[0] for item in changes[1:]] == [0, 0]
    assert changes[1][1][6] == "anna" and changes[2][1] == [4, 5, "ben"]
    office.run("resume", "--subject", "ben")
    office.run("publish")
    assert gate.visit()["people/since-2"][1:] == [[1, 4, b"\x05ben"]]
    assert gate.version("people") == 3


def test_it_takes_a_timestamp_alone(office, client):
    office.run("publish", "init", "--repo", office.repository, "--together")
    gate = client()
    gate.visit()
    assert office.run("publish", "--timestamp")["version"] == 2
    gate.visit()
    key = office.folder / "office" / "roles" / "timestamp-1.key"
    assert office.run("publish", "--timestamp", "--repo", office.repository, "--key", key)["version"] == 3
    gate.visit()
    assert gate.version("timestamp") == 3 and gate.version("snapshot") == 1


@pytest.mark.parametrize("role", ROLES)
def test_it_takes_new_keys_of_every_role(office, client, role):
    office.run("publish", "init", "--repo", office.repository, "--together")
    gate = client()
    gate.visit()
    office.run("rotate", role)
    gate.visit()
    office.run("rotate", role, "--drop")
    gate.visit()
    office.enrol("anna")
    office.run("publish")
    assert "people/since-1" in gate.visit()
    assert gate.version("root") == (1 if role == "people" else 3)
    client().visit()


def test_it_takes_what_three_people_signed(office, client):
    keys = {}
    for name, role in [("alice", "root"), ("bob", "root"), ("carol", "root"), ("targets", "targets"), ("dora", "root"), ("new", "targets")]:
        keys[name] = office.folder / f"{name}.key"
        office.run("role-key", "--role", role, "--out", keys[name])
    public = {name: path.with_suffix(".pub") for name, path in keys.items()}
    office.run("publish", "init", "--repo", office.repository, "--root-threshold", "2", "--targets-key", public["targets"],
               *[part for name in ("alice", "bob", "carol") for part in ("--root-key", public[name])])
    assert office.sign("root", keys["bob"], code=1)["error"]["code"] == "threshold-not-met"
    office.sign("root", keys["bob"], keys["carol"])
    office.sign("targets", keys["targets"])
    gate = client()
    gate.visit()
    # Another person, and another key for targets: gates are given the root when targets have signed under it.
    office.run("rotate", "root", "--add", public["dora"])
    office.run("rotate", "targets", "--add", public["new"])
    office.sign("root", keys["alice"], keys["bob"])
    office.sign("targets", keys["targets"], keys["new"])
    gate.visit()
    office.run("rotate", "targets", "--drop")
    office.sign("root", keys["dora"], keys["alice"])
    gate.visit()
    office.sign("targets", keys["new"])
    office.run("new-epoch")
    office.sign("targets", keys["new"])
    assert gate.visit()["people/full"][0][4] == 2
    assert gate.version("root") == 3


def test_it_takes_a_stick_and_then_the_repository(office, client):
    office.run("publish", "init", "--repo", office.repository, "--together")
    office.enrol("anna")
    repository, stick = office.repository, office.folder / "stick"
    office.run("publish", "--stick", stick, "--valid", "45d")
    gate = client()
    # What stands below the address is now what the stick has.
    repository.rename(office.folder / "kept")
    stick.rename(repository)
    assert "people/since-1" in gate.visit()
    carried = gate.version("timestamp")
    repository.rename(stick)
    (office.folder / "kept").rename(repository)
    gate.visit()
    assert gate.version("timestamp") == carried + 1


def test_both_refuse_what_is_over(office, client):
    """Ours and theirs say the same of a repository at another time."""
    office.run("publish", "init", "--repo", office.repository, "--together", "--expires-timestamp", "1s")
    program = os.path.join(os.environ["TAPSTILE_BIN"], "tapstile-authority")

    def refusal():
        done = run([program, "verify-repo", office.repository, "--json"], capture_output=True, text=True)
        return json.loads(done.stderr or done.stdout).get("error")

    assert wait_until("the timestamp to be over", refusal, pause=0)["code"] == "tuf-freeze"
    with pytest.raises(ExpiredMetadataError):
        client().visit()


def test_both_refuse_what_nobody_signed(office, client):
    office.run("publish", "init", "--repo", office.repository, "--together")
    path = office.repository / "metadata" / "timestamp.json"
    path.write_text(path.read_text().replace('"version":1,"x', '"version":9,"x'))
    assert office.run("verify-repo", office.repository, code=1)["error"]["code"] == "tuf-arbitrary-software"
    with pytest.raises(RepositoryError):
        client().visit()
