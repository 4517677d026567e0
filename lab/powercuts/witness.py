"""What one boot of a board said on its console, read as testimony."""

import json
import re
from dataclasses import dataclass, field

# `level` is what a line was when the witness came: energised then is energised too early.
EDGE = re.compile(r"(?:edge|level) (\w+) ([01]) (\d+)$")


# `tapstile import` says so when the new site data are on the disk; of those from a repository the board says it.
PUBLICATION = re.compile(r"(?:Version|board: version) (\d+)(?: of \S+)? is in force")


@dataclass(frozen=True)
class Edge:
    """A relay that was energised, at a time of the board's own clock."""
    lane: str
    milliseconds: int


@dataclass
class Testimony:
    boot: str = None
    status: dict = None
    # What `tapstile journal verify` answered.
    verified: str = ""
    relays: dict = field(default_factory=dict)
    edges: list = field(default_factory=list)
    # Edges before any phone was there.
    early: list = field(default_factory=list)
    # The heads of the journal that phones were told with their outcomes.
    heads: list = field(default_factory=list)
    # The newest publication that was said to be in force.
    publication: int = 0
    # How the one tap ended that was decided by the data which the boot found, and how the first run after it.
    decided: str = None
    synchronised: str = None
    # How many taps ended how.
    results: dict = field(default_factory=dict)

    @classmethod
    def read(cls, lines):
        """Reads a console. What happened after the line `board: dropping` does not count: the disk kept nothing."""
        said = cls()
        tapping = False
        for line in lines:
            if line == "board: dropping":
                break
            published = PUBLICATION.match(line)
            if published:
                said.publication = max(said.publication, int(published[1]))
            words = line.split(" ", 3)
            edge = EDGE.match(line)
            if edge and edge[2] == "1":
                (said.edges if tapping else said.early).append(Edge(edge[1], int(edge[3])))
            elif line == "board: tapping":
                tapping = True
            elif line.startswith("board: boot "):
                said.boot = words[2].replace("-", "")
            elif line.startswith("board: status "):
                said.status = json.loads(line.split(" ", 2)[2])
            elif line.startswith("board: verified "):
                said.verified = line.split(" ", 2)[2]
            elif line.startswith("board: relays "):
                said.relays[words[2]] = words[3]
            elif line == "board: decided":
                said.decided = next(iter(said.results), None)
            elif line.startswith("board: run "):
                said.synchronised = said.synchronised or words[2]
                said._count("run that ended well" if words[2] == "0" else "run that failed")
            elif line.startswith('{"'):
                said._tap(line)
        return said

    def _count(self, result):
        self.results[result] = self.results.get(result, 0) + 1

    def _tap(self, line):
        try:
            tap = json.loads(line)
        except json.JSONDecodeError:
            return
        if "event" in tap:
            return
        self._count(tap["result"] if tap["result"] == "granted" else tap["reason"] or tap["result"])
        if tap["journalHead"]:
            self.heads.append(tap["journalHead"])
