"""The built programs, run and spoken to."""

import json
import os
import subprocess

import processes
from patience import PATIENCE
from processes import ProgramFailed


class Programs:
    """The folder of the built programs and the environment they run in."""

    def __init__(self, folder, environment=None):
        self.folder = os.path.abspath(folder)
        # Nothing need synchronise the clock of a machine that tests: whoever runs them answers for it.
        # A crash must end a program at once; Swift's backtracer can take minutes.
        self.environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no", "TAPSTILE_CLOCK_SOURCE": "installer", **(environment or {})}

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, name, *arguments, status=0, seconds=PATIENCE, **options):
        """Runs a program to its end, for which it has so many seconds; `status=None` takes any exit status."""
        run = processes.run([self.path(name), *map(str, arguments)], seconds, env=self.environment, text=True, capture_output=True, **options)
        if status is not None and run.returncode != status:
            raise ProgramFailed(name, run)
        return run

    def json(self, name, *arguments, status=0, seconds=PATIENCE):
        """Runs a program with --json and reads the one object it prints."""
        return json.loads(self.run(name, *arguments, "--json", status=status, seconds=seconds).stdout)

    def start(self, name, *arguments, **options):
        """Starts a program that goes on."""
        options.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.Popen([self.path(name), *map(str, arguments)], env=self.environment, **options)
