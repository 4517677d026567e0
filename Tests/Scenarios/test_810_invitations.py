"""The server of invitations over TLS, before visitors, scanners, guessers and whoever sends what no browser would."""

import contextlib
import http.client
import json
import os
import re
import signal
import socket
import sqlite3
import ssl
import sys
import threading
import urllib.parse

import pytest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Judges"))

from invitation_client import Phone, Refused, text  # noqa: E402
from network.nginx import free_port  # noqa: E402
from network.visitors import Visitors  # noqa: E402
from patience import PATIENCE, joined, wait_until  # noqa: E402
from processes import kill  # noqa: E402

PASSWORD = "correct horse battery"


class Served(Visitors):
    """With a page for visitors, and one for operators at another port."""

    def __init__(self, programs, folder, site, gates):
        super().__init__(programs, folder, site, gates)
        self.operator_port = free_port()
        self.operator_origin = f"https://localhost:{self.operator_port}"
        pages = os.path.join(folder, "pages")
        os.makedirs(pages)
        for name, content in (("index.html", "<!DOCTYPE html><title>page</title>"), ("page.js", "1"), (".hidden.js", "2")):
            with open(os.path.join(pages, name), "w", encoding="utf-8") as file:
                file.write(content)
        path = os.path.join(self.desk, "settings.toml")
        with open(path, encoding="utf-8") as file:
            settings = re.sub(r"^pages = .*\n", "", file.read(), flags=re.MULTILINE)
        files = "".join(re.findall(r"^(?:certificate|key) = .*\n", settings, re.MULTILINE))
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'pages = {json.dumps(pages)}\n{settings}\n[operator]\nurl = "{self.operator_origin}"\nlisten = "127.0.0.1:{self.operator_port}"\n{files}')

    @property
    def ports(self):
        return [self.port, self.operator_port]

    @property
    def pid(self):
        return self._process.pid

    def kill(self):
        kill(self._process)

    @property
    def resident_kilobytes(self):
        with open(f"/proc/{self.pid}/status", encoding="ascii") as file:
            return int(re.search(r"^VmRSS:\s+(\d+)", file.read(), re.MULTILINE).group(1))

    def connect(self, port=None):
        """A TLS connection."""
        context = ssl.create_default_context(cafile=self.ca)
        return context.wrap_socket(socket.create_connection(("127.0.0.1", port or self.port), PATIENCE), server_hostname="localhost")

    def ask_raw(self, head, body=b"", port=None):
        """What is answered to bytes as they are, until the server closes."""
        with contextlib.closing(self.connect(port)) as connection:
            connection.sendall(head.encode() + b"\r\nHost: localhost\r\nConnection: close\r\n\r\n" + body)
            return until_closed(connection).decode()

    def web(self, method, path, body=None, port=None, **headers):
        """Status, headers and text of an answer."""
        connection = http.client.HTTPSConnection("localhost", port or self.port, timeout=PATIENCE, context=ssl.create_default_context(cafile=self.ca))
        with contextlib.closing(connection):
            connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read().decode()

    def form(self, path, cookie=None, origin=None, site="same-origin", **fields):
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Origin": origin or self.operator_origin, "Sec-Fetch-Site": site}
        if cookie:
            headers["Cookie"] = cookie
        return self.web("POST", path, urllib.parse.urlencode({name.replace("_", "-"): value for name, value in fields.items()}), self.operator_port, **headers)


def until_closed(connection):
    received = b""
    with contextlib.suppress(ConnectionError, ssl.SSLError):
        while piece := connection.recv(65536):
            received += piece
    return received


@pytest.fixture
def server(programs, tmp_path):
    office = tmp_path / "office"
    programs.json("tapstile-authority", "init", "--site", "north", "--dir", office)
    programs.json("tapstile-authority", "gate", "--name", "gates", "--dir", office)
    server = Served(programs, str(tmp_path / "visitors"), "north", str(office / "gates.phone"))
    programs.run("tapstile-authority", "serve", "operator", "--name", "grace", "--dir", server.desk, input=PASSWORD + "\n")
    with server:
        yield server


def code_of(act, *arguments):
    with pytest.raises(Refused) as refused:
        act(*arguments)
    return refused.value.code


def post(server, name, body):
    status, _, answer = server.web("POST", f"/visit/api/1/{name}", json.dumps(body), Content_Type="application/json")
    return status, json.loads(answer)


# The way it should be


