"""Many gates at one web server (S1, S4): how often they ask, and for how much. `make load` measures it with a thousand of them."""

import os
import ssl
import urllib.error
import urllib.request

import pytest

from documents import pages
from gatehouse import Programs
from network.certificates import CertificateAuthority
from network.crowd import Crowd, GrowingSite
from network.nginx import Nginx
from patience import PATIENCE

GATES = 50


@pytest.fixture(scope="module")
def programs():
    return Programs(os.environ["TAPSTILE_BIN"])


@pytest.fixture
def authority(tmp_path):
    return CertificateAuthority(str(tmp_path))


@pytest.fixture
def nginx(tmp_path, authority):
    with Nginx(str(tmp_path / "server"), authority.issue("server", "127.0.0.1"), connections=4 * GATES) as server:
        yield server


def asked(period):
    """What each gate asked for, in order, with what it was answered; the hashes before the names of targets are left out."""
    of = {}
    for connection, status, _, _, _, address in period.rows:
        name = address.rsplit("/", 1)[-1]
        of.setdefault(connection, []).append((status, name.split(".", 1)[-1] if "/targets/" in address else name))
    return list(of.values())


def everybody(period, *requests):
    assert period.failed == {}
    assert asked(period) == [list(requests)] * GATES


def test_gates_ask_for_no_more_than_they_need(programs, authority, nginx, tmp_path):
    site = GrowingSite(programs, nginx, str(tmp_path / "site"), 1000)
    with Crowd(programs, nginx, site, GATES, authorities=authority.file) as crowd:
        first = crowd.synchronise()
        everybody(first, (404, "2.root.json"), (200, "timestamp.json"), (200, "1.snapshot.json"), (200, "1.targets.json"), (200, "1.people.json"),
                  (200, "data"), (200, "full"))
        assert first.versions == {site.version: GATES}

        idle = crowd.synchronise()
        everybody(idle, (404, "2.root.json"), (304, "timestamp.json"))
        assert idle.connections == 1 and sum(idle.http) <= 2000
        # The connection is the one of the first time.
        assert {row[0] for row in idle.rows} == {row[0] for row in first.rows}

        site.refresh()
        everybody(crowd.synchronise(), (404, "2.root.json"), (200, "timestamp.json"))

        site.grow(10)
        changed = crowd.synchronise()
        everybody(changed, (404, "2.root.json"), (200, "timestamp.json"), (200, "2.snapshot.json"), (200, "2.people.json"), (200, "since-1"))
        assert changed.versions == {site.version: GATES}
        assert sum(changed.http) <= 8000


def test_a_file_that_is_not_the_signed_one_is_noticed_by_every_gate(programs, authority, nginx, tmp_path):
    site = GrowingSite(programs, nginx, str(tmp_path / "site"), 1000)
    had = site.version
    with Crowd(programs, nginx, site, GATES, authorities=authority.file, version=had) as crowd:
        crowd.synchronise()
        site.grow(10)
        folder = os.path.join(site.repository, "targets", "people")
        changes, = [name for name in os.listdir(folder) if name.endswith(f".since-{had}")]
        with open(os.path.join(folder, changes), "r+b") as file:
            content = bytearray(file.read())
            content[-1] ^= 1
            file.seek(0)
            file.write(content)
        period = crowd.synchronise()
        assert (period.failed, period.versions) == ({"tuf-wrong-target-hash": GATES}, {had: GATES})


def test_what_the_page_says_of_nginx_lets_caches_keep_what_they_may(authority, tmp_path):
    block, = [block.text for block in pages.blocks("docs/scaling.md", "text") if "location" in block.text]
    context = ssl.create_default_context(cafile=authority.file)

    def cached(name):
        try:
            with urllib.request.urlopen(server.url(name), context=context, timeout=PATIENCE) as answer:
                return answer.status, answer.headers["Cache-Control"]
        except urllib.error.HTTPError as answer:
            return answer.code, answer.headers["Cache-Control"]

    with Nginx(str(tmp_path / "server"), authority.issue("server", "127.0.0.1"), more=block) as server:
        for name in ("metadata/timestamp.json", "metadata/1.root.json", "metadata/7.people.json", "targets/people/abc.full"):
            server.put(name, b"{}")
        for_ever, a_minute = "public, max-age=31536000, immutable", "public, max-age=60"
        assert cached("metadata/timestamp.json") == (200, a_minute)
        assert {cached(name) for name in ("metadata/1.root.json", "metadata/7.people.json", "targets/people/abc.full")} == {(200, for_ever)}
        assert {cached(name) for name in ("metadata/2.root.json", "targets/people/abd.full", "targets/abc")} == {(404, a_minute)}
