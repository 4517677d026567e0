"""Files from the network (S4, S5): the real tapstile-net against a real nginx over TLS, and against servers that no honest nginx is."""

import gzip
import os
import signal
import time

import pytest

from gatehouse import Programs
from network.certificates import CertificateAuthority
from network.fetcher import BEAT, BYTES, CANCEL, FETCH, SET_UP, Fetcher, configuration, frame
from network.nginx import Nginx, free_port
from network.servers import RawServer, context_wanting_a_certificate, says, says_for_ever, stalls, tunnel
from patience import wait_until
from processes import end, ended

CONTENT = bytes(range(256)) * 1200
OK = b"HTTP/1.1 200 OK\r\n"
MOST_HEADER = 65_536


@pytest.fixture(scope="module")
def programs():
    return Programs(os.environ["TAPSTILE_BIN"])


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return CertificateAuthority(str(tmp_path_factory.mktemp("authority")))


@pytest.fixture(scope="module")
def certificate(authority):
    return authority.issue("server", "127.0.0.1", "localhost")


@pytest.fixture
def nginx(tmp_path, certificate):
    """One over TLS with a file in it."""
    with Nginx(str(tmp_path), certificate) as server:
        server.put("file", CONTENT)
        yield server


@pytest.fixture
def fetcher(programs, authority):
    """Set up to trust our authority alone."""
    with Fetcher.child(programs) as child:
        yield child.set_up(authorities=authority.file)


def in_the_clear(programs, **setup):
    return Fetcher.child(programs).set_up(**setup)


# What works


def test_a_file_comes_whole_with_its_length_and_tag(fetcher, nginx):
    answer = fetcher.fetch(nginx.url("file"))
    assert (answer.status, answer.length, answer.body) == (200, len(CONTENT), CONTENT)
    assert answer.etag.startswith('"')
    assert [row[1:2] + row[4:] for row in nginx.log] == [(200, "GET", "/file")]


def test_an_unchanged_file_is_not_sent_again(fetcher, nginx):
    etag = fetcher.fetch(nginx.url("file")).etag
    unchanged = fetcher.fetch(nginx.url("file"), etag=etag)
    assert (unchanged.status, unchanged.body) == (304, b"")
    nginx.put("file", b"another one")
    assert fetcher.fetch(nginx.url("file"), etag=etag).body == b"another one"


def test_no_tag_is_told_of_a_file_that_may_be_another_one_within_its_second(fetcher):
    now, before = b"Sun, 22 Nov 2026 18:51:05 GMT", b"Sun, 22 Nov 2026 18:51:04 GMT"
    for written, etag in ((now, None), (before, '"a"')):
        header = b"Date: " + now + b"\r\nLast-Modified: " + written + b'\r\nETag: "a"\r\nContent-Length: 1\r\n\r\n'
        with RawServer(says(OK + header + b"x")) as server:
            answer = fetcher.fetch(server.url("file"))
        assert (answer.status, answer.etag, answer.body) == (200, etag, b"x")


def test_the_connection_is_used_again(fetcher, nginx):
    for name in ("file", "nothing", "file"):
        fetcher.fetch(nginx.url(name))
    assert [row[1] for row in nginx.log] == [200, 404, 200]
    assert len({row[0] for row in nginx.log}) == 1


def test_a_file_goes_on_where_it_broke_off(fetcher, nginx):
    answer = fetcher.fetch(nginx.url("file"), offset=1000, most=len(CONTENT))
    assert (answer.status, answer.length, answer.body) == (206, len(CONTENT) - 1000, CONTENT[1000:])


def test_a_server_that_knows_no_parts_sends_all(fetcher, tmp_path, certificate):
    with Nginx(str(tmp_path / "n"), certificate, more="max_ranges 0;") as server:
        server.put("file", CONTENT)
        answer = fetcher.fetch(server.url("file"), offset=1000, most=len(CONTENT))
        assert (answer.status, answer.body) == (200, CONTENT)


