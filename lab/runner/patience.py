"""How long the lab waits, in one place. Radios have it, too, in the guest: radio/patience.py is this file.

Bounds are for safety only, for a machine that does other things too: an idle one needs a tenth of them. TAPSTILE_WAIT_SECONDS is the
same as for the tests (Tests/Support/patience.py): a machine that is told 120 in the place of 60 has twice as long for everything."""

import contextlib
import os
import signal
import subprocess
import time

VARIABLE, USUAL = "TAPSTILE_WAIT_SECONDS", 60
_text = os.environ.get(VARIABLE) or str(USUAL)
if not _text.isdecimal() or not 1 <= int(_text) <= 86_400:
    raise SystemExit(f"lab: {VARIABLE} is {_text!r}, and no number of seconds from 1 to 86400")
WAIT = int(_text)


def _scaled(seconds: float) -> int:
    return max(1, round(seconds * WAIT / USUAL))


# Runs of lab/board, and each of their scenarios.
QUICK_RUN, WHOLE_RUN, SCENARIO = _scaled(600), _scaled(1800), _scaled(240)
# What is done before a board boots and after it has ended: its folder, its packages, its output.
AROUND = _scaled(300)
# A kernel, a Debian, and whoever makes them already.
MAKING = _scaled(3600)
# The next thing that a board of power cuts has to say, and any of its boards to say anything. It boots in a few seconds.
STEP, SILENCE = _scaled(90), _scaled(900)
# One program of the host.
PROGRAM = _scaled(120)
# Whoever has closed its console or was told to end, and what was killed: its disk may be slow.
GRACE, KILLED = _scaled(5), _scaled(60)
# Radios: a link, an answer over it, and whatever the board itself answers.
LINK, ANSWER, SOON = _scaled(20), _scaled(30), _scaled(10)


class TookTooLong(RuntimeError):
    """Something did not come in time; the text says what, and what came instead."""


def run(command: list, seconds: float = PROGRAM, **options) -> subprocess.CompletedProcess:
    """As `subprocess.run`. What has not ended in time is killed, with all that it has started."""
    process = subprocess.Popen(command, start_new_session=True, **options)
    try:
        output, errors = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired as late:
        _kill(process)
        said = b"\n".join((late.output or b"", late.stderr or b"")).decode(errors="replace").strip()[-800:]
        raise TookTooLong(f"{os.path.basename(command[0])} {' '.join(map(str, command[1:]))} has not ended within {seconds:.0f} s; "
                          f"it said: {said or 'nothing'}") from None
    except BaseException:
        _kill(process)
        raise
    return subprocess.CompletedProcess(process.args, process.returncode, output, errors)


def _kill(process: subprocess.Popen) -> None:
    """Politely first: whoever makes a Debian has mounted something. Its number is its own until somebody has waited for it."""
    if process.returncode is None:
        os.killpg(process.pid, signal.SIGTERM)
        with contextlib.suppress(TookTooLong):
            wait_until("its end", lambda: os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG), GRACE)
        os.killpg(process.pid, signal.SIGKILL)
    ended(process, "what was killed")


def ended(process: subprocess.Popen, what: str) -> int:
    """The status of a process that was killed."""
    try:
        return process.wait(KILLED)
    except subprocess.TimeoutExpired:
        raise TookTooLong(f"{what}, process {process.pid}, has not ended within {KILLED} s") from None


def wait_until(what: str, condition, seconds: float = SOON, pause: float = 0.02):
    """Looks again and again until `condition` answers something true, and answers that."""
    deadline = time.monotonic() + seconds
    while not (answer := condition()):
        if time.monotonic() > deadline:
            raise TookTooLong(f"waited {seconds:.0f} s for {what}")
        time.sleep(pause)
    return answer
