"""The built programs, run and spoken to."""

import json
import os
import subprocess


class ProgramFailed(Exception):
    """A program ended with a status that was not expected."""

    def __init__(self, name, run):
        said = (run.stderr or run.stdout or "").strip()
        super().__init__(f"{name} ended with status {run.returncode}: {said}")
        self.run = run


class Programs:
    """The folder of the built programs and the environment they run in."""

    def __init__(self, folder, environment=None):
        self.folder = os.path.abspath(folder)
        # A crash must end a program at once; Swift's backtracer can take minutes.
        self.environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no", **(environment or {})}

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, name, *arguments, status=0, **options):
        """Runs a program to its end; `status=None` takes any exit status."""
        run = subprocess.run([self.path(name), *map(str, arguments)], env=self.environment, text=True,
                             stdin=options.pop("stdin", subprocess.DEVNULL), capture_output=True, **options)
        if status is not None and run.returncode != status:
            raise ProgramFailed(name, run)
        return run

    def json(self, name, *arguments, status=0):
        """Runs a program with --json and reads the one object it prints."""
        return json.loads(self.run(name, *arguments, "--json", status=status).stdout)

    def start(self, name, *arguments, **options):
        """Starts a program that goes on."""
        options.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.Popen([self.path(name), *map(str, arguments)], env=self.environment, **options)


def end(process, patience=20):
    """Ends a process that we started, politely first, and waits for it."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            process.kill()
    process.wait()
    for stream in (process.stdout, process.stderr):
        if stream:
            stream.close()