def test_somebody_is_invited_redeems_and_renews(server, programs):
    told = programs.run("tapstile-authority", "invite", "--subject", "Ada", "--lane", "hall/entry", "--valid", "2d", "--dir", server.desk)
    link = told.stdout.splitlines()[-1]
    assert link.startswith(f"{server.origin}/visit/#") and "█" in told.stdout
    assert "#" not in told.stderr
    phone = Phone(server.ca)
    first = phone.redeem(link)
    assert (first["site"], first["subject"], first["userVerified"]) == ("north", "Ada", False)
    assert phone.renew()["subject"] == "Ada"
    (listed,) = [json.loads(line) for line in
                 programs.run("tapstile-authority", "invite", "--list", "--json", "--dir", server.desk).stdout.splitlines()]
    assert (listed["state"], listed["audience"]) == ("redeemed", ["tapstile:north/hall/entry"])
    assert link.partition("#")[2] not in server.said + json.dumps(listed)


def test_a_link_is_a_picture_a_drawing_and_a_mail(server, programs, tmp_path):
    picture, drawing = tmp_path / "link.png", tmp_path / "link.svg"
    server.invite("Ada", "--png", str(picture), "--svg", str(drawing))
    assert picture.read_bytes().startswith(b"\x89PNG\r\n\x1a\n") and drawing.read_text().startswith("<svg ")
    assert picture.stat().st_mode & 0o777 == drawing.stat().st_mode & 0o777 == 0o600
    mail = programs.run("tapstile-authority", "invite", "--subject", "Ada", "--valid", "1d", "--mail", "--dir", server.desk).stdout
    assert mail.count(f"{server.origin}/visit/#") == 2 and "eingeladen" in mail and "Ada" not in mail


def test_a_list_is_invited_whole_or_not_at_all(server, programs, tmp_path):
    people = tmp_path / "people.csv"
    people.write_text("subject,places,note\nAda,hall/entry;yard,meets Grace\nCharles,,\n")
    told = programs.run("tapstile-authority", "invite", "--from", people, "--valid", "1d", "--json", "--dir", server.desk).stdout
    assert [json.loads(line)["subject"] for line in told.splitlines()] == ["Ada", "Charles"]
    people.write_text("subject,places\nEve,hall\nMallory,a/b/c/d\n")
    failed = programs.run("tapstile-authority", "invite", "--from", people, "--valid", "1d", "--dir", server.desk, status=1)
    assert failed.stdout == "" and f"{people}:3:" in failed.stderr
    listed = programs.run("tapstile-authority", "invite", "--list", "--json", "--dir", server.desk).stdout
    assert [json.loads(line)["subject"] for line in listed.splitlines()] == ["Charles", "Ada"]
    people.write_text("subject\nAda\nCharles\n")
    mails = programs.run("tapstile-authority", "invite", "--from", people, "--valid", "1d", "--mail", "--dir", server.desk).stdout
    assert [line for line in mails.splitlines() if line.startswith("#")] == ["# Ada", "# Charles"], "it says whose each is"


# Scanners and strangers


def test_a_scanner_that_opens_the_link_uses_nothing(server):
    link = server.invite("Ada")["link"]
    code = link.partition("#")[2]
    for method in ("GET", "HEAD"):
        assert server.web(method, "/visit/")[0] == 200
        assert server.web(method, "/visit/api/1/redeem")[0] == 405
    for _ in range(20):
        assert post(server, "begin", {"code": code})[0] == 200
    assert Phone(server.ca).redeem(link)["subject"] == "Ada"


@pytest.mark.parametrize("path", ["/visit/../../etc/passwd", "/visit/%2e%2e/desk/issuer.key", "/visit/.hidden.js", "//etc/passwd", "/visit/..%2fsettings.toml", "/"])
def test_no_path_leads_out_of_the_page(server, path):
    assert server.ask_raw(f"GET {path} HTTP/1.1").startswith("HTTP/1.1 404 ")


def test_bytes_in_a_request_become_no_header(server):
    for head in ("GET /visit/%0d%0aX-Evil:%201 HTTP/1.1", "GET /visit/?a=%0d%0aX-Evil:%201 HTTP/1.1", "GET /visit HTTP/1.1\r\nX-Forwarded-Host: a%0d%0aX-Evil: 1"):
        assert "\nx-evil" not in server.ask_raw(head).lower()


def test_a_body_that_is_too_long_is_refused_before_it_is_sent(server):
    answer = server.ask_raw("POST /visit/api/1/begin HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 16385")
    assert answer.startswith("HTTP/1.1 413 ") and '"too-long"' in answer
    assert server.ask_raw("POST /visit/api/1/begin HTTP/1.1\r\nTransfer-Encoding: chunked").startswith("HTTP/1.1 411 ")
    assert server.web("POST", "/visit/api/1/nonce", "{}", Content_Type="text/plain")[0] == 415
    assert server.web("DELETE", "/visit/")[0] == 405


