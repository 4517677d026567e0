"""A test that does not end fails where it stands, is tidied up as every other, and the next one is run.

A backstop only: what the kit waits for has bounds of its own (patience.py), and says what did not come. For the conftest.py of a folder:
`from backstop import *`."""

import contextlib
import ctypes
import signal
import sys
import threading
import traceback

import pytest

from patience import LONG, TEST

__all__ = ["pytest_runtest_call", "pytest_runtest_setup", "pytest_runtest_teardown"]


class OutOfTime(Exception):
    """A test has not ended."""


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
    """The signal interrupts whatever is waited for."""
    def ring(_, frame):
        raise OutOfTime(_told(what, frame))

    before = signal.signal(signal.SIGALRM, ring)
    # Again later, for whoever has caught it.
    signal.setitimer(signal.ITIMER_REAL, TEST, LONG)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


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
