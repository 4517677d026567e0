"""What somebody does who has the documents alone: files in the wrong place, one card too many, people before their rules, a ceremony that is given up."""

import fcntl
import json
import os
import pty
import struct
import subprocess
import termios
import threading

import pytest

from patience import PATIENCE


class Office:
    """An office with the clock of whoever runs it."""

    def __init__(self, programs, folder):
        self.programs, self.folder, self.dir = programs, folder, os.path.join(folder, "office")
        self.repository, self.stick = os.path.join(folder, "repository"), os.path.join(folder, "stick")
        self.run("init", "--site", "north")

    def run(self, *command, status=0):
        return self.programs.run("tapstile-authority", *command, "--dir", self.dir, status=status)

    def json(self, *command, status=0):
        return json.loads(self.run(*command, "--json", status=status).stdout)

    def code(self, *command):
        return json.loads(self.run(*command, "--json", status=1).stderr.splitlines()[-1])["error"]["code"]

    def key(self, name):
        path = os.path.join(self.folder, name)
        self.programs.run("tapstile-phone", "key", "--out", f"{path}.key")
        return f"{path}.pub"

    def rules(self, text):
        path = os.path.join(self.folder, "rules.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        self.run("rules", path)

    def at(self, *names):
        return os.path.join(self.dir, *names)


@pytest.fixture
def office(programs, tmp_path):
    return Office(programs, str(tmp_path))


def content(path):
    with open(path, "rb") as file:
        return file.read()


# Files in the wrong place


def test_out_takes_the_place_of_no_key_and_no_database(office):
    anna = office.key("anna")
    office.run("publish", "init", "--repo", office.repository, "--together")
    draft = os.path.join(office.folder, "draft")
    office.run("draft", "root", "--out", draft)
    commands = [
        (office.at("issuer.key"), ["token", "--key", anna, "--subject", "anna"]),
        (office.at("authority.db"), ["enrol", "--key", anna, "--subject", "anna"]), (anna, ["enrol", "--key", anna, "--subject", "anna"]),
        (office.at("authority.db"), ["draft", "targets"]), (office.at("roles", "root-1.key"), ["draft", "root"]),
    ]
    for path, command in commands:
        before = content(path)
        assert office.code(*command, "--out", path) == "file-kept"
        assert content(path) == before
    # Nothing was issued or enrolled on the way.
    assert office.run("list", "tokens").stdout == office.run("list", "enrolled").stdout == ""
    key = office.at("roles", "root-1.key")
    before = content(key)
    refused = office.programs.run("tapstile-authority", "sign", draft, "--key", key, "--out", key, "--yes", "--uncompared", status=1)
    assert "file-kept" in refused.stderr and content(key) == before


# One record too many, and people before their rules


def test_a_card_that_the_site_does_not_allow_is_refused_at_once_and_revocations_go_out(office):
    office.run("enrol", "--key", office.key("mallory"), "--subject", "mallory")
    # Before there is a repository nothing forbids a card.
    office.run("card", "--uid", "04010203040506", "--subject", "carla")
    office.run("publish", "init", "--repo", office.repository, "--together", status=3)
    assert office.code("card", "--uid", "04010203040507", "--subject", "carl") == "ceiling-exceeded"
    office.run("suspend", "--subject", "mallory")
    told = office.json("publish", status=3)
    assert [warning.split(":")[0] for warning in told["warnings"]] == ["ceiling-exceeded"] and "carla" in told["warnings"][0]
    office.programs.run("tapstile-authority", "verify-repo", office.repository)
    assert office.json("publish", "--dry-run", status=3)["changes"] is None
    office.run("card", "--uid", "04010203040506", "--remove")
    assert "warnings" not in {name for name, value in office.json("publish").items() if value}


RULES = """
time-zone = "UTC"
[[schedule]]
name = "night"
week = ["daily 22:00-06:00"]
[[group]]
name = "cleaners"
members = ["nina"]
[[rule]]
group = "cleaners"
schedule = "night"
"""


def holder(office, *names):
    keys = [word for name in names for word in ("--key", os.path.join(office.folder, f"{name}.key"))]
    office.programs.run("tapstile-authority", "ceremony", office.stick, *keys, "--yes")


def test_nobody_passes_by_old_rules_because_the_new_ones_are_not_signed(office):
    office.run("ceremony", office.stick, "--repo", office.repository, "--root-holder", "alice", "--targets-holder", "tom")
    holder(office, "alice", "tom")
    office.run("ceremony", office.stick, "--yes")
    office.rules(RULES)
    office.run("enrol", "--key", office.key("nina"), "--subject", "nina")
    told = office.json("publish", status=3)
    codes = sorted(warning.split(":")[0] for warning in told["warnings"])
    assert codes == ["rules-unsigned", "rules-unsigned", "site-changed"]
    assert all("ceremony" in warning for warning in told["warnings"])
    # Rules, ceremony, and the people come by themselves.
    office.run("ceremony", office.stick)
    holder(office, "tom")
    assert office.json("ceremony", office.stick, "--yes")["warnings"] is None
    assert office.json("publish")["warnings"] is None


def test_who_signs_hears_that_somebody_still_waits(office):
    office.run("ceremony", office.stick, "--repo", office.repository, "--root-holder", "alice", "--targets-holder", "tom")
    holder(office, "alice", "tom")
    office.run("ceremony", office.stick, "--yes")
    office.rules(RULES)
    office.run("ceremony", office.stick)
    # What is decided while the folder is carried about is in no signature yet.
    office.run("enrol", "--key", office.key("nina"), "--subject", "nina")
    office.rules(RULES.replace("cleaners", "night-shift"))
    holder(office, "tom")
    told = office.json("ceremony", office.stick, "--yes", status=3)
    assert {warning.split(":")[0] for warning in told["warnings"]} == {"rules-unsigned", "site-changed"}
    lines = [json.loads(line) for line in office.run("list", "enrolled", "--json").stdout.splitlines()]
    assert [(line["subject"], line["heldBack"]) for line in lines] == [("nina", True)]
    assert "heldBack=true" in office.run("list", "memberships").stdout
    # With keys of the signers here and there it is the same.
    office.run("draft", "targets", "--out", os.path.join(office.folder, "d"))
    office.rules(RULES)
    key, signature = os.path.join(office.folder, "tom.key"), os.path.join(office.folder, "s")
    office.programs.run("tapstile-authority", "sign", os.path.join(office.folder, "d"), "--key", key, "--out", signature, "--yes")
    assert office.json("accept", os.path.join(office.folder, "d"), "--signature", signature, status=3)["warnings"]


def test_a_damaged_file_is_no_publication_that_went_well(office):
    office.run("enrol", "--key", office.key("anna"), "--subject", "anna")
    office.run("publish", "init", "--repo", office.repository, "--together")
    folder = os.path.join(office.repository, "targets", "people")
    path = os.path.join(folder, next(name for name in os.listdir(folder) if name.endswith(".full")))
    damaged = bytearray(content(path))
    damaged[-1] ^= 1
    with open(path, "wb") as file:
        file.write(damaged)
    assert office.code("publish") == "tuf-wrong-target-hash"
    # What is taken away is made anew.
    os.unlink(path)
    office.run("publish")
    office.programs.run("tapstile-authority", "verify-repo", office.repository)


# A ceremony that is given up, and lines that scroll away


def test_a_cancelled_ceremony_names_the_signatures_that_it_cannot_take_back(office):
    office.run("ceremony", office.stick, "--repo", office.repository, "--root-holder", "alice", "--root-holder", "bob", "--root-threshold", "2", "--targets-holder", "tom")
    holder(office, "alice", "bob", "tom", "alice")
    for name in [name for name in os.listdir(office.stick) if name.startswith("targets-")]:
        os.unlink(os.path.join(office.stick, name))
    told = office.json("ceremony", office.stick, "--cancel")
    assert told["signed"] == [{"role": "root", "version": 1, "by": ["alice", "bob"], "enough": True}]
    assert not os.path.exists(os.path.join(office.stick, "ceremony.json"))
    # Without its medium nobody knows.
    office.run("ceremony", office.stick, "--repo", office.repository, "--root-holder", "alice", "--targets-holder", "tom")
    assert office.json("ceremony", os.path.join(office.folder, "elsewhere"), "--cancel")["signed"] is None


END = b"\0"
PAGE, NEXT = b"anything else ends this --", b"goes on with that command later."


def read(leader, shown, answers):
    """Reads what is shown, and answers each question with what fits the end of it."""
    while not shown.endswith(END):
        shown += os.read(leader, 65_536)
        for question, answer in answers.items():
            if shown.rstrip(b"\r\n").endswith(question):
                shown += b" "
                os.write(leader, answer)


ROWS, COLUMNS = 16, 80


def on_a_terminal(command, answers):
    """What a terminal shows, where somebody answers questions so."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    try:
        process = subprocess.Popen(command, stdin=follower, stdout=follower, stderr=subprocess.PIPE, text=True)
        shown = bytearray()
        reader = threading.Thread(target=read, args=(leader, shown, answers), daemon=True)
        reader.start()
        errors = process.communicate(timeout=PATIENCE)[1]
        os.write(follower, END)
        reader.join(timeout=PATIENCE)
        return process.returncode, shown.decode(), errors
    finally:
        os.close(leader)
        os.close(follower)


def test_what_has_scrolled_away_stands_below_once_more_and_is_read_in_pages(office):
    office.rules('time-zone = "UTC"\n[[holiday]]\nname = "public"\ndates = [' + ", ".join(f'"2027-01-{day:02}"' for day in range(1, 29)) + "]\n"
                 '[[schedule]]\nname = "week"\nweek = ["daily 07:00-19:00"]\nholidays = ["public"]\n[[rule]]\ngroup = "staff"\nschedule = "week"\n'
                 '[[group]]\nname = "staff"\nmembers = ["anna"]\n')
    office.run("ceremony", office.stick, "--repo", office.repository, "--root-holder", "alice", "--targets-holder", "tom")
    key = os.path.join(office.folder, "tom.key")
    holder(office, "alice", "tom")
    for name in [name for name in os.listdir(office.stick) if name.startswith("targets-")]:
        os.unlink(os.path.join(office.stick, name))
    command = [office.programs.path("tapstile-authority"), "ceremony", office.stick, "--key", key]
    # A yes at the end of a page is none.
    status, shown, errors = on_a_terminal(command, {PAGE: b"yes\n", NEXT: b"\n"})
    assert status == 1 and "not-signed" in errors and "Sign this?" not in shown
    status, shown, errors = on_a_terminal(command, {PAGE: b"\n", b"Write yes.": b"yes\n", NEXT: b"\n"})
    assert status == 0, errors
    # Keys are longer than a row: whoever counts lines has them scroll away.
    pages = shown[:shown.index("Write yes.")].split(PAGE.decode())
    assert len(pages) > 2 and any(len(line) > COLUMNS for page in pages for line in page.splitlines())
    for page in pages:
        assert sum(max(1, -(-len(line) // COLUMNS)) for line in page.strip("\r\n ").splitlines()) <= ROWS, page
    below = shown[shown.index("These were"):]
    assert "× holidays" in below and "token issuer 'north'" in below and "key of people: " in below
