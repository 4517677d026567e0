"""The back office with many people: lists, files and publications pass through it without being held whole."""

import json
import sys

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from patience import LONG
from processes import run

PEOPLE = 40_000
# The database's page cache may have 32 MiB; the list has 9 MB, and its records in memory would have 40, with two groups for each 70.
LARGEST = 64 * 1024


def point():
    public = ec.generate_private_key(ec.SECP256R1()).public_key()
    return public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint).hex()


# A process of its own, and a small one: to the kernel a program's largest memory begins with that of whoever forked it.
MEASURE = """
import os, sys
process = os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(process, 0)
print(usage.ru_maxrss, file=sys.stderr)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def largest_of(programs, *arguments):
    """Runs the authority; its largest resident memory in KiB, and what it printed."""
    measured = run([sys.executable, "-I", "-c", MEASURE, programs.path("tapstile-authority"), *arguments], LONG, with_children=True, env=programs.environment,
                   text=True, capture_output=True)
    assert measured.returncode == 0, measured.stderr
    return int(measured.stderr), json.loads(measured.stdout)


def test_forty_thousand_people_are_enrolled_in_bounded_memory(programs, tmp_path):
    folder, people = tmp_path / "authority", tmp_path / "people"
    programs.run("tapstile-authority", "init", "--site", "demo", "--dir", folder)
    programs.run("tapstile-authority", "gate", "--name", "gates", "--dir", folder)
    with open(people, "w") as file:
        for number in range(PEOPLE):
            file.write(json.dumps({"subject": f"person {number}", "key": point()}) + "\n")

    enrolling, enrolled = largest_of(programs, "enrol", "--from", str(people), "--dir", str(folder), "--json")
    assert enrolled["added"] == PEOPLE
    assert enrolling < LARGEST


def test_the_first_publication_of_forty_thousand_people_takes_bounded_memory(programs, tmp_path):
    folder, people = tmp_path / "authority", tmp_path / "people.csv"
    programs.run("tapstile-authority", "init", "--site", "demo", "--dir", folder)
    programs.run("tapstile-authority", "publish", "init", "--together", "--repo", tmp_path / "repository", "--dir", folder)
    with open(people, "w") as file:
        file.write("subject,key,groups\n")
        for number in range(PEOPLE):
            file.write(f"person {number},{point()},staff;floor {number % 50}\n")
    programs.run("tapstile-authority", "import", people, "--dir", folder)

    for command, changes in (("publish", 3 * PEOPLE), ("new-epoch", 0)):
        largest, published = largest_of(programs, command, "--dir", str(folder), "--json")
        assert published["full"] and published["changes"] == changes
        assert largest < LARGEST, command
    programs.run("tapstile-authority", "verify-repo", tmp_path / "repository")
