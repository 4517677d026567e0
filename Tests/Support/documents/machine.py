"""A stand-in for the machine that a document speaks of: a folder in which its commands do no harm.

Absolute paths below /etc, /run, /usr and /var lead into the folder; `sudo`, `systemctl` and `install` do there
what they would do on a gate. Lines are simulated and the reader is the virtual one, whatever machine the
tests run on."""

import os
import re
import select
import shutil
import signal

from patience import GRACE, LONG, PATIENCE, Deadline
from processes import run

from .sources import TOP

PROGRAMS = ("tapstiled", "tapstile", "tapstile-nfc", "tapstile-net", "tapstile-authority", "tapstile-phone")

# Paths that a document means to be on the gate. Not the ones that are part of a longer path.
OUTSIDE = re.compile(r"(?<![\w./~-])/(?=(?:etc|run|usr|var)/)")

SUDO = """\
#!/bin/bash
while [[ ${1:-} == -u ]]; do shift 2; done
exec "$@"
"""

# Only root may give files away; everything else is what install does.
INSTALL = """\
#!/bin/bash
kept=()
while [ $# -gt 0 ]; do
    case $1 in -o | -g) shift 2 ;; *) kept+=("$1"); shift ;; esac
done
exec /usr/bin/install "${kept[@]}"
"""

TAPSTILE = """\
#!/bin/bash
case ${{1:-}} in
    status | events | journal | explain | reload | import | clock | verify) exec {programs}/tapstile "$@" --socket {folder}/run/tapstile/control.sock ;;
    check-config | effective-config) [ $# -gt 1 ] || set -- "$1" {folder}/etc/tapstile/tapstile.toml ;;
esac
exec {programs}/tapstile "$@"
"""

PHONE = """\
#!/bin/bash
# Where the reader listens; and a busy machine may take its time.
[ "${{1:-}}" != tap ] || set -- "$@" --port "$TAPSTILE_CARD_PORT" --timeout {patience}000
exec {programs}/tapstile-phone "$@"
"""

# As systemd: the daemon has started when it has said so.
SYSTEMCTL = """\
#!/usr/bin/python3
import os, select, socket, subprocess, sys, time
folder, programs, patience = {folder!r}, {programs!r}, {patience}
words = [word for word in sys.argv[1:] if not word.startswith("-")]
def turn(unit):
    # What a timer starts, once, as its unit says.
    name, instance = unit.removesuffix(".timer").split("@")
    lines = open(f"{top}/systemd/{{name}}@.service").read().splitlines()
    command = next(line for line in lines if line.startswith("ExecStart=")).removeprefix("ExecStart=").replace("%i", instance)
    program, *arguments = [word.replace("/var/", f"{{folder}}/var/") for word in command.split()]
    subprocess.run([f"{{programs}}/{{os.path.basename(program)}}", *arguments], check=True, timeout=patience)
if words[0] == "enable" and words[1].endswith(".timer"):
    sys.exit(turn(words[1]))
if words[1:] != ["tapstiled"]:
    sys.exit(f"systemctl: nothing but tapstiled runs here, not {{words[1:]}}")
def stop():
    process = int(open(f"{{folder}}/pid").read())
    watched = os.pidfd_open(process)
    os.kill(process, 15)
    if not select.select([watched], [], [], patience)[0]:
        sys.exit(f"systemctl: tapstiled has not ended within {{patience}} s: " + log())
    os.unlink(f"{{folder}}/pid")
def log():
    return open(f"{{folder}}/log").read()
def start():
    notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    notices.bind(f"{{folder}}/notify")
    process = subprocess.Popen(
        [f"{{programs}}/tapstiled", "--config", f"{{folder}}/etc/tapstile/tapstile.toml"], start_new_session=True,
        env={{**os.environ, "NOTIFY_SOCKET": f"{{folder}}/notify"}}, stdin=subprocess.DEVNULL,
        stdout=open(f"{{folder}}/log", "ab"), stderr=subprocess.STDOUT)
    notices.settimeout(0.1)
    begun = time.monotonic()
    while process.poll() is None:
        if time.monotonic() > begun + patience:
            process.kill()
            sys.exit(f"systemctl: tapstiled was not ready within {{patience}} s: " + log())
        try:
            if b"READY=1" in notices.recv(4096):
                break
        except TimeoutError:
            continue
    os.unlink(f"{{folder}}/notify")
    if process.returncode is not None:
        sys.exit("systemctl: tapstiled has ended: " + log())
    open(f"{{folder}}/pid", "w").write(str(process.pid))
actions = {{"start": [start], "enable": [start], "stop": [stop], "restart": [stop, start]}}
for action in actions[words[0]]:
    action()
"""