def test_beyond_the_end_there_is_no_part(fetcher, nginx):
    answer = fetcher.fetch(nginx.url("file"), offset=len(CONTENT), most=len(CONTENT))
    assert (answer.status, answer.body, answer.code) == (416, b"", None)


def test_what_is_not_there_is_told_without_its_page(fetcher, nginx):
    answer = fetcher.fetch(nginx.url("nothing"))
    assert (answer.status, answer.body, answer.code) == (404, b"", None)


def test_a_long_page_of_what_is_not_there_is_left_unread(programs):
    missing = says_for_ever(b"HTTP/1.1 404 Not Found\r\n\r\n", b"x" * 65_536)
    with RawServer(missing) as server, in_the_clear(programs) as fetcher:
        answer = fetcher.fetch(server.url())
        assert (answer.status, answer.body, answer.code) == (404, b"", None)


def test_a_file_of_no_bytes_is_a_file(fetcher, nginx):
    nginx.put("empty", b"")
    answer = fetcher.fetch(nginx.url("empty"), most=0)
    assert (answer.status, answer.length, answer.body, answer.code) == (200, 0, b"", None)


def test_redirects_are_followed_three_times(programs, tmp_path):
    more = "".join(f"location = /{n} {{ return 302 /{n - 1}; }}" for n in range(1, 5)) + "location = /0 { return 301 /file; }"
    with Nginx(str(tmp_path), more=more) as server, in_the_clear(programs) as fetcher:
        server.put("file", CONTENT)
        assert fetcher.fetch(server.url("2")).body == CONTENT
        assert fetcher.fetch(server.url("3")).code == "redirect-refused"


def test_what_is_asked_says_little_and_the_path_is_left_as_it_is(programs):
    with RawServer(says(OK + b"Content-Length: 0\r\n\r\n")) as server, in_the_clear(programs, agent="tapstile/9") as fetcher:
        fetcher.fetch(server.url("a/../%2e%2e/./b?c"))
        lines = server.requests[0].split("\r\n")
        assert lines[:3] == ["GET /a/../%2e%2e/./b?c HTTP/1.1", f"Host: 127.0.0.1:{server.port}", "User-Agent: tapstile/9"]
        assert lines[3:] == ["", ""]


def test_what_is_packed_stays_packed(programs):
    packed = gzip.compress(CONTENT)
    answer = OK + b"Content-Encoding: gzip\r\nSet-Cookie: a=b\r\nContent-Length: %d\r\n\r\n" % len(packed) + packed
    with RawServer(says(answer)) as server, in_the_clear(programs) as fetcher:
        assert fetcher.fetch(server.url()).body == packed
        fetcher.fetch(server.url())
        assert "Cookie" not in server.requests[1]


# Who the server is


def test_a_server_of_another_authority_is_refused(programs, nginx, tmp_path):
    other = CertificateAuthority(str(tmp_path), "other")
    with in_the_clear(programs, authorities=other.file) as fetcher:
        assert fetcher.fetch(nginx.url("file")).code == "certificate-refused"
    with in_the_clear(programs) as fetcher:
        assert fetcher.fetch(nginx.url("file")).code == "certificate-refused"
    assert nginx.log == []


@pytest.mark.parametrize("names, days", [(("127.0.0.1",), (-30, -1)), (("127.0.0.1",), (1, 30)), (("127.0.0.2", "example.org"), (-1, 30))],
                         ids=["expired", "not yet good", "another host"])
def test_a_certificate_that_is_not_good_for_it_is_refused(fetcher, authority, tmp_path, names, days):
    with Nginx(str(tmp_path), authority.issue("bad", *names, days=days)) as server:
        assert fetcher.fetch(server.url("file")).code == "certificate-refused"


def test_a_server_that_has_no_tls_is_not_connected(fetcher, tmp_path):
    with Nginx(str(tmp_path)) as server:
        assert fetcher.fetch(server.url("file").replace("http:", "https:")).code == "connect-failed"


