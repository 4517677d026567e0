"""A site made by the real back office: keys, people, publications, the configuration of its gate."""

import os
import shutil
import time

from .gate import Gate
from .pcscd import READER
from .phone import Phone

SITE = "demo"


class Person:
    """Somebody with a phone: a key and what opens with it."""

    def __init__(self, site, name):
        self.site = site
        self.name = name
        self.key = site.path("people", f"{name}.key")
        self.public_key = site.path("people", f"{name}.pub")
        self.token = None
        self.claims = None
        # Its wallet, if it was invited: the rest is in there.
        self.wallet = None
        # What this phone knows gates by; the newest that the site has, unless it keeps an older one.
        self.known_gates = None

    def keep_known_gates(self):
        """From now on the phone has what the site knows its gates by today."""
        self.known_gates = self.site.path("people", f"{self.name}.gates")
        shutil.copy(self.site.known_gates, self.known_gates)

    def give_token(self, *options, out=None):
        """A token from the site's issuer. `options` go to `tapstile-authority token`."""
        self.token = out or self.site.path("people", f"{self.name}.token")
        return self.site.authority("token", "--key", self.public_key, "--subject", self.name, "--out", self.token, *options)

    def enrol(self, *options):
        """Enrols the key, so that it opens without a token."""
        self.claims = self.site.path("people", f"{self.name}.ccs")
        return self.site.authority("enrol", "--key", self.public_key, "--subject", self.name, "--out", self.claims, *options)

    def keep(self, command, *options):
        """What a command about the wallet says (`redeem`, `renew`, `list`)."""
        return self.site.programs.json("tapstile-phone", command, *options, "--keys", self.wallet)

    def phone(self, *options):
        return Phone(self, options)


class Site:
    """One site with one gate of one lane, in a folder."""

    def __init__(self, programs, folder, name=SITE):
        self.programs = programs
        self.folder = folder
        self.name = name
        self.lane = "entry"
        self.publications = 0
        # The gate that was made last.
        self.latest_gate = None
        for each in ("authority", "people", "state"):
            os.makedirs(self.path(each))
        self.authority("init", "--site", name)
        self.authority("gate", "--name", "gates")

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def visitor(self, name):
        """Somebody with a phone that has nothing yet but a wallet."""
        visitor = Person(self, name)
        visitor.wallet = self.path("people", f"{name}.wallet")
        return visitor

    @property
    def known_gates(self):
        """What phones know of the site's gates."""
        return self.path("authority", "gates.phone")

    def authority(self, command, *options):
        return self.programs.json("tapstile-authority", command, "--dir", self.path("authority"), *options)

    def person(self, name, agrees=False):
        """Somebody new: their phone makes its key."""
        person = Person(self, name)
        Phone.make_key(self.programs, person, agrees)
        return person

    @property
    def root(self):
        """Whom the gate believes: the first root of the site's repository, which is begun with all keys at hand unless there is one."""
        repository = self.path("repository")
        if not os.path.exists(repository):
            self.authority("publish", "init", "--repo", repository, "--together")
        return os.path.join(repository, "metadata", "1.root.json")

    def publish(self, *options):
        """Publishes what the site knows now. Answers a stick with it, a folder of its own."""
        self.publications += 1
        path = self.path(f"publication-{self.publications}")
        # Begun if there is none.
        assert self.root
        self.authority("publish", "--stick", path, *options)
        return path

    @property
    def trust(self):
        """The line of the configuration that says whom the gate believes."""
        return f'root = "{self.root}"'

    def rules(self, text):
        """What the site decides, in the place of what it decided before."""
        path = self.path("rules.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return self.authority("rules", path)

    # The gate

    def gate_file(self, name, generation=1):
        """A key of the gates, or a credential of one, as the authority made it."""
        return self.path("authority", "gates", "gates", *([] if generation == 1 else [str(generation)]), name)

    def configuration(self, lane="", gate_more="", keys=1, trust_more="", relay="", reader="", match=None, chip=None, output=None, more="",
                      source=None, control="",
                      clock='source = "installer"', **sections):
        """Writes the configuration. The arguments are lines for the tables they name; `output` replaces
        the place of the relay; `chip` makes the reader a PN532; `keys` is the generation of the gate's keys; `sections` are tables of their own: `audit="wait-ms = 5"`. `source` is the line that says where
        site data come from. The clock is vouched for: the machine of a test or a demonstration need not be synchronised."""
        binding = f'type = "pn532"\n\n[reader.chip]\n{chip}' if chip else "[reader.match]\n" + (match or f'name = "{READER}"')
        text = f"""\
[site]
id = "{self.name}"

[gate]
id = "gate-1"
signing-key = "{self.gate_file('gate-signing.key', keys)}"
agreement-key = "{self.gate_file('gate-agreement.key', keys)}"
{gate_more}

[trust]
{source or self.trust}
{trust_more}

[store]
directory = "{self.path('state')}"

[control]
socket = "{self.path('control')}"
{control}

[clock]
{clock}

[log]
level = "debug"
target = "stderr"

[[lane]]
name = "{self.lane}"
{lane}

[lane.relay]
{output or 'chip = "simulated"' + chr(10) + 'line = 0'}
{relay}

[[reader]]
name = "entry-reader"
lane = "{self.lane}"
{reader}

{binding}

{more}
"""
        for name, lines in sections.items():
            text += f"\n[{name.replace('_', '.')}]\n{lines}\n"
        path = self.path("tapstile.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def gate(self, **configuration):
        """A gate of this site, not yet started."""
        self.latest_gate = Gate(self.programs, self.folder, self.configuration(**configuration), self.path("control"))
        return self.latest_gate


def without_sums(database):
    """The office's database as an office left it that kept no sums over rows, which was two steps of its schema ago: it takes what a test has
    written into it for what an older office had written."""
    version = database.execute("PRAGMA user_version").fetchone()[0]
    for table in ("issuer_ceiling", "queued_revocation", "row_sum"):
        database.execute(f"DROP TABLE {table}")
    for column in ("elsewhere", "queue"):
        database.execute(f"ALTER TABLE token_issuer DROP COLUMN {column}")
    database.execute(f"PRAGMA user_version = {version - 2}")


def in_seconds(seconds):
    """A time as the back office reads it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + seconds))