class Machine:
    """One stand-in. `programs` is the folder of the built programs."""

    def __init__(self, folder, programs, environment, reader):
        self.folder = folder
        self.programs = os.path.abspath(programs)
        self.work = os.path.join(folder, "work")
        os.makedirs(self.work)
        os.makedirs(os.path.join(folder, "bin"))
        os.makedirs(os.path.join(folder, "run", "tapstile"))
        for name in ("tapstile", "tapstile-authority", "tapstile-repository"):
            os.makedirs(os.path.join(folder, "var", "lib", name))
        path = os.pathsep.join([os.path.join(folder, "bin"), self.programs, os.environ["PATH"]])
        self.environment = {**os.environ, **environment, "PATH": path, "HOME": self.work, "LC_ALL": "C.UTF-8",
                            "SWIFT_BACKTRACE": "enable=no", "TAPSTILE_CLOCK_SOURCE": "installer"}
        for name, text in (("sudo", SUDO), ("install", INSTALL), ("tapstile", self._filled(TAPSTILE)),
                           ("tapstile-phone", self._filled(PHONE)), ("systemctl", self._filled(SYSTEMCTL))):
            self._program(name, text)
        self._install(reader)

    def _filled(self, text):
        return text.format(folder=self.folder, programs=self.programs, top=TOP, patience=PATIENCE)

    def _program(self, name, text):
        path = os.path.join(self.folder, "bin", name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o755)

    def _install(self, reader):
        """The files of `make install`, and a configuration that touches nothing of the real machine."""
        run([os.path.join(TOP, "scripts", "install"), self.programs], with_children=True, check=True,
            env={**os.environ, "DESTDIR": self.folder})
        path = os.path.join(self.folder, "etc", "tapstile", "tapstile.toml")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for old, new in (('chip = "gpiochip0"', 'chip = "simulated"'),
                         ('name = "ACS ACR122U PICC Interface"', f'name = "{reader}"'),
                         ('#directory = ', 'directory = '), ('#socket = "/run/tapstile/', 'socket = "/run/tapstile/'),
                         ('#source = "kernel"', 'source = "installer"')):
            assert old in text, f"the shipped configuration has no {old}"
            text = text.replace(old, new)
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.inside(text))

    def inside(self, text):
        """The text with its paths leading into this folder."""
        return OUTSIDE.sub(self.folder + "/", text)

    def run(self, block):
        """Runs a block as one script whose lines have the numbers of the document. Answers None, or what went
        wrong with its place."""
        script = "trap 'echo \"$LINENO\" > \"$FAILED\"' ERR"
        script += "\n" * (block.line - 1) + self.inside(block.text)
        failed = os.path.join(self.folder, "failed")
        done = run(["bash", "-euo", "pipefail", "-c", script], LONG, with_children=True, cwd=self.work,
                   env={**self.environment, "FAILED": failed}, capture_output=True, text=True)
        if done.returncode == 0:
            return None
        line = block.line
        if os.path.exists(failed):
            with open(failed, encoding="utf-8") as file:
                line = file.read().strip()
        return f"{block.page}:{line}: status {done.returncode}\n{done.stdout}{done.stderr}"

    def close(self):
        """Ends the daemon, if a document has left it running, and removes the folder."""
        pid = os.path.join(self.folder, "pid")
        if os.path.exists(pid):
            with open(pid, encoding="utf-8") as file:
                process = int(file.read())
            self._end(process)
        shutil.rmtree(self.folder)

    @staticmethod
    def _end(process):
        """It is no child of ours."""
        watched = os.pidfd_open(process)
        try:
            for number in (signal.SIGTERM, signal.SIGKILL):
                signal.pidfd_send_signal(watched, number)
                if select.select([watched], [], [], GRACE)[0]:
                    return
        finally:
            os.close(watched)
        raise Deadline(f"the end of tapstiled, process {process}, which was killed", GRACE).missed()