def test_a_name_is_held_against_the_certificate(fetcher, nginx):
    assert fetcher.fetch(nginx.url("file", host="localhost")).body == CONTENT


def test_authorities_that_cannot_be_read_are_named(programs, nginx, tmp_path):
    with in_the_clear(programs, authorities=str(tmp_path / "nothing.pem")) as fetcher:
        answer = fetcher.fetch(nginx.url("file"))
        assert answer.code == "certificate-unusable" and "nothing.pem" in answer.detail


# Who we are


def test_a_server_that_wants_a_certificate_gets_ours(programs, authority, certificate, tmp_path):
    ours = authority.issue("gate")
    more = f"ssl_verify_client on; ssl_client_certificate {authority.file};"
    with Nginx(str(tmp_path), certificate, more=more) as server:
        server.put("file", CONTENT)
        with in_the_clear(programs, authorities=authority.file, certificate=ours[0], key=ours[1]) as fetcher:
            assert fetcher.fetch(server.url("file")).body == CONTENT
        with in_the_clear(programs, authorities=authority.file) as fetcher:
            assert fetcher.fetch(server.url("file")).status == 400


def test_a_server_that_hangs_up_without_one_is_told_of(programs, authority, certificate, tmp_path):
    stranger = CertificateAuthority(str(tmp_path), "stranger").issue("gate")
    context = context_wanting_a_certificate(certificate, authority.file)
    with RawServer(says(OK + b"\r\n"), context) as server:
        with in_the_clear(programs, authorities=authority.file) as fetcher:
            assert fetcher.fetch(server.url(scheme="https")).code == "client-certificate-refused"
        with in_the_clear(programs, authorities=authority.file, certificate=stranger[0], key=stranger[1]) as fetcher:
            assert fetcher.fetch(server.url(scheme="https")).code == "client-certificate-refused"


def test_a_certificate_that_cannot_be_used_is_named(programs, authority, nginx):
    ours, other = authority.issue("one"), authority.issue("two")
    for certificate, key in [("/nothing.pem", ours[1]), (ours[0], "/nothing.key"), (ours[0], other[1])]:
        with in_the_clear(programs, authorities=authority.file, certificate=certificate, key=key) as fetcher:
            assert fetcher.fetch(nginx.url("file")).code == "certificate-unusable"


# The way there


def test_a_server_that_is_away_is_not_connected(fetcher, nginx):
    assert fetcher.fetch(f"https://127.0.0.1:{free_port()}/file").code == "connect-failed"
    nginx.kill()
    assert fetcher.fetch(nginx.url("file")).code == "connect-failed"
    nginx.start()
    assert fetcher.fetch(nginx.url("file")).body == CONTENT


def test_a_name_that_nobody_has_is_not_found(fetcher):
    assert fetcher.fetch("https://nowhere.invalid/file").code == "name-not-found"


def test_a_proxy_carries_what_it_cannot_read(programs, authority, nginx):
    with RawServer(tunnel) as proxy, in_the_clear(programs, authorities=authority.file, proxy=proxy.url()) as fetcher:
        assert fetcher.fetch(nginx.url("file")).body == CONTENT
        assert proxy.requests[0].startswith(f"CONNECT 127.0.0.1:{nginx.port} ")


def test_a_host_that_needs_no_proxy_is_asked_without(programs, authority, nginx):
    proxy = f"http://127.0.0.1:{free_port()}"
    with in_the_clear(programs, authorities=authority.file, proxy=proxy, no_proxy="example.org,127.0.0.1") as fetcher:
        assert fetcher.fetch(nginx.url("file")).body == CONTENT