def test_each_answer_forbids_frames_scripts_of_others_and_sniffing(server):
    for port, path in ((server.port, "/visit/"), (server.port, "/none"), (server.port, "/visit/page.js"), (server.operator_port, "/"), (server.operator_port, "/none")):
        _, headers, _ = server.web("GET", path, port=port)
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "base-uri 'none'" in policy and "unsafe" not in policy
        assert (headers["X-Content-Type-Options"], headers["X-Frame-Options"]) == ("nosniff", "DENY")
        assert headers["Strict-Transport-Security"].startswith("max-age=") and "bluetooth=" in headers["Permissions-Policy"]
    assert server.web("GET", "/visit/")[1]["Referrer-Policy"] == "no-referrer"


def test_who_guesses_codes_waits_and_somebody_else_behind_the_same_address_gets_in(server):
    link = server.invite("Ada")["link"]
    answers = [post(server, "begin", {"code": text(os.urandom(16))}) for _ in range(40)]
    assert {status for status, _ in answers} == {404, 429}
    assert answers[-1][1]["error"]["code"] == "too-many" and answers[-1][1]["error"]["retryAfter"] > 0
    assert Phone(server.ca).redeem(link)["subject"] == "Ada"


def test_a_thousand_connections_and_slow_clients_keep_nobody_out(server):
    """Most say nothing, some send a byte now and then; all are ended, and a phone gets its token."""
    link = server.invite("Ada")["link"]
    crowd = []
    for number in range(1000):
        client = socket.socket()
        client.settimeout(PATIENCE)
        client.bind((f"127.0.1.{1 + number % 200}", 0))
        with contextlib.suppress(OSError):
            client.connect(("127.0.0.1", server.port))
        crowd.append(client)
    phone, told, is_over = Phone(server.ca), [], threading.Event()
    asking = threading.Thread(target=lambda: told.append(redeemed(phone, link)))
    dribbling = threading.Thread(target=dribble, args=(crowd[:50], is_over))
    for thread in (asking, dribbling):
        thread.start()
    joined(asking, 4 * PATIENCE)
    is_over.set()
    joined(dribbling)
    assert told[0]["subject"] == "Ada"
    assert server.resident_kilobytes <= 48 * 1024
    for client in crowd[:50]:
        until_closed(client)
    for client in crowd:
        client.close()
    assert Phone(server.ca).redeem(server.invite("Grace")["link"])["subject"] == "Grace"


def redeemed(phone, link):
    """Until it works: a phone asks again when it was not answered."""
    def tried():
        try:
            return phone.redeem(link)
        except (OSError, http.client.HTTPException, json.JSONDecodeError):
            # Nobody there, or half an answer.
            return None
        except Refused as refused:
            assert refused.status == 503, refused
            return None
    return wait_until("the phone is answered", tried, 3 * PATIENCE)


def dribble(clients, is_over):
    """A byte of a handshake that never ends, now and then."""
    while not is_over.wait(0.5):
        for client in clients:
            with contextlib.suppress(OSError):
                client.send(b"\x16")


# One code, one key


def test_of_fifty_that_race_for_a_link_one_has_it(server):
    link = server.invite("Ada")["link"]
    results = []
    start = threading.Barrier(50)

    def race():
        phone = Phone(server.ca)
        nonce = phone.begin(link)["nonce"]
        start.wait(PATIENCE)
        try:
            results.append(phone.redeem(link, nonce)["subject"])
        except Refused as refused:
            results.append(refused.code)

    racers = [threading.Thread(target=race) for _ in range(50)]
    for racer in racers:
        racer.start()
    for racer in racers:
        joined(racer)
    # So many failures at once are more than one address may have.
    assert set(results) <= {"Ada", "code-used", "too-many"} and results.count("Ada") == 1 and len(results) == 50


def test_while_the_database_is_away_phones_are_told_so_and_nothing_is_lost(server):
    link, phone = server.invite("Ada")["link"], Phone(server.ca)
    held = sqlite3.connect(os.path.join(server.desk, "invitations.db"), isolation_level=None)
    with contextlib.closing(held):
        held.execute("BEGIN IMMEDIATE")
        with pytest.raises(Refused) as refused:
            phone.redeem(link)
        assert (refused.value.code, refused.value.status) == ("database-away", 503) and refused.value.retry_after > 0
        held.execute("ROLLBACK")
    assert phone.redeem(link)["subject"] == "Ada"


