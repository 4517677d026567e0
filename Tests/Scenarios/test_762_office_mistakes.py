"""What somebody mistypes in the office, and what its disk forgets, ends in a sentence and not in a door that stands open."""

import json
import os
import sqlite3
from contextlib import closing

import pytest

from test_747_daily_life import office  # noqa: F401


def told(office, *command, status=1):
    run = office.run(*command, "--json", status=status)
    return json.loads(run.stderr.splitlines()[-1])["error"]


@pytest.mark.parametrize("damage", ["places = x'8281058164746f6b6e'", "kid = x''", "user_verification = 7"])
def test_a_bit_that_flipped_is_not_signed(office, damage):  # noqa: F811
    office.run("enrol", "--key", office.key("anna"), "--subject", "anna", "--audience", "tapstile:north/side")
    office.run("publish", "init", "--repo", office.repository, "--together")
    with closing(sqlite3.connect(os.path.join(office.dir, "authority.db"))) as database, database:
        database.execute(f"UPDATE enrolled SET {damage}")
    error = told(office, "export", "--out", os.path.join(office.folder, "site"))
    assert error["code"] == "database-corrupt" and "anna" in error["message"]
    office.run("enrol", "--key", office.key("ben"), "--subject", "ben")
    assert told(office, "new-epoch")["code"] == "database-corrupt"
    assert not os.path.exists(os.path.join(office.folder, "site"))
