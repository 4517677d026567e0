"""A pcscd of our own with the virtual reader (Tests/Support/private-pcscd)."""

import os
import shlex

from processes import run

SCRIPT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "private-pcscd")
NAME = "Tapstile Virtual Reader"
# vpcd gives every reader two slots: the first one is ours.
READER = NAME + " 00 00"


class PrivatePCSCD:
    """Stopping and starting it again keeps its socket and its ports."""

    def __init__(self, folder):
        self.folder = folder
        self.environment = {}
        self.port = None
        self.process = None

    def prepare(self):
        """Finds out socket and port without leaving a pcscd behind."""
        self.start()
        self.stop()
        return self

    def start(self):
        try:
            done = run([SCRIPT, "start", self.folder], capture_output=True, text=True, env={**os.environ, "TAPSTILE_READER_NAME": NAME})
        except BaseException:
            # The script was ended; what it started may be there.
            self.kill()
            raise
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip())
        said = dict(line.split("=", 1) for line in done.stdout.splitlines())
        said = {name: shlex.split(value)[0] for name, value in said.items()}
        self.environment = {"PCSCLITE_CSOCK_NAME": said["PCSCLITE_CSOCK_NAME"],
                            "TAPSTILE_CARD_PORT": said["TAPSTILE_CARD_PORT"]}
        self.port = int(said["TAPSTILE_CARD_PORT"])
        self.process = int(said["TAPSTILE_PCSCD_PID"])
        return self

    def stop(self):
        run([SCRIPT, "stop", self.folder], check=True)

    def kill(self):
        """As a crash would."""
        run([SCRIPT, "kill", self.folder], check=True)
