"""Compares what was witnessed before a cut with what the disk says after it."""

import os
from dataclasses import dataclass, field

from . import site
from .journal import Damaged, Journal, check_site_data

# A relay moves within this time after its attempt began: the presentation's deadline, and a late witness.
LONGEST = 2_000


@dataclass
class Account:
    """The sums of a campaign."""
    cuts: int = 0
    edges: int = 0
    records: int = 0
    unknown: int = 0
    quiet: int = 0
    losses: list = field(default_factory=list)

    def add(self, other):
        self.cuts += other.cuts
        self.edges += other.edges
        self.records += other.records
        self.unknown += other.unknown
        self.quiet += other.quiet
        self.losses += other.losses

    def __str__(self):
        return (f"{self.cuts} cuts, {self.edges} edges, {self.records} records, {self.unknown} unknown, "
                f"{len(self.losses)} losses")


class Judge:
    """Follows one board from boot to boot. Each finding is a sentence in `account.losses`."""

    def __init__(self, settings, lanes):
        self.settings = settings
        self.lanes = lanes
        self.account = Account()
        self._before = None
        # Attempts without outcome that the last cut left, with the boot they were made in.
        self._open = {}
        self._cut = 0
        # The newest publication that the gate said it keeps.
        self._publication = 0

    def loss(self, sentence):
        self.account.losses.append(f"cut {self._cut}: {sentence}")

    def start(self, testimony):
        """Judges a board that is up, before the first phone."""
        for when in ("before", "after"):
            if testimony.relays.get(when) != " ".join("0" for _ in self.lanes):
                self.loss(f"relays {when} the daemon's start: {testimony.relays.get(when)}")
        for edge in testimony.early:
            self.loss(f"lane {edge.lane} was energised without a phone")
        if '"holds":true' not in testimony.verified:
            self.loss(f"the gate itself finds its journal broken: {testimony.verified}")
        trust = (testimony.status or {}).get("trust", {})
        if trust.get("state") != "ready" or "setAside" in trust:
            self.loss(f"the site data are not in force: {trust}")
        elif trust["version"] < self._publication:
            self.loss(f"publication {self._publication} was in force, and now it is {trust['version']}")
        self._publication = max(self._publication, testimony.publication)
        journal = (testimony.status or {}).get("journal", {})
        if "setAside" in journal or "failure" in journal:
            self.loss(f"the journal: {journal}")

    def cut(self, number, testimony, folder):
        """Judges the disk after a cut, as the next boot found it. `testimony` is of the boot that was cut."""
        self._cut = number
        self.account.cuts += 1
        self.account.edges += len(testimony.edges)
        self.account.quiet += not testimony.edges
        journal = self.disk(folder)
        if journal is None:
            return
        for head in testimony.heads:
            if head not in journal.heads:
                self.loss(f"a phone was told the head {head[:16]}…, which is not in the chain")
        outcomes = journal.outcomes(testimony.boot)
        attempts = journal.attempts(testimony.boot)
        self.account.records += sum(outcome.reason == "granted" for outcome in outcomes.values())
        for lane in self.lanes:
            self._lane(lane, [edge for edge in testimony.edges if edge.lane == lane],
                       [attempt for attempt in attempts if attempt.lane == lane], outcomes, journal.open)
        self._open = {number: attempt for number, attempt in journal.open.items() if attempt.boot == testimony.boot}

    def disk(self, folder):
        """Judges the two databases and the settings. Nothing that was there once may be missing."""
        try:
            check_site_data(os.path.join(folder, "state"))
            journal = Journal(os.path.join(folder, "state"))
        except Damaged as damage:
            self.loss(str(damage))
            return None
        if site.settings(os.path.join(folder, "etc")) != self.settings:
            self.loss("the configuration or the keys changed")
        strays = [name for name in os.listdir(os.path.join(folder, "state")) if "corrupt" in name]
        if strays:
            self.loss(f"a database was set aside: {strays}")
        if self._before:
            for name, chain in self._before.chains.items():
                if journal.chains[name][:len(chain)] != chain:
                    self.loss(f"the {name} chain is not a continuation of what it was a boot ago")
            self._recovered(journal)
        self._before = journal
        return journal

    def _recovered(self, journal):
        """What the cut before this one left open was closed by the boot after it."""
        unknown = {}
        outcomes = {entry.attempt: entry for entry in journal.chains["main"] if entry.reason == "outcome-unknown"}
        for number, attempt in self._open.items():
            if number in journal.open:
                self.loss(f"attempt {number} was left open by the cut and is open still")
            if number in outcomes:
                unknown[attempt.lane] = unknown.get(attempt.lane, 0) + 1
        self.account.unknown += sum(unknown.values())
        for lane, count in unknown.items():
            if count > 1:
                self.loss(f"lane {lane} has {count} unknown outcomes")
        self._open = {}

    def _lane(self, lane, edges, attempts, outcomes, opened):
        """Each edge belongs to an attempt of its own; at most one of them has no name."""
        granted = {attempt.sequence for attempt in attempts
                   if attempt.sequence in outcomes and outcomes[attempt.sequence].reason == "granted"}
        nameless = 0
        for edge in reversed(edges):
            near = [attempt for attempt in attempts if 0 <= edge.milliseconds + 1 - attempt.monotonic <= LONGEST
                    and (attempt.sequence in granted or attempt.sequence in opened)]
            if not near:
                self.loss(f"the relay of lane {lane} was energised at {edge.milliseconds} ms "
                          "and there is no attempt for it")
                continue
            own = max(near, key=lambda attempt: attempt.monotonic)
            attempts = [attempt for attempt in attempts if attempt.sequence != own.sequence]
            if own.sequence in granted and outcomes[own.sequence].subject != site.subject(lane):
                self.loss(f"lane {lane} opened for {outcomes[own.sequence].subject}, who was never there")
            nameless += own.sequence not in granted
        if nameless > 1:
            self.loss(f"lane {lane} opened {nameless} times without a name")
