"""The reference phone, and the client made of the documents, are invited by a server made of the documents.

TAPSTILE_BIN is the folder of the built programs.
"""

import json
import os
import random
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

import invitation_client
from invitation_client import Refused
from invitation_server import InvitationServer, data, encoded, text
from network.certificates import CertificateAuthority
from patience import PATIENCE
from processes import heard, kill, run

SEED = int(os.environ.get("TAPSTILE_SEED", "815"))


@pytest.fixture
def authority(tmp_path):
    return CertificateAuthority(tmp_path)


@pytest.fixture
def server(authority):
    with InvitationServer(*authority.issue("visitors", "localhost")) as server:
        yield server


class Wallet:
    """A folder, and the real program that keeps it."""

    def __init__(self, folder, ca):
        self.folder, self.ca = str(folder), ca

    def command(self, name, *arguments):
        ca = ["--ca", self.ca] if name in ("redeem", "renew") and self.ca else []
        return [os.path.join(os.environ["TAPSTILE_BIN"], "tapstile-phone"), name, *map(str, arguments), *ca, "--keys", self.folder, "--json"]

    def run(self, *arguments, status=0, **options):
        done = run(self.command(*arguments), text=True, capture_output=True, **options)
        assert done.returncode == status, (done.returncode, done.stdout, done.stderr)
        return done

    def told(self, *arguments, **options):
        """The objects that it writes, one a line."""
        return [json.loads(line) for line in self.run(*arguments, **options).stdout.splitlines()]

    def error(self, *arguments, status=1):
        return json.loads(self.run(*arguments, status=status).stderr.splitlines()[-1])["error"]

    def files(self):
        """All that is in it, byte for byte."""
        found = {}
        for path, _, names in os.walk(self.folder):
            for name in names:
                with open(os.path.join(path, name), "rb") as file:
                    found[os.path.relpath(os.path.join(path, name), self.folder)] = file.read()
        return found

    def one(self):
        """What the files of its one access are called, and hold."""
        return {os.path.basename(name): content for name, content in self.files().items()}


@pytest.fixture
def wallet(tmp_path, authority):
    return Wallet(tmp_path / "wallet" / "phone", authority.file)


# The way it should be


def test_a_link_becomes_what_opens_gates(server, wallet):
    link = server.invite("anna")
    (told,) = wallet.told("redeem", link)
    assert (told["result"], told["state"], told["site"], told["subject"]) == ("received", "valid", "north", "anna")
    assert told["url"] == server.origin + "/visit" and told["messages"] == server.messages
    files = wallet.one()
    assert set(files) == {"key", "token", "gates.phone", "access.json"}
    assert files["token"] == data(server.of(link).answer["token"]) and files["gates.phone"] == server.gates
    for path, _, names in os.walk(wallet.folder):
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o700
        assert all(stat.S_IMODE(os.stat(os.path.join(path, name)).st_mode) == 0o600 for name in names)
    assert server.requests == ["begin", "redeem"] and not server.flaws


def test_nothing_that_is_kept_or_said_has_the_code(server, wallet):
    link = server.invite("anna")
    code = link.partition("#")[2]
    done = wallet.run("redeem", link)
    again = wallet.run("redeem", link)
    listed = wallet.run("list")
    said = "".join(each.stdout + each.stderr for each in (done, again, listed))
    server.tamper = lambda name, answer: {}
    other = server.invite("ben")
    failed = wallet.run("redeem", other, status=1)
    assert code not in said and other.partition("#")[2] not in failed.stdout + failed.stderr
    assert not [name for name, content in wallet.files().items() if code.encode() in content]


def test_a_link_may_come_from_the_standard_input_where_no_other_user_sees_it(server, wallet):
    (told,) = wallet.told("redeem", "-", input=server.invite("anna") + "\n")
    assert told["result"] == "received"


