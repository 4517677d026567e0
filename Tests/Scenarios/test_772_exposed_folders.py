"""A folder or a key that others may use: every command of the office says so before it signs anything (S6)."""

import json
import os
import shutil

import pytest

from gatehouse import Programs


@pytest.fixture(scope="module")
def programs():
    return Programs(os.environ["TAPSTILE_BIN"])


def code_of(run):
    return json.loads(run.stderr)["error"]["code"]


def test_an_office_that_everybody_may_enter_is_no_office(programs, tmp_path):
    office = tmp_path / "north"
    office.mkdir(mode=0o755)
    # mkdir was there first: init closes an empty folder.
    programs.run("tapstile-authority", "init", "--site", "north", "--dir", office)
    assert os.stat(office).st_mode & 0o777 == 0o700
    programs.run("tapstile-authority", "publish", "init", "--together", "--repo", tmp_path / "repo", "--dir", office)
    before = (tmp_path / "repo" / "metadata" / "timestamp.json").read_bytes()
    office.chmod(0o777)
    for command in (["list", "gates"], ["gate", "--name", "main"], ["publish", "--stick", tmp_path / "stick"], ["publish"], ["publish", "--timestamp"],
                    ["suspend", "--subject", "anna", "--anyway"]):
        refused = programs.run("tapstile-authority", *command, "--dir", office, "--json", status=1)
        assert code_of(refused) == "folder-exposed" and "chmod 700" in refused.stderr
    assert (tmp_path / "repo" / "metadata" / "timestamp.json").read_bytes() == before and not (tmp_path / "stick").exists()
    office.chmod(0o700)
    programs.run("tapstile-authority", "publish", "--stick", tmp_path / "stick", "--dir", office)


def test_init_leaves_a_shared_folder_as_it_is(programs, tmp_path):
    """--dir /tmp, by mistake: neither is everybody shut out of it, nor do keys come to lie there."""
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    (shared / "somebodys").write_text("mine")
    refused = programs.run("tapstile-authority", "init", "--site", "north", "--dir", shared, "--json", status=1)
    assert code_of(refused) == "folder-exposed"
    assert os.listdir(shared) == ["somebodys"] and os.stat(shared).st_mode & 0o7777 == 0o1777


def test_a_holders_key_that_others_may_read_signs_no_timestamp(programs, tmp_path):
    office, repo, key = tmp_path / "north", tmp_path / "repo", tmp_path / "timestamp.key"
    programs.run("tapstile-authority", "init", "--site", "north", "--dir", office)
    programs.run("tapstile-authority", "publish", "init", "--together", "--repo", repo, "--dir", office)
    shutil.copyfile(office / "roles" / "timestamp-1.key", key)
    key.chmod(0o666)
    refresh = ("tapstile-authority", "publish", "--timestamp", "--repo", repo, "--key", key, "--json")
    assert code_of(programs.run(*refresh, status=1)) == "key-exposed"
    key.chmod(0o600)
    programs.run(*refresh)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_root_works_in_nobody_elses_office(programs, tmp_path):
    office = tmp_path / "north"
    programs.run("tapstile-authority", "init", "--site", "north", "--dir", office)
    os.chown(office, 65534, 65534)
    refused = programs.run("tapstile-authority", "list", "gates", "--dir", office, "--json", status=1)
    assert code_of(refused) == "folder-exposed" and "65534" in refused.stderr
    given = tmp_path / "given"
    given.mkdir(mode=0o700)
    os.chown(given, 65534, 65534)
    assert code_of(programs.run("tapstile-authority", "init", "--site", "south", "--dir", given, "--json", status=1)) == "folder-exposed"
    assert os.listdir(given) == []
