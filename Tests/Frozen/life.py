"""What happens at the site whose things are frozen: an office, two gates, people and operators."""

import lzma
import os
import shutil

from gatehouse import Card, Person
from gatehouse.frozen import FrozenSite
from gatehouse.phone import Phone

# Two hundred years: what is frozen shall not expire.
EVER = "73000d"
# A storage card of ISO 14443 A, as CCID readers show it (PC/SC part 3, 3.1.3.2.3).
STORAGE = bytes.fromhex("3b8f8001804f0ca000000306030001000000006a")
KNOWN_CARD, OTHER_CARD = "04a1b2c3d4e5f6", "04000000000001"
#: What configurations and rules begin with.
STORY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "story")


class Story:
    """The life of a site and its gate, in `folder`."""

    def __init__(self, programs, folder, port):
        self.site = FrozenSite(programs, folder)
        self.programs, self.port, self.gate = programs, port, None
        os.umask(0o022)
        for name in ("office", "people", "sticks", "gate/keys", "gate/state", "alone/keys", "alone/state", "notes"):
            os.makedirs(self.site.path(name), 0o700)
        self.out = self.site.path("out")
        os.makedirs(os.path.join(self.out, "evidence"))

    # The office

    def found(self):
        site = self.site
        site.authority("init", "--site", "frozen")
        site.authority("gate", "--name", "gates")
        site.authority("rules", os.path.join(STORY, "rules.toml"))
        self.people()
        expiries = [word for role in ("root", "targets", "people", "snapshot", "timestamp") for word in (f"--expires-{role}", EVER)]
        site.authority("publish", "init", "--repo", site.path("repository"), "--together", *expiries)
        for name in ("signing", "agreement"):
            shutil.copy(site.path("office", "gates", "gates", f"gate-{name}.key"), site.path("gate", "keys"))
        shutil.copy(site.path("repository", "metadata", "1.root.json"), site.path("gate", "keys", "root.json"))
        shutil.copy(os.path.join(STORY, "gate.toml"), site.path("gate", "tapstile.toml"))

    def token(self, name, *options):
        person = self.made(name)
        person.token = self.site.path("people", f"{name}.token")
        self.site.authority("token", "--key", person.public_key, "--subject", name, "--out", person.token, "--valid", EVER, *options)

    def enrolled(self, name, agrees=False):
        person = self.made(name, agrees)
        self.site.authority("enrol", "--key", person.public_key, "--subject", name, "--out", self.site.path("people", f"{name}.ccs"))

    def made(self, name, agrees=False):
        person = Person(self.site, name)
        Phone.make_key(self.programs, person, agrees)
        return person

    def people(self):
        for name in ("anna", "emil", "lena"):
            self.token(name)
        self.token("bert", "--scope", "hold")
        self.token("otto", "--audience", "tapstile:frozen/cellar")
        self.token("hugo", "--scope", "tokn hold usual lamp", "--user-verified")
        for name in ("carl", "nora", "mallory", "nina"):
            self.enrolled(name)
        self.enrolled("dora", agrees=True)
        self.site.authority("card", "--uid", KNOWN_CARD, "--subject", "carla")

    def stick(self):
        number = len(os.listdir(self.site.path("sticks"))) + 1
        path = self.site.path("sticks", str(number))
        self.site.authority("publish", "--stick", path, "--valid", EVER)
        return path

    # The gate

    def tap(self, name, *options, lane="entry", passes=False):
        gate = self.gate
        # A reader that polls needs a while to see the last phone leave.
        gate.wait_for_an_empty_field()
        mark = gate.events.mark
        Phone(self.site.person(name), ()).tap(*(["--slot", "2"] if lane == "side" else []), *options)
        reason = gate.events.wait("result", since=mark, lane=lane)["reason"]
        if passes:
            gate.pass_through(lane)
            gate.events.wait("passage", since=mark, lane=lane, finding="passed")
        print(f"{name} at {lane}: {reason}")
        return reason

    def card(self, number):
        gate = self.gate
        gate.wait_for_an_empty_field()
        mark = gate.events.mark

        def answer(command):
            return bytes.fromhex(number) + b"\x90\x00" if command == bytes.fromhex("ffca000000") else b"\x6d\x00"

        with Card(self.port, answer, answer_to_reset=STORAGE):
            print("a card:", gate.events.wait("result", since=mark)["reason"])
        gate.wait_for_an_empty_field()

    def simulated(self, line, state, kind, **fields):
        mark = self.gate.events.mark
        self.gate.ask("simulate", line, state)
        self.gate.events.wait(kind, since=mark, **fields)

    def first_days(self):
        gate = self.gate
        assert gate.ask("import", self.stick())["way"] == "whole"
        gate.ask("journal", "audit-key", "--out", os.path.join(self.out, "audit.pub"))
        self.tap("anna", passes=True)
        self.tap("anna", passes=True)
        self.tap("anna", lane="side", passes=True)
        for _ in range(2):
            self.tap("emil", "--by-reference")
        for name in ("carl", "dora", "bert", "otto", "nora", "mallory"):
            self.tap(name)
        self.card(KNOWN_CARD)
        self.card(OTHER_CARD)
        for command in ("hold", "usual", "lamp"):
            self.tap("hugo", "--command", command, "--manual")
        # Not yet known to the gate.
        self.enrolled("tina")
        self.tap("tina")

    def operators(self):
        gate = self.gate
        gate.ask("lane", "entry", "hold-open", "--for", "30m")
        gate.ask("lane", "entry", "normal")
        gate.ask("lane", "entry", "close")
        self.tap("anna")
        gate.ask("lane", "entry", "normal")
        gate.ask("lane", "entry", "release", "in")
        gate.pass_through()
        gate.ask("lane", "entry", "toggle", "lamp")
        gate.ask("lane", "entry", "toggle", "lamp")
        gate.ask("passback", "show")
        self.simulated("gate:fire", "on", "input", input="fire")
        self.simulated("gate:fire", "off", "input", input="fire")
        self.simulated("entry-tamper", "on", "input", input="tamper")
        self.simulated("entry-tamper", "off", "input", input="tamper")
        self.simulated("entry-passage-in", "on", "passage", finding="held")
        self.simulated("entry-passage-in", "off", "alarm", on=False)
        gate.ask("reload")

    def changes(self):
        gate = self.gate
        self.site.authority("ban", "--subject", "mallory", "--yes")
        self.site.authority("suspend", "--subject", "nina")
        for role in ("root", "people"):
            self.site.authority("rotate", role)
        assert gate.ask("import", self.stick())["way"] == "changes"
        for name in ("mallory", "nina", "tina"):
            self.tap(name)
        gate.tell("import", self.site.path("sticks", "1"), status=1)
        gate.wait_for_the_journal()
        gate.ask("journal", "checkpoint", "--out", os.path.join(self.out, "kept.checkpoint"))
        self.tap("lena", passes=True)
        gate.wait_for_the_journal()

    def power_cut(self):
        """What it leaves of a state folder."""
        self.gate.kill()
        shutil.copytree(self.site.path("gate", "state"), self.site.path("killed"))
        self.start()

    def last_days(self):
        gate = self.gate
        collected = os.path.join(self.out, "collected.checkpoint")
        gate.ask("journal", "checkpoint", "--out", collected)
        self.keep("journal.bodies.jsonl", gate.tell("journal", "--bodies", "--checkpoint", collected).stdout)
        gate.ask("journal", "ack", "--checkpoint", collected)
        self.tap("anna", passes=True)
        # What stays: a mode, an output, and who is inside.
        self.tap("hugo", "--command", "lamp", "--manual")
        gate.ask("lane", "side", "lock-down")
        gate.wait_for_the_journal()

    def start(self):
        self.gate.start()
        for name in ("entry-reader", "side-reader"):
            self.gate.wait_with_events(f"{name} to be ready", lambda name=name: self.is_ready(name), "reader")

    def is_ready(self, name):
        return any(reader["name"] == name and reader["state"] == "reader-ready" for reader in self.gate.status()["readers"])

    def life(self, told):
        """From the first key to the last stick; `told` is called while there is a gate to ask."""
        self.found()
        self.gate = self.site.gate()
        self.start()
        self.first_days()
        self.operators()
        self.changes()
        self.power_cut()
        self.last_days()
        assert self.gate.stop() == 0, self.gate.log
        # What is told is told of a journal that has its last checkpoint, by a gate that was started once more.
        self.start()
        told()
        assert self.gate.stop() == 0, self.gate.log
        self.alone()
        self.enrolled("wanda")
        self.site.authority("gate", "--name", "gates", "--rotate")
        self.site.authority("issuer", "--rotate")
        self.site.authority("ban", "--subject", "tina", "--yes")
        self.stick()

    def alone(self):
        """A gate of its own, which knows two of these people by its own file."""
        site = self.site
        for name, file in (("alone.toml", "tapstile.toml"), ("site.toml", "site.toml")):
            shutil.copy(os.path.join(STORY, name), site.path("alone", file))
        shutil.copy(site.path("gate", "keys", "gate-signing.key"), site.path("alone", "keys"))
        for name in ("carl", "mallory"):
            shutil.copy(site.path("people", f"{name}.pub"), site.path("alone"))
        self.gate = site.gate("alone")
        self.gate.start()
        self.gate.wait_for_reader()
        for name in ("carl", "mallory"):
            self.tap(name)
        self.gate.ask("lane", "entry", "hold-open")
        assert self.gate.stop() == 0, self.gate.log

    def keep(self, name, text):
        with lzma.open(os.path.join(self.out, name + ".xz"), "wt", encoding="utf-8", preset=9) as file:
            file.write(text)