def test_a_proxy_that_does_not_let_through_is_told_of(programs, authority, nginx):
    with RawServer(says(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")) as proxy:
        for url in (proxy.url(), f"http://127.0.0.1:{free_port()}", "http://nowhere.invalid:1"):
            with in_the_clear(programs, authorities=authority.file, proxy=url) as fetcher:
                assert fetcher.fetch(nginx.url("file")).code == "proxy-failed"
    assert nginx.log == []


def test_the_environment_names_no_proxy(authority, nginx):
    nobody = f"http://127.0.0.1:{free_port()}"
    names = ("http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
    programs = Programs(os.environ["TAPSTILE_BIN"], dict.fromkeys(names, nobody))
    with in_the_clear(programs, authorities=authority.file) as fetcher:
        assert fetcher.fetch(nginx.url("file")).body == CONTENT


@pytest.mark.parametrize("place", ["http://127.0.0.1:{port}/file", "file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1:{port}/"])
def test_no_redirect_leads_away_from_tls(fetcher, certificate, tmp_path, place):
    with Nginx(str(tmp_path / "clear")) as clear:
        clear.put("file", CONTENT)
        with Nginx(str(tmp_path / "n"), certificate, more=f"location = /away {{ return 302 {place.format(port=clear.port)}; }}") as server:
            answer = fetcher.fetch(server.url("away"))
            assert (answer.code, answer.body) == ("redirect-refused", b"")
        assert clear.log == []


def test_a_redirect_may_lead_to_tls(fetcher, nginx, tmp_path):
    with Nginx(str(tmp_path / "clear"), more=f"location = /there {{ return 302 {nginx.url('file')}; }}") as clear:
        assert fetcher.fetch(clear.url("there")).body == CONTENT


def test_no_address_with_a_password_in_it_is_asked(fetcher, nginx):
    assert fetcher.fetch(nginx.url("file").replace("//", "//anna:secret@")).code == "address-refused"
    assert nginx.log == []


# Too much, too slow, too little


def test_no_byte_more_than_was_asked_for_is_handed_on(programs):
    endless = says_for_ever(OK + b"\r\n", b"x" * 50_000)
    chunked = says_for_ever(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"2710\r\n" + b"x" * 10_000 + b"\r\n")
    for answers in (endless, chunked):
        with RawServer(answers) as server, in_the_clear(programs) as fetcher:
            answer = fetcher.fetch(server.url(), most=123_456)
            assert answer.code == "too-many-bytes" and len(answer.body) <= 123_456


def test_what_announces_too_much_is_not_begun(fetcher, nginx):
    answer = fetcher.fetch(nginx.url("file"), most=len(CONTENT) - 1)
    assert (answer.code, answer.body) == ("too-many-bytes", b"")
    assert fetcher.fetch(nginx.url("file"), most=len(CONTENT)).body == CONTENT


def test_a_part_is_counted_with_what_is_there_already(programs):
    head = b"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 90-200/201\r\n\r\n"
    with RawServer(says(head + b"x" * 11)) as server, in_the_clear(programs) as fetcher:
        assert fetcher.fetch(server.url(), offset=90, most=100).code == "too-many-bytes"
        assert fetcher.fetch(server.url(), offset=90, most=101).body == b"x" * 11


@pytest.mark.parametrize("bomb", [
    says_for_ever(OK, b"X-More: and more\r\n"), says_for_ever(OK + b"X-More: ", b"and more"),
    says_for_ever(b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
    says_for_ever(OK + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"X-More: and more\r\n")
], ids=["lines", "one line", "hints", "trailers"])
def test_a_header_without_end_is_not_read_to_its_end(programs, bomb):
    with RawServer(bomb) as server, in_the_clear(programs) as fetcher:
        answer = fetcher.fetch(server.url())
        assert answer.code in ("answer-malformed", "connection-lost") and answer.body == b""


@pytest.mark.parametrize("nonsense", [b"SSH-2.0-OpenSSH_9.2\r\n", b"\x00" * 100, b"HTTP/1.1 99 What\r\n\r\n", b"HTTP/1.1 777 What\r\n\r\n", b""])
def test_what_is_no_answer_is_none(programs, nonsense):
    with RawServer(says(nonsense)) as server, in_the_clear(programs) as fetcher:
        answer = fetcher.fetch(server.url())
        assert answer.code in ("answer-malformed", "connection-lost", "fetch-failed") and answer.status is None


@pytest.mark.parametrize("head", [b"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-9/10\r\n", b"HTTP/1.1 304 Not Modified\r\n"])
def test_nobody_answers_what_was_not_asked(programs, head):
    with RawServer(says(head + b"Content-Length: 10\r\n\r\n0123456789")) as server, in_the_clear(programs) as fetcher:
        assert fetcher.fetch(server.url()).code == "answer-malformed"


def test_another_part_than_was_asked_for_is_refused(programs):
    for part in (b"Content-Range: bytes 5-9/10\r\n", b""):
        head = b"HTTP/1.1 206 Partial Content\r\n" + part + b"Content-Length: 5\r\n\r\n"
        with RawServer(says(head + b"56789")) as server, in_the_clear(programs) as fetcher:
            assert fetcher.fetch(server.url(), offset=4).code == "answer-malformed"


def test_a_file_that_breaks_off_is_not_whole(programs):
    with RawServer(says(OK + b"Content-Length: 100\r\n\r\n" + b"x" * 60)) as server, in_the_clear(programs) as fetcher:
        answer = fetcher.fetch(server.url())
        assert (answer.code, answer.length, answer.body) == ("connection-lost", 100, b"x" * 60)


def test_a_server_that_is_killed_in_the_middle_loses_the_rest(fetcher, tmp_path, certificate):
    with Nginx(str(tmp_path), certificate, more="limit_rate 10000;") as server:
        server.put("file", CONTENT)
        fetcher.ask(server.url("file"), most=len(CONTENT))
        fetcher.wait_for(BYTES)
        server.kill()
        assert b"connection-lost" in fetcher.wait_past(BYTES, BEAT)[1]


def test_a_server_that_is_too_slow_is_given_up(fetcher, tmp_path, certificate):
    with Nginx(str(tmp_path), certificate, more="limit_rate 500;") as server:
        server.put("file", CONTENT)
        answer = fetcher.fetch(server.url("file"), rate=100_000, window=1000)
        assert answer.code == "too-slow" and CONTENT.startswith(answer.body)
        assert fetcher.fetch(server.url("file"), milliseconds=1500).code == "time-over"


def test_a_server_that_says_nothing_is_too_slow_or_late(programs):
    with RawServer(stalls()) as server, in_the_clear(programs) as fetcher:
        assert fetcher.fetch(server.url(), rate=1, window=1000).code == "too-slow"
        assert fetcher.fetch(server.url(), milliseconds=200).code == "time-over"


def test_redirects_share_the_time_of_one_file(programs):
    with RawServer(lambda connection, request: connection.sendall(f"HTTP/1.1 302 Found\r\nLocation: {request.split()[1]}x\r\n\r\n".encode())) as server:
        with in_the_clear(programs) as fetcher:
            assert fetcher.fetch(server.url("a")).code == "redirect-refused"
            assert len(server.requests) == 4


# Whoever asks


def test_it_lives_while_a_server_does_not(programs):
    with RawServer(stalls(OK + b"Content-Length: 2\r\n\r\nx")) as server, in_the_clear(programs) as fetcher:
        fetcher.ask(server.url())
        for _ in range(3):
            fetcher.wait_for(BEAT)


def test_what_is_called_off_ends_and_the_next_one_comes(programs, nginx, authority):
    with RawServer(stalls(OK + b"\r\nx")) as server, in_the_clear(programs, authorities=authority.file) as fetcher:
        fetcher.send(CANCEL)
        fetcher.ask(server.url())
        fetcher.wait_for(BYTES)
        fetcher.send(CANCEL)
        assert b"fetch-cancelled" in fetcher.wait_past(BEAT)[1]
        assert fetcher.fetch(nginx.url("file")).body == CONTENT


def test_who_does_not_read_stops_the_server_and_no_memory_is_filled(programs):
    sent = 0

    def flood(connection, _):
        nonlocal sent
        connection.sendall(OK + b"\r\n")
        while True:
            sent += connection.send(b"x" * 65_536)

    with RawServer(flood) as server, in_the_clear(programs) as fetcher:
        fetcher.ask(server.url(), most=1 << 40)
        fetcher.wait_for(BYTES)

        def takes_nothing():
            """For so long that it is no accident."""
            before = sent
            time.sleep(0.3)
            return sent == before

        wait_until("the server to be stopped", takes_nothing, pause=0, instead=lambda: f"it has sent {sent} bytes")
        before = sent
        with open(f"/proc/{fetcher.process.pid}/status", encoding="ascii") as status:
            resident = next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))
        assert resident < 40_000
        # Whoever reads again gets more.
        wait_until("the server to go on", lambda: fetcher.next_frame() and sent != before, pause=0)


def test_it_ends_with_whoever_asked(programs):
    with RawServer(stalls(OK + b"\r\nx")) as server, in_the_clear(programs) as fetcher:
        fetcher.ask(server.url())
        fetcher.wait_for(BYTES)
        fetcher.process.stdin.close()
        assert ended(fetcher.process) == 0


@pytest.mark.parametrize("orders", [
    [frame(FETCH, {1: "http://a/", 2: 1, 3: 1, 4: 0})], [frame(SET_UP, {6: "a"})] * 2, [frame(SET_UP, {6: "a"}), frame(BEAT)], [b"GET / HTTP/1.1\r\n"],
    [frame(SET_UP, {6: "a", 9: "b"})], [frame(SET_UP, {6: "a"}), frame(FETCH, {1: "file:///etc/passwd", 2: 1, 3: 1, 4: 0})]
], ids=["no set-up", "two set-ups", "a report", "no frame", "an unknown field", "no address"])
def test_who_does_not_keep_to_the_protocol_is_hung_up_on(programs, orders):
    with Fetcher.child(programs) as fetcher:
        for order in orders:
            fetcher.send_raw(order)
        status, said = fetcher.ends()
        assert status == 1 and said.startswith("tapstile-net: fetcher-protocol: ")


def test_two_files_at_once_are_not_asked_for(programs):
    with RawServer(stalls()) as server, in_the_clear(programs) as fetcher:
        fetcher.ask(server.url())
        fetcher.ask(server.url())
        assert fetcher.ends()[0] == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it(programs, number):
    with in_the_clear(programs) as fetcher:
        fetcher.wait_for(BEAT)
        fetcher.process.send_signal(number)
        assert fetcher.ends()[0] == 0


def test_a_socket_is_served_one_connection_after_the_other(programs, folder, nginx, authority):
    path = os.path.join(folder, "fetch.sock")
    listed = configuration(folder, nginx.url(""), f'ca-file = "{authority.file}"', 'local-addresses = ["127.0.0.1"]')
    keeper = programs.start("tapstile-net", "fetch", "--listen", path, "--config", listed)
    try:
        wait_until("the socket", lambda: os.path.exists(path) or keeper.poll() is not None)
        assert keeper.poll() is None
        assert os.stat(path).st_mode & 0o777 == 0o600
        for _ in range(2):
            with Fetcher.at(path) as fetcher:
                assert fetcher.set_up().fetch(nginx.url("file")).body == CONTENT
    finally:
        end(keeper)


def test_without_anybody_it_says_what_to_do(programs):
    leader, follower = os.openpty()
    try:
        run = programs.run("tapstile-net", "fetch", status=1, stdin=follower)
        assert run.stderr.startswith("tapstile-net: net-no-connection: ")
    finally:
        os.close(leader)
        os.close(follower)
