"""The site of a campaign: keys, people with tokens, a repository, the configuration of a gate with some lanes."""

import os
import shutil
import subprocess

from runner.patience import run

# Each with a relay, a reader and a person who goes through it all the time.
LANES = ("entry", "exit")

CONFIGURATION = """\
[site]
id = "power"

[gate]
id = "gate-1"
signing-key = "/run/store/etc/gate-signing.key"

[trust]
{trust}

[store]
directory = "/run/store/state"

[clock]
source = "installer"

[log]
level = "warning"
target = "stderr"
"""

LANE = """
[[lane]]
name = "{lane}"
cooldown-success-ms = 0
cooldown-failure-ms = 0

[lane.relay]
chip = "gate"
line = "{lane}-relay"
pulse-ms = 50

[[reader]]
name = "{lane}-reader"
lane = "{lane}"

[reader.match]
name = "Virtual Reader {reader} 00 {slot:02}"
"""


class Site:
    """The site's office and its phones, in a folder. Its gate is brought the folder of the repository."""

    trust = 'root = "/run/store/etc/root.json"'
    # Of the gate's disk: with less than 64 free ones it takes nothing new.
    megabytes = 160

    def __init__(self, folder, programs):
        self.folder = folder
        self.programs = programs
        self._authority = ("--dir", self.path("authority"))

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def make(self):
        """Makes everything, and the disk image `store.img` with what is on a gate before its first start."""
        for name in ("phones", "disk/etc", "disk/state"):
            os.makedirs(self.path(name))
        self._run("tapstile-authority", "init", *self._authority, "--site", "power")
        self._run("tapstile-authority", "gate", *self._authority, "--name", "gate-1")
        for lane in LANES:
            key = self.path("phones", lane)
            self._run("tapstile-phone", "key", "--out", f"{key}.key")
            self._run("tapstile-authority", "token", *self._authority, "--key", f"{key}.pub",
                      "--subject", subject(lane), "--out", f"{key}.token")
        shutil.copy(self.path("authority", "gates.phone"), self.path("phones"))
        self._bring()
        shutil.copy(self.path("authority", "gates", "gate-1", "gate-signing.key"), self.path("disk", "etc"))
        with open(self.path("disk", "etc", "tapstile.toml"), "w", encoding="utf-8") as file:
            file.write(CONFIGURATION.format(trust=self.trust))
            for number, lane in enumerate(LANES):
                file.write(LANE.format(lane=lane, reader=number // 2, slot=number % 2))
        made = run(["mkfs.ext4", "-q", "-F", "-d", self.path("disk"), self.path("store.img"), f"{self.megabytes}M"],
                   stdout=subprocess.DEVNULL, env={**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"})
        made.check_returncode()

    def _bring(self):
        """What an installer brings to the gate beside keys and configuration."""
        self._office("publish", "init", "--repo", self.path("repository"), "--together")
        shutil.copy(self.path("repository", "metadata", "1.root.json"), self.path("disk", "etc", "root.json"))

    def _office(self, *command):
        """What the office answers, as JSON text."""
        return self._run("tapstile-authority", *command, *self._authority)

    def turn(self, anew):
        """A version newer than all before it. Here everybody is always given anew, so that the gate's data are replaced whole."""
        self._office("new-epoch")
        self._office("publish")

    def _run(self, program, *arguments):
        """What the program answers, as JSON text."""
        said = run([os.path.join(self.programs, program), *arguments, "--json"],
                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                   # Nothing need synchronise the clock of a machine that tests: whoever runs them answers for it.
                   env={**os.environ, "TAPSTILE_CLOCK_SOURCE": "installer"})
        if said.returncode != 0:
            raise RuntimeError(f"{program} {' '.join(arguments)}: {said.stderr.strip() or said.stdout.strip()}")
        return said.stdout


def subject(lane):
    """The name of the person at a lane."""
    return f"person-{lane}"


def settings(folder):
    """What an installer put on a gate, by its name: none of it may ever change by itself."""
    contents = {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as file:
            contents[name] = file.read()
    return contents
