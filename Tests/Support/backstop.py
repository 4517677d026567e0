"""A test that does not end fails where it stands, is tidied up as every other, and the next one is run.

A backstop only: what the kit waits for has bounds of its own (patience.py), and says what did not come. For the conftest.py of a folder:
`from backstop import *`."""

import contextlib
import ctypes
import faulthandler
import os
import signal
import sys
import threading
import traceback

import pytest

from patience import GRACE, PATIENCE, TEST

__all__ = ["pytest_configure", "pytest_unconfigure", "pytest_runtest_logstart", "pytest_runtest_logfinish", "pytest_runtest_call",
           "pytest_runtest_setup", "pytest_runtest_teardown"]

# Where it stands which tests have begun and ended: a run that ends all of them names those that hung.
BEGUN = os.environ.get("TAPSTILE_BEGUN")


# Our own errors, which nobody captures: its number. While pytest is configured fd 2 is that.
_errors = 2


class OutOfTime(pytest.fail.Exception):
    """A test has not ended. No `Exception`: who expects or swallows any must not take it for his."""


def pytest_configure(config):
    global _errors
    _errors = os.dup(2)


def pytest_unconfigure(config):
    # What a test has left running keeps nobody from ending: Python joins all threads at its end.
    faulthandler.dump_traceback_later(PATIENCE, exit=True, file=_errors)


def pytest_runtest_logstart(nodeid):
    _note(f"◇ Test {nodeid} started.")


def pytest_runtest_logfinish(nodeid):
    _note(f"✔ Test {nodeid} passed after 0 seconds.")


def _note(line):
    # Workers of pytest-xdist tell the one that began them, which notes it.
    if BEGUN and "PYTEST_XDIST_WORKER" not in os.environ:
        with open(BEGUN, "a", encoding="utf-8") as file:
            file.write(f"{line}\n")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item):
    with _bound(f"what {item.nodeid} begins with"):
        return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item):
    with _bound(item.nodeid):
        return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item):
    with _bound(f"the tidying up after {item.nodeid}"):
        return (yield)


def _bound(what):
    # pytest-xdist, too, runs tests in the main thread of its workers (execnet's main_thread_only).
    return _alarm(what) if threading.current_thread() is threading.main_thread() else _throw(what)


@contextlib.contextmanager
def _alarm(what):
    """The signal interrupts whatever is waited for. What does not hear it, in C or because it goes on in spite of it, ends with its
    process: pytest-xdist names the test and begins another worker."""
    rang = []

    def ring(_, frame):
        rang.append(_told(what, frame))
        raise OutOfTime(rang[0])

    before = signal.signal(signal.SIGALRM, ring)
    # Again later, for whoever has caught it.
    signal.setitimer(signal.ITIMER_REAL, TEST, GRACE)
    faulthandler.dump_traceback_later(TEST + PATIENCE, exit=True, file=_errors)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        faulthandler.cancel_dump_traceback_later()
    # Somebody caught it and went on.
    if rang:
        raise OutOfTime(rang[0])


@contextlib.contextmanager
def _throw(what):
    """Only the main thread hears signals. In any other one the exception is raised as soon as it comes out of what it waits for."""
    thread = threading.get_ident()

    def throw():
        sys.stderr.write(_told(what, sys._current_frames()[thread]) + "\n")
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(OutOfTime))

    timer = threading.Timer(TEST, throw)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _told(what, frame):
    """Where it stood is in the traceback; where the threads stood that serve it is not."""
    name, line = frame.f_code.co_filename, frame.f_lineno
    text = f"{what} has not ended within {TEST:g} s; it stood at {name}:{line}"
    for thread in threading.enumerate():
        other = sys._current_frames().get(thread.ident)
        if other and thread is not threading.current_thread():
            text += f"\n{thread.name}:\n{''.join(traceback.format_stack(other, limit=4)).rstrip()}"
    return text
