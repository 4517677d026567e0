"""A site's repository that grows, and a crowd of gates that follow it: `sync-clients` (Tests/Load) does what a gate does on the network."""

import csv
import json
import os
import re
import subprocess
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from patience import LONG
from processes import Lines, end, run

SITE = "load"


class GrowingSite:
    """A real office that publishes where an nginx serves it, all keys at hand. Each person has a P-256 key of his own and may pass everywhere."""

    def __init__(self, programs, nginx, folder, people):
        self._programs, self._office, self._csv = programs, os.path.join(folder, "office"), os.path.join(folder, "people.csv")
        self.repository, self.people = os.path.join(nginx.root, SITE), 0
        self.url = nginx.url(SITE)
        os.makedirs(folder, exist_ok=True)
        self._do("init", "--site", SITE)
        self._do("gate", "--name", "main")
        self._enrol(people)
        # Of a file of this very second no gate keeps the tag, and nginx makes tags of second and length.
        self._second = 1_000_000_000
        self._do("publish", "init", "--repo", self.repository, "--together")
        self._age()

    def _do(self, *words):
        return self._programs.json("tapstile-authority", *words, "--dir", self._office, seconds=LONG)

    def _enrol(self, count):
        with open(self._csv, "w", encoding="utf-8", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(["subject", "key"])
            for _ in range(count):
                self.people += 1
                key = ec.generate_private_key(ec.SECP256R1()).public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
                rows.writerow([f"person-{self.people:06}", key.hex()])
        self._do("import", self._csv)

    def _age(self):
        self._second += 1
        os.utime(os.path.join(self.repository, "metadata", "timestamp.json"), (self._second, self._second))

    def grow(self, count):
        """So many people more, published."""
        self._enrol(count)
        self._do("publish")
        self._age()

    def refresh(self):
        """A new timestamp, as every hour."""
        self._do("publish", "--timestamp")
        self._age()

    @property
    def root(self):
        return os.path.join(self.repository, "metadata", "1.root.json")

    @property
    def _signed_people(self):
        folder = os.path.join(self.repository, "metadata")
        newest = max((name for name in os.listdir(folder) if name.endswith(".people.json")), key=lambda name: int(name.split(".")[0]))
        with open(os.path.join(folder, newest), encoding="utf-8") as file:
            return json.load(file)["signed"]

    @property
    def version(self):
        """Of people, as it is published."""
        return self._signed_people["x-tapstile-state"]["version"]

    @property
    def lengths(self):
        """Of the bundles of people that are published, in bytes."""
        return {path: target["length"] for path, target in self._signed_people["targets"].items()}


@dataclass
class Period:
    """What one synchronisation of all gates was to the server."""

    gates: int
    milliseconds: int
    #: How many gates ended with which code.
    failed: dict
    #: How many gates have which version of people.
    versions: dict
    #: (connection, status, bytes of the request, bytes of the answer, method, address) of each request.
    rows: list
    #: Bytes on all open connections since they were opened, with TLS and without TCP's own: to the server, from it.
    wire: tuple

    @property
    def requests(self):
        return len(self.rows) / self.gates

    @property
    def http(self):
        """Bytes for a gate: of its requests, of the answers to them."""
        return sum(row[2] for row in self.rows) / self.gates, sum(row[3] for row in self.rows) / self.gates

    @property
    def tls(self):
        return self.wire[0] / self.gates, self.wire[1] / self.gates

    @property
    def connections(self):
        return len({row[0] for row in self.rows}) / self.gates


class Crowd:
    """So many gates in one process."""

    def __init__(self, programs, nginx, site, gates, authorities=None, **options):
        self.gates, self._nginx = gates, nginx
        words = {"root": site.root, "url": site.url, "site": SITE, "gates": gates, "authorities": authorities, **options}
        told = [f"{name.replace('_', '-')}={value}" for name, value in words.items() if value is not None]
        self._process = programs.start("sync-clients", *told, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self._lines = Lines(self._process)
        try:
            self._heard()
        except BaseException:
            self.close()
            raise

    def _heard(self):
        line = self._lines.next(LONG)
        if line is None:
            raise EOFError("sync-clients has ended")
        return json.loads(line)

    def synchronise(self):
        """All gates, once."""
        before = len(self._nginx.log)
        self._process.stdin.write("\n")
        said = self._heard()
        return Period(self.gates, said["milliseconds"], said["failed"], {int(key): value for key, value in said["versions"].items()},
                      self._nginx.log[before:], self._wire())

    def _wire(self):
        """The kernel's counters of the gates' ends."""
        said = run(["ss", "-Htin", "state", "established", f"dport = :{self._nginx.port}"], capture_output=True, text=True, check=True).stdout
        return tuple(sum(map(int, re.findall(rf"\b{name}:(\d+)", said))) for name in ("bytes_sent", "bytes_received"))

    def close(self):
        end(self._process)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
