"""What the tests of the client of a repository start from."""

import os

import pytest
from gatehouse import Programs

from .repository import Lab
from .tuf_client import TUFClient

OTHERS = ("timestamp", "snapshot", "targets")
FULL, DATA = "people%2Ffull", "site%2Fdata"


@pytest.fixture(scope="module")
def programs():
    return Programs(os.environ["TAPSTILE_BIN"])


@pytest.fixture
def lab():
    with Lab().served() as lab:
        yield lab


@pytest.fixture
def client(programs, tmp_path, lab):
    client = TUFClient(programs, str(tmp_path), lab)
    assert client.beginning.status == 0
    return client


@pytest.fixture
def known(client):
    """A client that has everything in its first version."""
    assert client.download("site/data", "people/full").status == 0
    assert client.versions == {"root": 1, "timestamp": 1, "snapshot": 1, "targets": 1, "people": 1}
    return client


def refused(outcome, code, client=None, **versions):
    """Refused for that reason; these roles have these versions, or are not there (0)."""
    assert (outcome.status, outcome.code) == (1, f"tuf-{code}"), outcome.said
    if client:
        have = client.versions
        assert {role: have.get(role, 0) for role in versions} == versions
    return outcome


def accepted(outcome):
    assert (outcome.status, outcome.code) == (0, None), outcome.said
    return outcome
