"""What becomes of a mutant: the test that is to kill it is run with it."""

import os
import re
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

from catalogue import Mutant

# A test that hangs with its mutant has noticed it, too. Seconds.
LIMIT = 2 * int(os.environ.get("TAPSTILE_WAIT_SECONDS") or 60)

# What a program does to itself; another signal came from somewhere else.
CRASHES = {signal.SIGILL, signal.SIGTRAP, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGSEGV}


@dataclass(frozen=True)
class Verdict:
    mutant: Mutant
    is_killed: bool
    how: str


def run(tests: Path, killer: str, number: int, top: Path) -> tuple[int | None, str]:
    """The exit status, None where it had to be ended, and the output."""
    command = [tests, "--testing-library", "swift-testing", "--filter", pattern(killer)]
    environment = {**os.environ, "TAPSTILE_MUTANT": str(number), "SWIFT_BACKTRACE": "enable=no", "NO_COLOR": "1"}
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=top, env=environment,
                               start_new_session=True)
    try:
        output = process.communicate(timeout=LIMIT)[0]
    except subprocess.TimeoutExpired as late:
        return None, (late.output or b"").decode(errors="replace")
    finally:
        # With what it has started: its number is its own until it was waited for.
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    return process.returncode, output.decode(errors="replace")


def pattern(killer: str) -> str:
    """Exactly this test."""
    return "^" + re.escape(killer) + r"\("


def tests_run(output: str) -> int:
    match = re.search(r"Test run with (\d+) tests?", output)
    return int(match[1]) if match else 0


def fault_asleep(tests: Path, killer: str, top: Path) -> str | None:
    """What is wrong with a killer where no mutant is awake: it must be there, and pass."""
    status, output = run(tests, killer, 0, top)
    if status is None:
        return f"{killer}: has not ended within {LIMIT} s without any mutant"
    if tests_run(output) == 0:
        return f"{killer}: there is no such test (status {status}: {output.strip()[-200:]})"
    return f"{killer}: fails without any mutant" if status != 0 else None


def judge(tests: Path, mutant: Mutant, fault: str | None, top: Path) -> Verdict:
    """`fault` is what is wrong with its killer: such a one kills nothing."""
    if fault:
        return Verdict(mutant, False, f"not tried: {fault}")
    status, output = run(tests, mutant.killed_by, mutant.number, top)
    if status is None:
        return hanging(tests, mutant, top)
    if status == 0:
        return Verdict(mutant, False, "passes")
    if status < 0 and -status in CRASHES and re.search(r"^◇ Test (?!run )", output, re.MULTILINE):
        return Verdict(mutant, True, f"crashes with signal {-status}")
    if re.search(r"^✘ Test (?!run )", output, re.MULTILINE):
        return Verdict(mutant, True, "fails")
    return Verdict(mutant, False, f"status {status}, and no test failed: {output.strip()[-200:]}")


def hanging(tests: Path, mutant: Mutant, top: Path) -> Verdict:
    """A busy machine is no mutant: at the same time of day the test passes without it, and hangs with it once more."""
    fault = fault_asleep(tests, mutant.killed_by, top)
    if fault:
        return Verdict(mutant, False, f"not told: {fault}")
    status, _ = run(tests, mutant.killed_by, mutant.number, top)
    return Verdict(mutant, status is None, "hangs" if status is None else f"hung once, then ended with status {status}")
