"""Programs that hold private keys leave no core dump behind, by whatever they are killed."""

import os
import resource
import sys

import pytest

from patience import PATIENCE
from processes import run

# Starts a program that may dump its core, waits until it has said that it leaves none (where it should), kills it as a fault of its own would, and
# says by what it ended and whether the kernel dumped it. Whoever runs this bounds it.
KILLER = """
import os, resource, signal, sys, time
resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
held, _ = os.pipe()
os.dup2(held, 0)
process = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
def may_dump():
    with open(f"/proc/{process}/limits") as limits:
        return next(line for line in limits if line.startswith("Max core file size")).split()[4] != "0"
while sys.argv[1] == "private" and may_dump():
    time.sleep(0.005)
os.kill(process, signal.SIGSEGV)
_, status = os.waitpid(process, 0)
print(os.WTERMSIG(status) == signal.SIGSEGV, os.WCOREDUMP(status))
"""


def killed(folder, kind, *program, environment=None):
    told = run([sys.executable, "-I", "-c", KILLER, kind, *map(str, program)], PATIENCE, with_children=True, env=environment or dict(os.environ), cwd=folder,
               text=True, capture_output=True)
    assert told.returncode == 0, told.stderr
    # What the program itself had to say stands before it.
    return told.stdout.split()[-2:]


@pytest.fixture
def folder(tmp_path):
    """Where this machine dumps the core of a program that lets it."""
    if resource.getrlimit(resource.RLIMIT_CORE)[1] != resource.RLIM_INFINITY and os.geteuid() != 0:
        pytest.skip("the limit on cores cannot be lifted here")
    if killed(tmp_path, "open", "/bin/sleep", "1000") != ["True", "True"]:
        pytest.skip("this machine dumps nobody's core")
    return tmp_path


def test_the_office_that_reads_a_list_leaves_none(programs, folder):
    office = folder / "office"
    programs.run("tapstile-authority", "init", "--site", "north", "--dir", office)
    program = programs.path("tapstile-authority")
    assert killed(folder, "private", program, "enrol", "--from", "-", "--dir", office, environment=programs.environment) == ["True", "False"]


def test_a_gate_leaves_none(programs, site, folder):
    program = programs.path("tapstiled")
    assert killed(folder, "private", program, "--config", site.configuration(), environment=programs.environment) == ["True", "False"]


def test_a_phone_leaves_none(programs, folder):
    program = programs.path("tapstile-phone")
    assert killed(folder, "private", program, "reader", "--link", folder / "port", environment=programs.environment) == ["True", "False"]
