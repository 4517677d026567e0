"""The web servers' blocks of docs/authority.md, given to the real programs: a gate's client takes a repository from them, and nothing else is given out."""

import contextlib
import http.client
import os
import re
import subprocess
import time

import pytest

from documents import pages as markdown
from gatehouse import Programs
from network.nginx import SCRIPT, Nginx, free_port
from network.tuf_client import TUFClient
from patience import LONG, NothingHappened, wait_until
from processes import end, run


def block(beginning):
    """The block of the page that begins so."""
    found = [block.text for block in markdown.blocks("docs/authority.md", "text") if block.text.startswith(beginning)]
    assert len(found) == 1
    return found[0]


class Served:
    """A repository behind a web server, as a client of a gate sees it."""

    def __init__(self, repository, port):
        self.url, self.port = f"http://127.0.0.1:{port}", port
        with open(os.path.join(repository, "metadata", "1.root.json"), "rb") as file:
            self.first_root = file.read()

    def get(self, path, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONG)
        with contextlib.closing(connection):
            connection.request(headers.pop("method", "GET"), path, headers=headers)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    folder, programs = str(tmp_path_factory.mktemp("site")), Programs(os.environ["TAPSTILE_BIN"])
    office, repository = os.path.join(folder, "office"), os.path.join(folder, "repository")
    programs.run("tapstile-authority", "init", "--site", "harbour", "--dir", office)
    programs.run("tapstile-authority", "publish", "init", "--together", "--repo", repository, "--dir", office)
    with open(os.path.join(folder, "secret"), "w", encoding="utf-8") as file:
        file.write("not for everybody")
    # A command that was interrupted leaves such files.
    with open(os.path.join(repository, "targets", "people", ".full.new"), "w", encoding="utf-8") as file:
        file.write("half")
    for where, _, names in os.walk(repository):
        for name in names:
            # Of a file of this very second no tag is kept.
            os.utime(os.path.join(where, name), (time.time(), time.time() - 10))
    return repository


@contextlib.contextmanager
def nginx(repository, folder):
    """The block as it is, but for the port, the certificate and the folder."""
    directives = re.search(r"\{\n(.*)\}\s*$", block("server {"), re.DOTALL).group(1)
    kept = [line for line in directives.splitlines() if not re.match(r" *(listen|server_name|ssl_certificate|ssl_certificate_key|root|access_log) ", line)]
    server = Nginx(folder, more="\n".join(kept))
    os.rmdir(server.root)
    os.symlink(repository, server.root)
    with server:
        yield Served(repository, server.port)


@contextlib.contextmanager
def caddy(repository, folder):
    program = run([SCRIPT, "caddy"], LONG, with_children=True, capture_output=True, text=True, check=True).stdout.strip()
    text = block("gates.example {").replace("/var/lib/tapstile-repository/harbour", repository)
    for _ in range(10):
        port, path = free_port(), os.path.join(folder, "Caddyfile")
        with open(path, "w", encoding="utf-8") as file:
            file.write("{\n    admin off\n    auto_https off\n}\n" + text.replace("gates.example {", f"http://127.0.0.1:{port} {{\n    bind 127.0.0.1"))
        with open(os.path.join(folder, "log"), "wb") as log:
            process = subprocess.Popen([program, "run", "--config", path, "--adapter", "caddyfile"], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                       env={**os.environ, "HOME": folder, "XDG_CONFIG_HOME": folder, "XDG_DATA_HOME": folder})
        try:
            wait_until("caddy to serve or to end", lambda: process.poll() is not None or answers(port))
            if process.poll() is None:
                yield Served(repository, port)
                return
        finally:
            end(process)
    with open(os.path.join(folder, "log"), encoding="utf-8") as log:
        raise NothingHappened(f"caddy: {log.read()}")


def answers(port):
    with contextlib.suppress(OSError):
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=1)) as connection:
            connection.request("GET", "/")
            return connection.getresponse().status > 0
    return False


@pytest.mark.parametrize("server", [nginx, caddy])
def test_a_gate_takes_the_repository_and_a_stranger_nothing_else(server, programs, repository, tmp_path):
    folder = tmp_path / "server"
    folder.mkdir()
    with server(repository, str(folder)) as served:
        client = TUFClient(programs, str(tmp_path), served)
        assert client.refresh().status == 0
        assert client.download("site/data", "people/full").status == 0

        status, headers, whole = served.get("/metadata/timestamp.json")
        assert status == 200 and headers["Cache-Control"] == "no-cache" and "ETag" in {name.replace("Etag", "ETag") for name in headers}
        tag = next(value for name, value in headers.items() if name.lower() == "etag")
        assert served.get("/metadata/timestamp.json", **{"If-None-Match": tag})[0] == 304
        assert served.get("/metadata/timestamp.json", Range="bytes=10-")[0::2] == (206, whole[10:])
        # The next root is asked for at every run, and is not there: no cache keeps that.
        assert served.get("/metadata/2.root.json")[0] == 404
        for path in ("/", "/metadata/", "/../secret", "/%2e%2e/secret", "/targets/people/.full.new"):
            status, _, body = served.get(path)
            assert status in (400, 403, 404) and b"not for everybody" not in body and b"1.root.json" not in body, path
        for method in ("PUT", "DELETE", "POST"):
            assert served.get("/metadata/timestamp.json", method=method)[0] in (403, 405), method


def test_what_is_published_is_everybodys_and_nothing_else_is_under_any_mask(programs, tmp_path):
    office, published = tmp_path / "office", tmp_path / "repository"
    programs.run("tapstile-authority", "init", "--site", "harbour", "--dir", office, umask=0o077)
    programs.run("tapstile-authority", "publish", "init", "--together", "--repo", published, "--dir", office, umask=0o077)
    for where, _, names in os.walk(published):
        assert os.stat(where).st_mode & 0o777 == 0o755
        assert all(os.stat(os.path.join(where, name)).st_mode & 0o777 == 0o644 for name in names)
    programs.run("tapstile-authority", "suspend", "--subject", "anna", "--anyway", "--dir", office, umask=0)
    assert os.stat(office).st_mode & 0o777 == 0o700
    secrets = [path for path in office.rglob("*") if path.suffix in (".key", ".db", ".lock")]
    assert len(secrets) > 6 and all(path.stat().st_mode & 0o777 == 0o600 for path in secrets)
