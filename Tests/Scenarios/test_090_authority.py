"""The back office with many people: lists and publications pass through it without being held whole."""

import json
import os
import subprocess

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from patience import LONG, wait_until
from processes import Lines, kill

PEOPLE = 40_000
# The database's page cache may have 32 MiB; the list has 9 MB, and its records in memory would have 40.
LARGEST = 64 * 1024


def point():
    public = ec.generate_private_key(ec.SECP256R1()).public_key()
    return public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint).hex()


def largest_of(programs, *arguments):
    """Runs the authority; its largest resident memory in KiB, and what it printed."""
    process = subprocess.Popen([programs.path("tapstile-authority"), *arguments], env=programs.environment,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    try:
        printed = Lines(process).rest(LONG)
        _, status, usage = wait_until(f"the end of {arguments[0]}", lambda: has_ended(process))
    except BaseException:
        kill(process)
        raise
    finally:
        process.stdout.close()
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_maxrss, json.loads(printed)


def has_ended(process):
    """What wait4 knows of a process that has ended."""
    found = os.wait4(process.pid, os.WNOHANG)
    return found if found[0] else None


def test_forty_thousand_people_are_enrolled_and_published_in_bounded_memory(programs, tmp_path):
    folder, people, export = tmp_path / "authority", tmp_path / "people", tmp_path / "export"
    programs.run("tapstile-authority", "init", "--site", "demo", "--dir", folder)
    programs.run("tapstile-authority", "gate", "--name", "gates", "--dir", folder)
    with open(people, "w") as file:
        for number in range(PEOPLE):
            file.write(json.dumps({"subject": f"person {number}", "key": point()}) + "\n")

    enrolling, enrolled = largest_of(programs, "enrol", "--from", str(people), "--dir", str(folder), "--json")
    assert enrolled["added"] == PEOPLE
    assert enrolling < LARGEST

    publishing, published = largest_of(programs, "export", "--out", str(export), "--dir", str(folder), "--json")
    assert published["enrolled"] == PEOPLE
    assert publishing < LARGEST
