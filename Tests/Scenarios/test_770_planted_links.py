"""What somebody else laid into a folder before root writes there: no link of his leads anywhere, and no file of his becomes a key (S6)."""

import os
import stat

import pytest

from gatehouse import Programs

# What every program called its unfinished files once.
ENDINGS = (".new", ".body", "+part")


@pytest.fixture(scope="module")
def programs():
    return Programs(os.environ["TAPSTILE_BIN"])


@pytest.fixture
def office(programs, tmp_path):
    folder = str(tmp_path / "north")
    programs.run("tapstile-authority", "init", "--site", "north", "--dir", folder)
    programs.run("tapstile-phone", "key", "--out", tmp_path / "anna.key")
    return folder


@pytest.fixture
def shared(tmp_path):
    """A folder into which everybody may write, without a sticky bit: the kernel itself protects nobody there."""
    folder = tmp_path / "shared"
    folder.mkdir()
    folder.chmod(0o777)
    return folder


def plant(folder, precious, *names):
    """Lays links, as the user nobody where root does this. Answers them."""
    links = [folder / (name + ending) for name in names for ending in ENDINGS]
    for link in links:
        link.symlink_to(precious)
        if os.geteuid() == 0:
            os.lchown(link, 65534, 65534)
    return links


def commands(office, shared, public):
    yield "anna.ccs", 0o600, ("tapstile-authority", "enrol", "--dir", office, "--key", public, "--subject", "anna", "--out", shared / "anna.ccs")
    yield "anna.token", 0o600, ("tapstile-authority", "token", "--dir", office, "--key", public, "--subject", "anna", "--valid", "1d",
                                "--out", shared / "anna.token")
    yield "root.key", 0o600, ("tapstile-authority", "role-key", "--role", "root", "--out", shared / "root.key")
    yield "ben.key", 0o600, ("tapstile-phone", "key", "--out", shared / "ben.key")


def test_links_with_predictable_names_lead_nowhere(programs, office, shared, tmp_path):
    precious = tmp_path / "precious"
    precious.write_bytes(b"root's")
    for name, mode, command in commands(office, shared, tmp_path / "anna.pub"):
        links = plant(shared, precious, *{name, name.replace(".key", ".pub")})
        programs.run(*command)
        assert precious.read_bytes() == b"root's", name
        facts = os.lstat(shared / name)
        assert stat.S_ISREG(facts.st_mode) and stat.S_IMODE(facts.st_mode) == mode and facts.st_uid == os.geteuid(), name
        assert all(link.is_symlink() for link in links)
        assert {entry for entry in os.listdir(shared) if entry.startswith(".")} == set()


def test_a_pipe_with_a_predictable_name_holds_nobody_up(programs, office, shared, tmp_path):
    os.mkfifo(shared / "anna.ccs.new")
    programs.run("tapstile-authority", "enrol", "--dir", office, "--key", tmp_path / "anna.pub", "--subject", "anna", "--out", shared / "anna.ccs")
    assert stat.S_ISFIFO(os.lstat(shared / "anna.ccs.new").st_mode)


def test_a_key_replaces_no_link_that_was_laid_in_its_place(programs, shared, tmp_path):
    for command in (("tapstile-authority", "role-key", "--role", "root", "--out"), ("tapstile-phone", "key", "--out")):
        (shared / "new.key").symlink_to(tmp_path / "elsewhere")
        refused = programs.run(*command, shared / "new.key", status=None)
        assert refused.returncode == 1 and not (tmp_path / "elsewhere").exists() and (shared / "new.key").is_symlink()
        (shared / "new.key").unlink()


def test_dev_stdout_is_still_there_after_root_named_it(programs, office, tmp_path):
    link = tmp_path / "stdout"
    link.symlink_to("/proc/self/fd/1")
    refused = programs.run("tapstile-authority", "enrol", "--dir", office, "--key", tmp_path / "anna.pub", "--subject", "anna", "--out", link, status=1)
    assert "File exists" in refused.stderr and link.is_symlink()
