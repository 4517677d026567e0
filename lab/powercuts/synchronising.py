"""The story of a gate that synchronises: its office publishes all the time, changes and now and then everything anew,
and the board fetches from an nginx of its own what lies in a folder of the host."""

import hashlib
import json
import os
import shutil
import struct
import subprocess
from pathlib import Path

from runner.patience import AROUND, STEP, run

from . import cbor
from .campaign import Taps
from .judge import Judge
from .journal import Damaged, check_site_data
from .site import LANES, Site, subject

# Who is in a group, beside the people at the lanes: a whole list of people takes a moment.
MEMBERS = 5_000

# This one may pass, or may not, by turns.
DOUBTFUL = LANES[-1]

SYNC = """

[sync]
url = "http://127.0.0.1:8080"
socket = "/run/fetch.sock"
interval-minutes = 1440
local-addresses = ["127.0.0.1"]
"""


class RepositorySite(Site):
    """A site whose gate fetches. `states` has of every version that was published whether the doubtful one may pass."""

    trust = Site.trust + SYNC

    def __init__(self, folder, programs):
        super().__init__(folder, programs)
        self.states = {}
        self._allowed = True

    def _bring(self):
        with open(self.path("members.csv"), "w", encoding="utf-8") as file:
            file.write("subject,groups\n" + "".join(f"member-{number},staff\n" for number in range(MEMBERS)))
        self._office("import", self.path("members.csv"))
        super()._bring()
        self.publish()

    def publish(self):
        """What the office has decided, for gates."""
        said = json.loads(self._office("publish"))
        self.states[said["version"]] = self._allowed

    def turn(self, anew):
        """The doubtful one may pass now, or may not any more; perhaps everybody is given anew."""
        if anew:
            self._office("new-epoch")
            self.publish()
        self._allowed = not self._allowed
        self._office("resume" if self._allowed else "suspend", "--subject", subject(DOUBTFUL))
        self.publish()


class RepositoryJudge(Judge):
    """Beside all else: one of the published states is in force, whole, the newest that was, and decides as it says."""

    # By version whether the doubtful one may pass; the story's.
    states = None

    def __init__(self, settings, lanes):
        super().__init__(settings, lanes)
        self._versions = None

    def start(self, testimony):
        super().start(testimony)
        trust = (testimony.status or {}).get("trust", {})
        version = trust.get("version")
        if version not in self.states or trust.get("origin") != "repository" or trust.get("memberships") != MEMBERS:
            self.loss(f"what is in force was never published: {trust}")
        elif testimony.decided is not None and (testimony.decided == "granted") != self.states[version]:
            self.loss(f"by version {version} a tap ended so: {testimony.decided}")
        if testimony.synchronised not in (None, "0"):
            self.loss("the first run after the cut failed")

    def disk(self, folder):
        state = os.path.join(folder, "state")
        try:
            if os.path.exists(os.path.join(state, "trust.recent.db")):
                check_site_data(state, "trust.recent.db")
            self._go_on(_versions(os.path.join(state, "trust.versions")), _metadata(os.path.join(state, "tuf")))
        except Damaged as damage:
            self.loss(str(damage))
        return super().disk(folder)

    def _go_on(self, versions, metadata):
        """Versions of root, timestamp, snapshot, targets and people never go back, and no file is newer than they say."""
        if self._versions and any(now < before for now, before in zip(versions, self._versions)):
            self.loss(f"trust.versions went from {self._versions} to {versions}")
        self._versions = versions
        for version, (role, found) in zip(versions, metadata.items()):
            if found > version:
                self.loss(f"{role} has version {found}, and trust.versions says {version}")


def _versions(path):
    """What the file says: of its two slots the newest that is whole."""
    data = Path(path).read_bytes()
    best = (0, None)
    for slot in (data[:512], data[512:1024]):
        if len(slot) < 50 or slot[:8] != b"TSSLOT1\n":
            continue
        number, length = struct.unpack(">QH", slot[8:18])
        body, seal = slot[:18 + length], slot[18 + length:50 + length]
        if hashlib.sha256(body).digest() == seal:
            best = max(best, (number, body[18:]))
    if best[1] is None:
        raise Damaged("trust.versions says nothing")
    return cbor.decode(best[1])[1:]


def _metadata(folder):
    """The version of each role's file; a file that is not there has none."""
    found = {}
    for role in ("root", "timestamp", "snapshot", "targets", "people"):
        path = Path(folder, f"{role}.json")
        try:
            found[role] = json.loads(path.read_bytes())["signed"]["version"] if path.exists() else 0
        except (ValueError, KeyError) as error:
            raise Damaged(f"{path.name} is damaged: {error}") from error
    return found


class Synchronising(Taps):
    """Each cut comes in a run, or shortly after it."""

    Site = RepositorySite
    environment = {"STORY": "sync"}

    def __init__(self, folder, programs):
        super().__init__(folder, programs)
        # It may have to be downloaded.
        nginx = run([Path(__file__).resolve().parents[2] / "Tests/Support/private-server"], AROUND, stdout=subprocess.PIPE, text=True)
        nginx.check_returncode()
        shutil.copy(nginx.stdout.strip(), os.path.join(folder, "nginx"))

    def Judge(self, settings, lanes):
        judge = RepositoryJudge(settings, lanes)
        judge.states = self.site.states
        return judge

    def prepare(self):
        """It publishes while boards run."""

    def wait(self, board, moment):
        for begin in ("board: tapping", "board: run ", "board: took ", "edge "):
            board.wait_for(begin, STEP)
        # A run's moment is a part of what the last one took that brought something.
        took = [int(line.rsplit(" ", 1)[1]) for line in board.lines if line.startswith("board: took ")][-1]
        board.wait_for("board: a run begins", STEP)
        board.listen(moment.part * took / 1000)
        return f"{100 * moment.part:.0f} % of a run of {took} ms ({moment.disk} disk)"
