"""Somebody has taken the gate over and asks tapstile-net for the network: it fetches what root's file lists, and nothing else (S4, S5)."""

import os
import ssl

import pytest

from gatehouse import Programs
from network.certificates import CertificateAuthority
from network.fetcher import Fetcher, configuration
from network.nginx import Nginx
from network.servers import RawServer, context_wanting_a_certificate, says, tunnel
from patience import wait_until
from processes import end

CONTENT = b"what the site has signed"
LOOPBACK = 'local-addresses = ["127.0.0.1"]'


@pytest.fixture(scope="module")
def programs():
    return Programs(os.environ["TAPSTILE_BIN"])


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return CertificateAuthority(str(tmp_path_factory.mktemp("authority")))


@pytest.fixture
def nginx(tmp_path):
    with Nginx(str(tmp_path / "n")) as server:
        server.put("site/file", CONTENT)
        server.put("other/file", b"what is none of the gate's business")
        yield server


@pytest.fixture
def victim():
    """Another machine beside the gate: whoever is asked."""
    with RawServer(says(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret")) as server:
        yield server


@pytest.fixture
def going_by(programs, folder):
    """A fetcher that goes by a file with this url and these lines of [sync]."""
    children = []

    def start(url, *lines):
        children.append(Fetcher.child(programs, "--config", configuration(folder, url, *lines)))
        return children[-1]
    yield start
    for child in children:
        child.close()


def site(server):
    return server.url("site")


def test_what_is_listed_is_fetched_whatever_the_gate_says_of_the_way(going_by, nginx, folder):
    fetcher = going_by(site(nginx), LOOPBACK)
    # Neither file is there; nobody looks.
    fetcher.set_up(authorities=os.path.join(folder, "none"), certificate=os.path.join(folder, "none"), key=os.path.join(folder, "none"))
    assert fetcher.fetch(nginx.url("site/file")).body == CONTENT


@pytest.mark.parametrize("address", [
    "http://127.0.0.1:{port}/other/file", "http://127.0.0.1:{port}/site/../other/file", "http://127.0.0.1:{port}/site/%2e%2e/other/file",
    "http://127.0.0.1:{port}/site%2f..%2fother/file", "http://127.0.0.1:{port}/sitemap", "http://127.0.0.1:{port}/",
    "http://127.0.0.1:{victim}/site/file", "http://127.0.0.1:{port}@127.0.0.1:{victim}/site/file", "http://localhost:{port}/site/file",
    "http://127.1:{port}/site/file", "http://0:{port}/site/file", "https://127.0.0.1:{port}/site/file", "http://127.0.0.1.:{port}/site/file"])
def test_an_owned_gate_reaches_neither_the_internet_nor_the_machines_beside_it(going_by, nginx, victim, address):
    fetcher = going_by(site(nginx), LOOPBACK).set_up()
    answer = fetcher.fetch(address.format(port=nginx.port, victim=victim.port))
    assert answer.code in ("address-not-listed", "address-refused")
    assert (answer.body, nginx.log, victim.requests) == (b"", [], [])
    # And goes on with what is right.
    assert fetcher.fetch(nginx.url("site/file")).body == CONTENT


def test_a_redirect_does_not_leave_what_is_listed(going_by, tmp_path, victim):
    more = (f"location = /site/beside {{ return 302 /other/file; }} location = /site/up {{ return 302 http://127.0.0.1:$server_port/site/../other/file; }}"
            f"location = /site/away {{ return 307 {victim.url('site/file')}; }} location = /site/moved {{ return 301 /site/file; }}")
    with Nginx(str(tmp_path / "n"), more=more) as nginx:
        nginx.put("site/file", CONTENT)
        nginx.put("other/file", b"what is none of the gate's business")
        fetcher = going_by(site(nginx), LOOPBACK).set_up()
        assert fetcher.fetch(nginx.url("site/moved")).body == CONTENT
        for name in ("beside", "up", "away"):
            answer = fetcher.fetch(nginx.url(f"site/{name}"))
            assert (answer.code, answer.body) == ("address-not-listed", b""), name
        assert victim.requests == [] and not [row for row in nginx.log if "other" in row[5]]
        # Where the installer knows of it.
        listed = going_by(site(nginx), LOOPBACK, f'more-urls = ["{victim.url("site")}"]').set_up()
        assert listed.fetch(nginx.url("site/away")).body == b"secret"


@pytest.mark.parametrize("host", ["2130706433", "0x7f000001", "017700000001", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]"])
def test_a_name_that_leads_to_this_machine_is_not_followed(going_by, victim, host):
    url = f"http://{host}:{victim.port}/site"
    fetcher = going_by(url).set_up()
    answer = fetcher.fetch(f"{url}/file")
    assert (answer.code, answer.body, victim.requests) == ("address-local", b"", [])
    assert answer.detail == "127.0.0.1"


def test_a_proxy_of_the_gates_own_is_not_asked(going_by, nginx):
    with RawServer(tunnel) as proxy:
        fetcher = going_by(site(nginx), LOOPBACK).set_up(proxy=proxy.url().rstrip("/"))
        assert fetcher.fetch(nginx.url("site/file")).body == CONTENT
        assert proxy.requests == []


def test_a_proxy_on_this_machine_is_asked_where_the_file_names_its_address(going_by, victim):
    url, other = "http://192.0.2.1/site", 'local-addresses = ["::1"]'
    proxy = f'proxy = "{victim.url().rstrip("/")}"'
    refused = going_by(url, proxy, other).set_up().fetch(f"{url}/file")
    assert (refused.code, refused.detail, victim.requests) == ("address-local", "127.0.0.1", [])
    assert going_by(url, proxy, LOOPBACK).set_up().fetch(f"{url}/file").body == b"secret"
    assert victim.requests[0].startswith("GET http://192.0.2.1/site/file ")


def test_an_authority_of_the_gates_own_vouches_for_nobody(going_by, authority, tmp_path):
    folder = tmp_path / "thief"
    folder.mkdir()
    thief = CertificateAuthority(str(folder), "thief")
    with Nginx(str(tmp_path / "n"), thief.issue("server", "127.0.0.1")) as server:
        server.put("site/file", CONTENT)
        fetcher = going_by(site(server), LOOPBACK, f'ca-file = "{authority.file}"').set_up(authorities=thief.file)
        assert fetcher.fetch(server.url("site/file")).code == "certificate-refused"


def test_the_certificate_is_shown_to_the_server_it_is_for_and_to_nobody_else(going_by, authority):
    shown = []

    def looks(connection, _):
        shown.append(bool(connection.getpeercert()))
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")

    def server(name):
        context = context_wanting_a_certificate(authority.issue(name, "127.0.0.1"), authority.file)
        context.verify_mode = ssl.CERT_OPTIONAL
        return RawServer(looks, context)
    with server("known") as known, server("other") as other:
        certificate, key = authority.issue("gate")
        fetcher = going_by(known.url("site", "https"), LOOPBACK, f'ca-file = "{authority.file}"', f'client-certificate = "{certificate}"',
                           f'client-key = "{key}"', f'more-urls = ["{other.url("site", "https")}"]').set_up()
        for one in (known, other, known):
            assert fetcher.fetch(one.url("site/file", "https")).status == 200
    assert shown == [True, False, True]


def writable(path):
    os.chmod(path, 0o666)


def with_a_mistake(path):
    with open(path, "a", encoding="utf-8") as file:
        file.write("\n[synch]\n")


def without_sync(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text[:text.index("[sync]")] + text[text.index("[[lane]]"):])


@pytest.mark.parametrize("spoil", [writable, with_a_mistake, without_sync, os.unlink])
def test_a_file_that_does_not_count_lists_nothing(programs, folder, nginx, spoil):
    path = configuration(folder, site(nginx), LOOPBACK)
    spoil(path)
    with Fetcher.child(programs, "--config", path) as fetcher:
        fetcher.set_up()
        for _ in range(2):
            answer = fetcher.fetch(nginx.url("site/file"))
            assert (answer.code, answer.body, nginx.log) == ("fetcher-unconfigured", b"", [])
            assert answer.detail


def test_what_root_has_put_right_counts_from_the_next_file_on(programs, folder, nginx):
    path = configuration(folder, site(nginx), LOOPBACK)
    writable(path)
    with Fetcher.child(programs, "--config", path) as fetcher:
        fetcher.set_up()
        assert fetcher.fetch(nginx.url("site/file")).code == "fetcher-unconfigured"
        os.chmod(path, 0o644)
        assert fetcher.fetch(nginx.url("site/file")).body == CONTENT


def test_an_owned_gate_keeps_no_list_that_root_has_shortened(programs, folder, nginx):
    path = configuration(folder, nginx.url(""), LOOPBACK)
    with Fetcher.child(programs, "--config", path) as fetcher:
        fetcher.set_up()
        assert fetcher.fetch(nginx.url("other/file")).status == 200
        configuration(folder, site(nginx), LOOPBACK)
        with pytest.raises(EOFError):
            fetcher.fetch(nginx.url("other/file"))
    with Fetcher.child(programs, "--config", path) as fetcher:
        assert fetcher.set_up().fetch(nginx.url("other/file")).code == "address-not-listed"


def test_at_a_socket_no_file_means_the_one_of_the_machine_and_not_everything(programs, folder, nginx):
    """Whoever forgets the option opens nothing."""
    path = os.path.join(folder, "fetch.sock")
    keeper = programs.start("tapstile-net", "fetch", "--listen", path)
    try:
        wait_until("the socket", lambda: os.path.exists(path) or keeper.poll() is not None)
        with Fetcher.at(path) as fetcher:
            assert fetcher.set_up().fetch(nginx.url("site/file")).code in ("fetcher-unconfigured", "address-not-listed")
    finally:
        end(keeper)
    assert nginx.log == []