def test_the_usual_wallet_is_where_the_desktop_keeps_data(server, authority, tmp_path):
    program = os.path.join(os.environ["TAPSTILE_BIN"], "tapstile-phone")
    for names, place in (({"XDG_DATA_HOME": tmp_path / "data"}, "data/tapstile-phone"), ({"HOME": tmp_path / "home"}, "home/.local/share/tapstile-phone"),
                         ({"XDG_DATA_HOME": "relative", "HOME": tmp_path / "other"}, "other/.local/share/tapstile-phone")):
        environment = {**{name: value for name, value in os.environ.items() if name not in ("XDG_DATA_HOME", "HOME")}, **names}
        run([program, "redeem", server.invite("anna"), "--ca", authority.file], env=environment, check=True, capture_output=True)
        assert len(os.listdir(tmp_path / place)) == 1
    bare = {name: value for name, value in os.environ.items() if name not in ("XDG_DATA_HOME", "HOME")}
    done = run([program, "list", "--json"], env=bare, capture_output=True, text=True)
    assert json.loads(done.stderr)["error"]["code"] == "wallet-place-unknown"


def test_a_second_redeeming_asks_nobody(server, wallet):
    link = server.invite("anna")
    wallet.run("redeem", link)
    before, asked = wallet.files(), list(server.requests)
    assert wallet.told("redeem", link)[0]["result"] == "kept"
    assert wallet.files() == before and server.requests == asked


def test_a_key_of_ones_own_is_used_and_never_another(server, wallet, tmp_path):
    for name in ("anna", "ben"):
        run([*wallet.command("key")[:1], "key", "--out", tmp_path / f"{name}.key"], check=True, capture_output=True)
    link = server.invite("anna")
    server.tamper = lambda name, answer: {}
    assert wallet.error("redeem", link, "--key", tmp_path / "anna.key")["code"] == "answer-malformed"
    server.tamper = lambda name, answer: answer
    assert wallet.error("redeem", link, "--key", tmp_path / "ben.key")["code"] == "access-other-key"
    wallet.run("redeem", link, "--key", tmp_path / "anna.key")
    assert wallet.one()["key"] == (tmp_path / "anna.key").read_bytes()


def test_a_key_that_agrees_is_refused_before_anybody_is_asked(server, wallet, tmp_path):
    run([*wallet.command("key")[:1], "key", "--agree", "--out", tmp_path / "agrees.key"], check=True, capture_output=True)
    assert wallet.error("redeem", server.invite("anna"), "--key", tmp_path / "agrees.key")["code"] == "key-cannot-sign"
    assert not server.requests


def test_renewing_waits_for_the_last_third_unless_told(server, wallet):
    link = server.invite("anna")
    wallet.run("redeem", link)
    first = wallet.one()["token"]
    assert wallet.told("renew", "--all")[0]["result"] == "kept" and wallet.one()["token"] == first
    assert wallet.told("renew", "--site", "north", "--now")[0]["result"] == "received"
    assert wallet.one()["token"] != first
    # 300 s are behind a token when it is made: of one for 100 s less than a third is left.
    server.of(link).valid = 100
    wallet.run("renew", "--all", "--now")
    assert wallet.told("list")[0]["state"] == "due"
    server.of(link).valid = 86_400
    assert wallet.told("renew", "--all")[0]["result"] == "received"
    assert wallet.told("list")[0]["state"] == "valid" and not server.flaws


def test_one_that_cannot_be_renewed_keeps_no_other_from_it(server, wallet):
    links = [server.invite(name) for name in ("anna", "ben", "carl")]
    for link in links:
        wallet.run("redeem", link)
    server.of(links[1]).state = "suspended"
    done = wallet.run("renew", "--all", "--now", status=1)
    assert [json.loads(line)["result"] for line in done.stdout.splitlines()] == ["received"] * 2
    assert json.loads(done.stderr)["error"]["code"] == "suspended"
    assert len(wallet.told("list")) == 3


def test_what_is_deleted_is_gone_with_its_key(server, wallet):
    anna, ben = server.invite("anna"), server.invite("ben")
    name = wallet.told("redeem", anna)[0]["access"]
    wallet.run("redeem", ben)
    assert wallet.told("delete", "--access", name[:6])[0]["access"] == name
    assert [each["subject"] for each in wallet.told("list")] == ["ben"]
    assert not [path for path in wallet.files() if path.startswith(name)]
    # The code is used; a fresh key does not get it.
    assert wallet.error("redeem", anna)["code"] == "code-used"
    assert len(wallet.told("list")) == 1


