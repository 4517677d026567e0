"""A TUF repository made with the classes of python-tuf, with all keys at hand, and a web server that serves it or lies."""

import contextlib
import datetime
import http.server
import json
import threading

from patience import PATIENCE, joined
from securesystemslib.formats import encode_canonical
from securesystemslib.signer import CryptoSigner
from tuf.api.metadata import (Delegations, DelegatedRole, Key, Metadata, MetaFile, Root, Snapshot, TargetFile, Targets,
                              Timestamp)
from tuf.api.serialization.json import JSONSerializer

TOP = ("root", "timestamp", "snapshot", "targets")
NOW = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
DAY = datetime.timedelta(days=1)


def signer():
    return CryptoSigner.generate_ed25519()


def signed(content, *signers):
    """A file of metadata under these signatures."""
    metadata = Metadata(content)
    for one in signers:
        metadata.sign(one, append=True)
    return metadata.to_bytes(JSONSerializer(compact=True))


def envelope(content, *signers):
    """The same of a dictionary, which may be none that python-tuf would write. Each signer may be a function from bytes to a signature entry."""
    try:
        told = encode_canonical(content).encode()
    except Exception:  # what cannot be signed is sent all the same
        told = json.dumps(content).encode()
    entries = [one(told) if callable(one) else one.sign(told).to_dict() for one in signers]
    return json.dumps({"signed": content, "signatures": entries}).encode()


class Lab:
    """Every role has version 1 and one key at first. `people` is delegated `people/*`. `release` makes new versions of roles and of all that
    speaks of them. What is in `files` is served: bytes, or a function of the handler."""

    def __init__(self, consistent=True, delegate=True):
        self.consistent = consistent
        self.files, self.targets_of = {}, {"targets": {}}
        self.signers = {role: [signer()] for role in TOP}
        self.expires = {}
        self.root = Root(expires=NOW + 365 * DAY, consistent_snapshot=consistent)
        for role in TOP:
            self.root.add_key(self.signers[role][0].public_key, role)
        self.delegated = {"targets": Targets(expires=NOW + 180 * DAY)}
        self.snapshot = Snapshot(expires=NOW + 14 * DAY)
        self.timestamp = Timestamp(expires=NOW + 3 * DAY)
        self.add("targets", "site/data", b"what a site decides")
        if delegate:
            self.delegate("people", ["people/*"])
            self.add("people", "people/full", b"anna and bert")
        self.put_root()
        self.publish()

    # What there is

    @property
    def first_root(self):
        return self.files["/metadata/1.root.json"]

    def content(self, role):
        return {"root": self.root, "snapshot": self.snapshot, "timestamp": self.timestamp}.get(role) or self.delegated[role]

    def delegate(self, name, paths=None, by="targets", terminating=False, signers=None):
        """`name` may sign targets with these paths. A role that is delegated twice keeps its keys unless others are given."""
        parent = self.delegated[by]
        if parent.delegations is None:
            parent.delegations = Delegations({}, {})
        new = signers or self.signers.get(name) or [signer()]
        self.signers.setdefault(name, new)
        for one in new:
            parent.delegations.keys[one.public_key.keyid] = one.public_key
        parent.delegations.roles[name] = DelegatedRole(name, [one.public_key.keyid for one in new], 1, terminating, paths)
        self.delegated.setdefault(name, Targets(expires=NOW + 14 * DAY))
        self.targets_of.setdefault(name, {})
        return self

    def add(self, role, path, content, algorithms=("sha256",)):
        target = TargetFile.from_data(path, content, list(algorithms))
        self.delegated[role].targets[path] = target
        self.targets_of[role][path] = content
        folder, _, base = path.rpartition("/")
        for value in target.hashes.values() if self.consistent else [None]:
            name = f"{value}.{base}" if value else base
            self.files["/targets/" + (folder + "/" if folder else "") + name] = content
        return target

    # Publishing

    def name(self, role, version=None):
        """Where a role's file is asked for."""
        if role == "timestamp":
            return "/metadata/timestamp.json"
        if role == "root" or self.consistent:
            return f"/metadata/{version or self.content(role).version}.{role}.json"
        return f"/metadata/{role}.json"

    def put_root(self, *signers):
        self.files[self.name("root")] = signed(self.root, *(signers or self.signers["root"]))

    def put(self, role, *signers):
        """Signs a role's content as it is; what speaks of it is not changed."""
        self.files[self.name(role)] = signed(self.content(role), *(signers or self.signers[role]))

    def edit(self, role, change, *signers, version=None):
        """Puts a role's file after a change of its dictionary that python-tuf would not make."""
        content = self.content(role).to_dict()
        content = change(content) or content
        self.files[self.name(role, version)] = envelope(content, *(signers or self.signers[role]))

    def publish(self):
        """Everything as it is now, in versions that hang together."""
        for role, targets in self.delegated.items():
            self.snapshot.meta[f"{role}.json"] = MetaFile(targets.version)
            self.put(role)
        self.timestamp.snapshot_meta = MetaFile(self.snapshot.version)
        self.put("snapshot")
        self.put("timestamp")
        return self

    def release(self, *roles):
        """New versions of these roles, of snapshot and timestamp."""
        for role in {*roles, "snapshot", "timestamp"}:
            self.content(role).version += 1
        return self.publish()

    def new_root(self, *signers):
        """The next version of root as it is now, by default signed by the keys before and after it."""
        self.root.version += 1
        self.put_root(*signers)

    def rotate(self, role, keep=False, count=1):
        """Other keys for a role, in a new root (or delegation). Answers the old ones."""
        old = self.signers[role]
        new = [signer() for _ in range(count)]
        self.signers[role] = old + new if keep else new
        for one in new:
            self.root.add_key(one.public_key, role)
        if not keep:
            for one in old:
                self.root.revoke_key(one.public_key.keyid, role)
        if role == "root":
            self.new_root(*old, *new)
        else:
            self.new_root()
        return old

    # Serving

    @contextlib.contextmanager
    def served(self):
        lab, requests = self, []

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Of its connection.
            timeout = PATIENCE

            def do_GET(self):
                requests.append(self.path)
                content = lab.files.get(self.path)
                if callable(content):
                    self.close_connection = True
                    with contextlib.suppress(OSError):
                        content(self)
                    return
                self.send_response(404 if content is None else 200)
                self.send_header("Content-Length", str(len(content or b"")))
                self.end_headers()
                self.wfile.write(content or b"")

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        self.url, self.requests = f"http://127.0.0.1:{server.server_port}", requests
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()
            joined(thread)


def endless(handler):
    """An answer without end."""
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(b" " * 65_536)


def broken_off(content):
    """Announces all and sends half."""
    def answer(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content[:len(content) // 2])
    return answer


def trickling(content, seconds, wake):
    """One byte each so many seconds, until the other side hangs up."""
    def answer(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        for byte in content:
            handler.wfile.write(bytes([byte]))
            handler.wfile.flush()
            if wake.wait(seconds):
                return
    return answer


def status(code):
    def answer(handler):
        handler.send_response(code)
        handler.send_header("Content-Length", "0")
        handler.end_headers()
    return answer


def with_key(content, keyid, key):
    """A root's or delegation's dictionary with a key more."""
    content["keys"][keyid] = key.to_dict() if isinstance(key, Key) else key
    return content
