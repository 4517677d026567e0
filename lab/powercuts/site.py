"""The site of a campaign: keys, people with tokens, one publication, the configuration of a gate with some lanes."""

import json
import os
import shutil
import subprocess

# Each with a relay, a reader and a person who goes through it all the time.
LANES = ("entry", "exit")

CONFIGURATION = """\
[site]
id = "power"

[gate]
id = "gate-1"
signing-key = "/run/store/etc/gate-signing.key"

[trust]
site-key = "/run/store/etc/site.pub"

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


def make(folder, programs, megabytes=64):
    """Makes the site and the disk image `store.img` with what is on a gate before its first start."""
    def run(program, *arguments):
        run = subprocess.run([os.path.join(programs, program), *arguments, "--json"], capture_output=True, text=True, check=False,
                             stdin=subprocess.DEVNULL)
        if run.returncode != 0:
            raise RuntimeError(f"{program} {' '.join(arguments)}: {run.stderr.strip() or run.stdout.strip()}")
        return json.loads(run.stdout) if run.stdout.startswith("{") else None

    def path(*names):
        return os.path.join(folder, *names)

    for name in ("phones", "disk/etc", "disk/state"):
        os.makedirs(path(name))
    authority = ("--dir", path("authority"))
    run("tapstile-authority", "init", *authority, "--site", "power")
    run("tapstile-authority", "gate", *authority, "--name", "gate-1")
    for person in LANES:
        key = path("phones", person)
        run("tapstile-phone", "key", "--out", f"{key}.key")
        run("tapstile-authority", "token", *authority, "--key", f"{key}.pub", "--subject", subject(person), "--out", f"{key}.token")
    run("tapstile-authority", "export", *authority, "--out", path("publication"))
    shutil.copy(path("authority", "gates.phone"), path("phones"))
    shutil.copy(path("authority", "site.pub"), path("disk", "etc"))
    shutil.copy(path("authority", "gates", "gate-1", "gate-signing.key"), path("disk", "etc"))
    with open(path("disk", "etc", "tapstile.toml"), "w", encoding="utf-8") as file:
        file.write(CONFIGURATION + "".join(LANE.format(lane=lane, reader=number // 2, slot=number % 2) for number, lane in enumerate(LANES)))
    subprocess.run(["mkfs.ext4", "-q", "-F", "-d", path("disk"), path("store.img"), f"{megabytes}M"], check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"})


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