def test_killed_again_and_again_each_code_has_one_key_and_each_phone_what_it_was_told(server):
    links = [server.invite(f"visitor {number}")["link"] for number in range(60)]
    told, kills = {}, 20
    is_over = threading.Event()

    def visit():
        for link in links:
            phone = Phone(server.ca)
            told[link] = (phone, redeemed(phone, link)["token"])
        is_over.set()

    visiting = threading.Thread(target=visit)
    visiting.start()
    for number in range(kills):
        is_over.wait(0.02 * (number % 7))
        server.kill()
        server.start()
    joined(visiting, 6 * PATIENCE)
    assert len(told) == len(links)
    for link, (phone, token) in told.items():
        # Within ten minutes the same again, byte for byte; for another key nothing.
        assert phone.redeem(link)["token"] == token
        assert code_of(Phone(server.ca).redeem, link) in ("code-used", "too-many")
    server.kill()
    with contextlib.closing(sqlite3.connect(os.path.join(server.desk, "invitations.db"))) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert database.execute("SELECT count(*), count(DISTINCT thumbprint) FROM access").fetchone() == (len(links), len(links))
    server.start()


# Certificates, and the end


def test_a_renewed_certificate_is_taken_while_somebody_is_connected(server):
    before = server.connect()
    certificate, key = (re.search(rf'^{name} = "(.*)"', open(os.path.join(server.desk, "settings.toml"), encoding="utf-8").read(), re.MULTILINE).group(1)
                        for name in ("certificate", "key"))
    with open(certificate, "rb") as file:
        good = file.read()
    with open(certificate, "wb") as file:
        file.write(b"no certificate")
    os.kill(server.pid, signal.SIGHUP)
    wait_until("it says what is wrong", lambda: "certificate-unusable" in server.said)
    assert server.web("GET", "/visit/")[0] == 200, "what was good goes on"
    assert os.path.exists(key)
    with open(certificate, "wb") as file:
        file.write(good)
    os.kill(server.pid, signal.SIGHUP)
    wait_until("it has read them again", lambda: "were read again" in server.said)
    assert server.web("GET", "/visit/")[0] == 200
    before.close()
    assert server.stop() == 0
    server.start()


# Operators


def signed_in(server):
    status, headers, _ = server.form("/sign-in", name="grace", password=PASSWORD)
    assert status == 303
    cookie = headers["Set-Cookie"]
    assert cookie.startswith("__Host-tapstile=") and all(f"; {word}" in cookie for word in ("Secure", "HttpOnly", "SameSite=Strict", "Path=/"))
    return cookie.partition(";")[0]


def form_token(server, cookie):
    return re.search(r'name="form-token" value="([^"]+)"', server.web("GET", "/invite", port=server.operator_port, Cookie=cookie)[2]).group(1)


def test_an_operator_invites_and_revokes_in_the_browser(server):
    cookie = signed_in(server)
    token = form_token(server, cookie)
    status, _, page = server.form("/invite", cookie, form_token=token, subject="<b>Ada</b>", places="hall/entry", days="2", open_days="7")
    assert status == 200 and "<svg " in page and "&lt;b&gt;Ada&lt;/b&gt;" in page and "<script" not in page
    link = re.search(rf"{re.escape(server.origin)}/visit/#[A-Za-z0-9_-]{{22}}", page).group(0)
    phone = Phone(server.ca)
    phone.redeem(link)
    assert "<b>Ada" not in server.web("GET", "/", port=server.operator_port, Cookie=cookie)[2]
    assert server.form("/change", cookie, form_token=token, id="1", change="revoke")[0] == 303
    assert code_of(phone.renew) == "revoked"
    log = server.web("GET", "/log", port=server.operator_port, Cookie=cookie)[2]
    assert all(word in log for word in ("invited", "redeemed", "revoked", "grace"))


def test_another_page_acts_for_no_operator(server):
    cookie = signed_in(server)
    token = form_token(server, cookie)
    server.invite("Ada")
    for origin, site in (("https://evil.example", "cross-site"), (server.origin, "same-site"), ("null", "same-origin")):
        assert server.form("/change", cookie, origin, site, form_token=token, id="1", change="withdraw")[0] == 403
    assert server.form("/change", cookie, form_token="", id="1", change="withdraw")[0] == 403
    assert server.form("/change", form_token=token, id="1", change="withdraw")[0] == 403
    (listed,) = server.programs.run("tapstile-authority", "invite", "--list", "--json", "--dir", server.desk).stdout.splitlines()
    assert json.loads(listed)["state"] == "open"


def test_passwords_are_tried_slowly(server):
    statuses = [server.form("/sign-in", name="grace", password="wrong horse battery")[0] for _ in range(7)]
    assert statuses == [403] * 5 + [429] * 2