def test_what_a_deletion_that_broke_off_has_left_goes_with_the_next(server, wallet):
    name = wallet.told("redeem", server.invite("anna"))[0]["access"]
    wallet.run("redeem", server.invite("ben"))
    os.rename(f"{wallet.folder}/{name}", f"{wallet.folder}/{name}.gone")
    (ben,) = wallet.told("list")
    wallet.run("delete", "--access", ben["access"])
    assert wallet.files() == {} and os.listdir(wallet.folder) == []


def test_a_wallet_that_others_may_read_is_not_used(server, wallet):
    wallet.run("redeem", server.invite("anna"))
    os.chmod(wallet.folder, 0o755)
    for arguments in (["list"], ["renew", "--all"], ["redeem", server.invite("ben")]):
        assert wallet.error(*arguments)["code"] == "wallet-exposed"


# What breaks off


def interrupted(server, wallet, link, moment, request):
    """A redeeming whose program is killed when the server has heard of a request, or has decided it."""
    process = subprocess.Popen(wallet.command("redeem", link), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    setattr(server, moment, lambda name: kill(process) if name == request else None)
    heard(process)
    setattr(server, moment, lambda name: None)
    assert process.returncode < 0


@pytest.mark.parametrize("by_name", [False, True])
@pytest.mark.parametrize("moment,request_", [("before", "begin"), ("after", "begin"), ("before", "redeem"), ("after", "redeem")])
def test_a_phone_that_is_killed_while_it_asks_goes_on_with_the_same_key(server, wallet, moment, request_, by_name):
    link = server.invite("anna")
    interrupted(server, wallet, link, moment, request_)
    key = wallet.one()["key"]
    (pending,) = wallet.told("list")
    assert pending["state"] == "pending"
    (told,) = wallet.told("redeem", *(["--access", pending["access"]] if by_name else [link]))
    assert told["result"] == "received" and wallet.one()["key"] == key and "invitation.json" not in wallet.one()
    assert wallet.one()["token"] == data(server.of(link).answer["token"])
    assert not server.flaws


@pytest.mark.parametrize("signal_", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_whoever_waits_for_a_silent_server_can_stop_it(server, wallet, signal_):
    link, gate, seen = server.invite("anna"), threading.Event(), threading.Event()

    def hold(_):
        seen.set()
        gate.wait(PATIENCE)

    server.before = hold
    process = subprocess.Popen(wallet.command("redeem", link), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert seen.wait(PATIENCE)
    process.send_signal(signal_)
    heard(process)
    gate.set()
    assert process.returncode == -signal_
    server.before = lambda name: None
    assert wallet.told("redeem", link)[0]["result"] == "received"


def test_a_phone_killed_at_any_moment_loses_neither_key_nor_code(server, wallet):
    dice = random.Random(SEED)
    for turn in range(40):
        link = server.invite(f"visitor-{turn}")
        process = subprocess.Popen(wallet.command("redeem", link), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        # Not a wait for anything: the moment of the kill.
        time.sleep(dice.random() * 0.06)
        kill(process)
        process.communicate()
        wallet.run("redeem", link)
    assert {each["state"] for each in wallet.told("list")} == {"valid"} and len(wallet.told("list")) == 40
    assert not server.flaws


def test_an_answer_that_was_lost_for_longer_than_it_is_repeated_is_renewed(server, wallet):
    link = server.invite("anna")
    interrupted(server, wallet, link, "after", "redeem")
    server.of(link).redeemed -= 601
    assert wallet.told("redeem", link)[0]["result"] == "received"
    assert server.requests[-1] == "renew" and not server.flaws


def test_of_two_at_once_one_is_told_so_and_nothing_is_lost(server, wallet):
    link, gate, seen = server.invite("anna"), threading.Event(), threading.Event()

    def hold(name):
        seen.set()
        assert gate.wait(PATIENCE)

    server.before = hold
    first = subprocess.Popen(wallet.command("redeem", link), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert seen.wait(PATIENCE)
    assert wallet.error("redeem", link)["code"] == "wallet-busy"
    gate.set()
    output, errors = heard(first)
    assert json.loads(output)["result"] == "received", errors


# What servers refuse


@pytest.mark.parametrize("state", ["code-expired", "code-withdrawn"])
def test_a_code_that_is_good_for_nothing_leaves_nothing(server, wallet, state):
    link = server.invite("anna")
    server.of(link).state = state
    assert wallet.error("redeem", link)["code"] == state
    assert wallet.files() == {}


def test_a_code_that_another_phone_has_used_leaves_nothing(server, wallet, authority):
    link = server.invite("anna")
    invitation_client.Phone(authority.file).redeem(link)
    assert wallet.error("redeem", link)["code"] == "code-used"
    assert wallet.files() == {}


def test_what_the_server_has_no_time_for_can_be_tried_again(server, wallet):
    link = server.invite("anna")
    server.tamper = lambda name, answer: (503, {"error": {"code": "busy", "message": "Too much at once.", "retryAfter": 3}})
    error = wallet.error("redeem", link)
    assert (error["code"], error["message"]) == ("busy", "Too much at once. Try again in 3 s.")
    server.tamper = lambda name, answer: answer
    assert wallet.told("redeem", link)[0]["result"] == "received"


# Hostile answers


def other_key(server):
    public = ec.generate_private_key(ec.SECP256R1()).public_key()
    return lambda answer: {**answer, "token": text(server.token(public, answer["subject"], answer["notBefore"], answer["expires"]))}


def own_key_as_gate(server):
    def altered(answer):
        claims = invitation_client.Phone.claims(data(answer["token"]))
        own = {**claims[8][1], 2: b"\x01"}
        return {**answer, "gates": text(encoded({2: server.site, 8: {1: own}}))}
    return altered


def member(name, value):
    return lambda server: lambda answer: {**answer, name: value(answer, server) if callable(value) else value}


def whole(value):
    return lambda server: lambda answer: value


HOSTILE = {
    "token of another key": (other_key, "answer-other-key"),
    "gates of another site": (member("gates", lambda a, s: text(s.made_gates("south"))), "answer-other-site"),
    "gates of two sites": (member("gates", lambda a, s: text(s.gates + s.made_gates("south"))), "answer-other-site"),
    "another site than the invitation's": (
        lambda s: lambda a: {**a, "site": "south", "gates": text(s.made_gates("south"))}, "answer-other-site"),
    "a gate with the phone's own key": (own_key_as_gate, "answer-malformed"),
    "no gates": (member("gates", ""), "answer-malformed"),
    "gates cut off": (member("gates", lambda a, s: text(s.gates[:-1])), "answer-malformed"),
    "gates that are no CBOR": (member("gates", text(b"\xff" * 64)), "answer-malformed"),
    "a token cut off": (member("token", lambda a, s: text(data(a["token"])[:-1])), "answer-malformed"),
    "a token with a filler": (member("token", lambda a, s: a["token"] + "="), "answer-malformed"),
    "another end than the token's": (member("expires", lambda a, s: a["expires"] + 1), "answer-malformed"),
    "another subject than the token's": (member("subject", "ben"), "answer-malformed"),
    "renewed for less than it is good": (member("renewUntil", lambda a, s: a["expires"] - 1), "answer-malformed"),
    "an end that is no number": (member("expires", "tomorrow"), "answer-malformed"),
    "an end beyond all years": (member("renewUntil", 1 << 62), "answer-malformed"),
    "user verification that the token lacks": (member("userVerified", True), "answer-malformed"),
    "a site that moves the cursor": (member("site", "north\u001b[2J"), "answer-malformed"),
    "a message that moves the cursor": (member("messages", {"de": {"expired": "\u001b[2J"}}), "answer-malformed"),
    "messages without end": (member("messages", {"de": {f"r-{n}": "x" for n in range(65)}}), "answer-malformed"),
    "a service that is a path": (member("services", ["../../etc/passwd"]), "answer-malformed"),
    "languages that are no list": (member("languages", "de"), "answer-malformed"),
    "no object": (whole([]), "answer-malformed"),
    "no JSON": (whole(b"<html>Welcome to the hotel's network</html>"), "answer-malformed"),
    "nothing": (whole(b""), "answer-malformed"),
    "too deep": (whole(b"[" * 10_000), "answer-malformed"),
    "the same member twice": (whole(b'{"token":"","token":""}'), "answer-malformed"),
    "64 KiB and more": (whole(b"{" + b" " * 70_000 + b"}"), "answer-too-long"),
    "a redirect": (whole((307, b"https://elsewhere.example/api/1/redeem")), "answer-redirect"),
    "a success that is none": (whole((204, b"")), "answer-malformed"),
    "an error that is none": (whole((500, b"oops")), "answer-malformed"),
    "an error whose code is a line": (whole((403, {"error": {"code": "granted\nall", "message": "x"}})), "answer-malformed"),
}


@pytest.mark.parametrize("request_", ["redeem", "renew"])
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_answer_is_kept_nowhere(server, wallet, name, request_):
    alteration, code = HOSTILE[name]
    link = server.invite("anna")
    if request_ == "renew":
        wallet.run("redeem", link)
    before = wallet.files()
    server.tamper = lambda asked, answer: alteration(server)(answer) if asked == request_ else answer
    error = wallet.error(*(["redeem", link] if request_ == "redeem" else ["renew", "--all", "--now"]))
    assert error["code"] == code and error["message"].endswith(".")
    if request_ == "renew":
        assert wallet.files() == before
    else:
        assert set(wallet.one()) == {"key", "invitation.json"}
        server.tamper = lambda asked, answer: answer
        assert wallet.told("redeem", link)[0]["result"] == "received"


@pytest.mark.parametrize("nonce", [
    "", "x" * 201, "n\npurpose: renew", "\x84jSignature1", "n n", "n=", None, 7, ["n"], text(b"\x84\x6aSignature1") + "\n"])
def test_no_nonce_puts_a_line_or_a_byte_of_the_servers_into_what_is_signed(server, wallet, nonce):
    server.tamper = lambda name, answer: {**answer, "nonce": nonce}
    assert wallet.error("redeem", server.invite("anna"))["code"] == "answer-malformed"
    assert server.requests == ["begin"]


def test_a_nonce_that_is_an_edhoc_structure_is_signed_as_text_alone(server, wallet):
    """Statements begin with a letter: what would be a Sig_structure is base64url in its fourth line."""
    sig_structure = encoded(["Signature1", b"\xa1\x18\x22\x82", b"th", b"mac"])
    fresh = text(sig_structure)
    server._fresh_nonce = lambda: (server.nonces.update({fresh: time.time()}), fresh)[1]
    wallet.run("redeem", server.invite("anna"))
    assert not server.flaws


# Who is asked


def test_a_certificate_that_nobody_vouches_for_is_told_nothing(server, wallet, tmp_path):
    link = server.invite("anna")
    stranger = CertificateAuthority(tmp_path, "stranger")
    for ca in (stranger.file, None):
        apart = Wallet(tmp_path / "other", ca)
        assert apart.error("redeem", link)["code"] == "server-certificate-refused"
    assert not server.requests
    assert wallet.told("redeem", link)[0]["result"] == "received"


def test_a_certificate_of_another_name_is_told_nothing(authority, wallet):
    with InvitationServer(*authority.issue("elsewhere", "elsewhere.example")) as server:
        assert wallet.error("redeem", server.invite("anna"))["code"] == "server-certificate-refused"
        assert not server.requests


def test_an_authority_that_is_none_is_told_apart(server, tmp_path):
    (tmp_path / "empty.pem").write_bytes(b"")
    for file in ("empty.pem", "missing.pem"):
        assert Wallet(tmp_path / "wallet", str(tmp_path / file)).error("redeem", server.invite("anna"))["code"] == "ca-unusable"


@pytest.mark.parametrize("damage", [
    lambda link: link.replace("https:", "http:"), lambda link: link.replace("https://", "https://user:pass@"), lambda link: link[:-1],
    lambda link: link + "A", lambda link: link.replace("/#", "#"), lambda link: link.replace("#", ""), lambda link: link.replace("/#", "/?x=1#"),
    lambda link: link.replace("/visit/", "/visit/../"), lambda link: link + "#", lambda link: link.replace("/visit/#", "/visit//#"),
    lambda link: link[:-1] + "=", lambda link: "file:///etc/passwd#" + link.partition("#")[2], lambda link: ""])
def test_what_is_no_link_is_asked_of_nobody(server, wallet, damage):
    link = server.invite("anna")
    error = wallet.error("redeem", damage(link))
    assert error["code"] == "link-malformed" and link.partition("#")[2][:-1] not in error["message"]
    assert not server.requests and wallet.files() == {}


def test_a_server_that_is_away_is_named_and_loses_nothing(server, wallet, authority):
    link = server.invite("anna")
    server.__exit__()
    assert wallet.error("redeem", link)["code"] == "server-unreachable"
    assert set(wallet.one()) == {"key", "invitation.json"}


# The client made of the documents


@pytest.mark.parametrize("form", ["jwk", "cose", "spki"])
def test_the_client_made_of_the_documents_redeems_and_renews(server, authority, form):
    link = server.invite("anna")
    phone = invitation_client.Phone(authority.file, form=form)
    first = phone.redeem(link)
    assert phone.redeem(link, nonce=phone.nonce())["token"] == first["token"]
    assert phone.renew()["token"] != first["token"]
    assert not server.flaws


@pytest.mark.parametrize("written,instead", [
    ("purpose: redeem", "purpose: renew"), ("origin: https://localhost", "origin: https://localhost.example"), ("statement-1", "statement-2"),
    ("time: ", "time:  "), ("Z\n", "Z"), ("Z\n", "Z\r\n"), ("key: ", "key: A"), ("code: ", "code: A"), ("nonce: ", "nonce: A")])
def test_the_server_of_these_tests_takes_no_other_statement(server, authority, monkeypatch, written, instead):
    real = invitation_client.statement
    monkeypatch.setattr(invitation_client, "statement", lambda *parts: real(*parts).replace(written.encode(), instead.encode()))
    with pytest.raises(Refused) as refused:
        invitation_client.Phone(authority.file).redeem(server.invite("anna"))
    assert refused.value.code == "proof-wrong"


def test_a_clock_that_differs_is_told_the_servers(server, authority):
    phone = invitation_client.Phone(authority.file, clock=lambda: time.time() - 601)
    with pytest.raises(Refused) as refused:
        phone.redeem(server.invite("anna"))
    assert refused.value.code == "clock-differs" and not phone.access


def test_a_proof_is_good_once(server, authority):
    link = server.invite("anna")
    phone = invitation_client.Phone(authority.file)
    phone.redeem(link)
    nonce = phone.nonce()
    phone.renew(nonce)
    with pytest.raises(Refused) as refused:
        phone.renew(nonce)
    assert refused.value.code == "nonce-unknown"


def test_the_clients_program_redeems_and_renews(server, authority, tmp_path):
    program = [sys.executable, invitation_client.__file__]
    for command in (["redeem", server.invite("anna"), tmp_path / "ben"], ["renew", tmp_path / "ben"]):
        done = run([*program, *command, "--ca", authority.file], text=True, capture_output=True)
        assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["subject"] == "anna" and (tmp_path / "ben" / "gates.phone").read_bytes() == server.gates


def test_the_client_believes_no_other_key_and_no_other_site(server, authority):
    for name in ("token of another key", "gates of another site"):
        alteration, code = HOSTILE[name]
        server.tamper = lambda asked, answer: alteration(server)(answer) if asked == "redeem" else answer
        phone = invitation_client.Phone(authority.file)
        with pytest.raises(Refused) as refused:
            phone.redeem(server.invite("anna"))
        assert refused.value.code == code


def test_the_wallet_copied_elsewhere_taps_by_its_files(server, wallet, tmp_path):
    """A backup is a copy: nothing in it names the folder."""
    (told,) = wallet.told("redeem", server.invite("anna"))
    shutil.copytree(wallet.folder, tmp_path / "copy")
    os.chmod(tmp_path / "copy", 0o700)
    assert Wallet(tmp_path / "copy", wallet.ca).told("renew", "--access", told["access"], "--now")[0]["result"] == "received"
