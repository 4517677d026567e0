"""Programs that are started: each ends in time, or is killed by its number, and then it is told what it had said."""

import collections
import contextlib
import os
import select
import signal
import subprocess

from patience import GRACE, PATIENCE, Deadline, NothingHappened, joined, wait_until

# So many of its last lines are shown.
LAST = 8


class ProgramFailed(Exception):
    """A program ended with a status that was not expected."""

    def __init__(self, name, run):
        said = (run.stderr or run.stdout or "").strip()
        super().__init__(f"{name} ended with status {run.returncode}: {said}")
        self.run = run


def named(command):
    """A command for people. No program here takes a secret among its arguments: keys and tokens lie in files."""
    words = [command] if isinstance(command, (str, os.PathLike)) else command
    program, *arguments = map(str, words)
    shown = " ".join([os.path.basename(program), *arguments])
    return shown if len(shown) <= 300 else shown[:300] + " …"


# To the end


def run(command, seconds=PATIENCE, with_children=False, check=False, capture_output=False, input=None, **options):
    """As `subprocess.run`, which it replaces; nothing comes in but `input`. `with_children`: what it has started is killed with it, if it
    comes to that; for scripts."""
    options.setdefault("stdin", subprocess.DEVNULL if input is None else subprocess.PIPE)
    if capture_output:
        options.update(stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process = subprocess.Popen(command, start_new_session=with_children, **options)
    output, errors = heard(process, seconds, with_children, input)
    done = subprocess.CompletedProcess(process.args, process.returncode, output, errors)
    if check and done.returncode != 0:
        raise ProgramFailed(named(command), done)
    return done


def heard(process, seconds=PATIENCE, with_children=False, input=None):
    """What a process says until its end, as `communicate` does: its output, and its errors."""
    try:
        return process.communicate(input, seconds)
    except subprocess.TimeoutExpired as late:
        kill(process, with_children)
        raise Deadline(f"the end of {named(process.args)}", seconds).missed(_told(*_all_of(process, late))) from None
    except BaseException:
        kill(process, with_children)
        raise
    finally:
        _close(process)


def ended(process, seconds=PATIENCE):
    """The exit status of a process that ends by itself."""
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        said = unheard(process)
        kill(process)
        raise Deadline(f"the end of {named(process.args)}", seconds).missed(said) from None


def end(process, seconds=GRACE, reader=None):
    """Ends a process that we started, politely first, and waits for it. `reader` is the thread that reads what it says."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            kill(process)
    if reader:
        joined(reader)
    _close(process)


def kill(process, with_children=False):
    """Kills a process from one moment to the other: it has ended when this returns."""
    # Its number is its own until somebody has waited for it.
    if with_children and process.returncode is None:
        _end_group(process)
    process.kill()
    try:
        process.wait(GRACE)
    except subprocess.TimeoutExpired:
        raise Deadline(f"the end of {named(process.args)}, which was killed", GRACE).missed() from None


def _end_group(process):
    """A script may have something to put away, for which its first process has time."""
    os.killpg(process.pid, signal.SIGTERM)
    with contextlib.suppress(NothingHappened):
        wait_until("its end", lambda: os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG), GRACE)
    os.killpg(process.pid, signal.SIGKILL)


# What it says


class Lines:
    """What a started program says on its standard output, line for line. Nobody else reads there."""

    def __init__(self, process):
        self._process = process
        self._waiting, self._rest = collections.deque(), b""
        self._last = collections.deque(maxlen=LAST)
        self._is_over = False

    def next(self, seconds=PATIENCE):
        """The next line without its end; None when there is none any more."""
        return self._next(Deadline(f"another line of {named(self._process.args)}", seconds))

    def until(self, words, seconds=PATIENCE):
        """The next line with these words."""
        deadline = Deadline(f"{words!r} of {named(self._process.args)}", seconds)
        while (line := self._next(deadline)) is not None:
            if words in line:
                return line
        raise deadline.missed(f"it ended and had {self._said}")

    def rest(self, seconds=PATIENCE):
        """Everything until the end, as one text."""
        deadline = Deadline(f"the last line of {named(self._process.args)}", seconds)
        while not self._is_over:
            self._read(deadline)
        return "".join(f"{line}\n" for line in self)

    def __iter__(self):
        return iter(self.next, None)

    def _next(self, deadline):
        while not self._waiting and not self._is_over:
            self._read(deadline)
        return self._waiting.popleft() if self._waiting else None

    def _read(self, deadline):
        stream = self._process.stdout
        if not select.select([stream], [], [], deadline.left)[0]:
            raise deadline.missed(f"it had {self._said}")
        piece = os.read(stream.fileno(), 65_536)
        *lines, self._rest = (self._rest + piece).split(b"\n")
        if not piece:
            self._is_over = True
            lines = [self._rest] if self._rest else []
        for line in lines:
            self._waiting.append(line.decode(errors="replace"))
            self._last.append(self._waiting[-1])

    @property
    def _said(self):
        return _told("\n".join(self._last), _pending(self._process.stderr))


def unheard(process):
    """What lies in its pipes and nobody has read."""
    return _told(_pending(process.stdout), _pending(process.stderr))


def _told(output, errors):
    return f"said on standard output: {_last_lines(output)}\nas errors: {_last_lines(errors)}"


def _last_lines(said):
    text = said.decode(errors="replace") if isinstance(said, bytes) else said or ""
    return "\n".join(text.rstrip().splitlines()[-LAST:]) or "nothing"


def _all_of(process, late):
    """What a process that was killed had said. Somebody whom it started may still hold the other end."""
    with contextlib.suppress(subprocess.TimeoutExpired, UnicodeDecodeError):
        return process.communicate(timeout=1)
    return late.output, late.stderr


def _pending(stream):
    """What lies in a pipe already."""
    said = b""
    while stream and not stream.closed and select.select([stream], [], [], 0)[0]:
        piece = os.read(stream.fileno(), 65_536)
        if not piece:
            break
        said += piece
    return said


def _close(process):
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream:
            # Who has ended takes nothing more that was still to be written.
            with contextlib.suppress(BrokenPipeError):
                stream.close()
