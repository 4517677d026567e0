"""The office's server of invitations before a client made of the documents alone.

TAPSTILE_BIN is the folder of the built programs.
"""

import base64
import http.client
import os
import socket
import ssl
import sys
import threading
import time

import cbor2
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

import invitation_client
from invitation_client import Phone, Refused, coordinates, data, now_text, origin, sign, statement, text, thumbprint, written
from network.visitors import ISSUER, Visitors
from patience import joined
from processes import run

GATES = "gates.phone"


@pytest.fixture
def server(programs, tmp_path):
    """A server of the site north, whose office has made a gate."""
    office = tmp_path / "office"
    programs.json("tapstile-authority", "init", "--site", "north", "--dir", office)
    programs.json("tapstile-authority", "gate", "--name", "gates", "--dir", office)
    with Visitors(programs, str(tmp_path / "visitors"), "north", str(office / GATES)) as server:
        yield server


@pytest.fixture
def phone(server):
    return Phone(server.ca)


def refusal(act, *arguments):
    with pytest.raises(Refused) as refused:
        act(*arguments)
    return refused.value.code, refused.value.status


def issuer_of(server):
    """The public key that `serve init` has written, by its text alone."""
    with open(server.public_key, encoding="utf-8") as file:
        lines = file.read().split("\n")[1:-2]
    key = cbor2.loads(base64.b64decode("".join(lines)))
    return ec.EllipticCurvePublicNumbers(int.from_bytes(key[-2], "big"), int.from_bytes(key[-3], "big"), ec.SECP256R1()).public_key()


# The way it should be


@pytest.mark.parametrize("form", ["jwk", "cose", "spki"])
def test_a_phone_redeems_and_renews(server, form):
    invited = server.invite("anna")
    phone = Phone(server.ca, form=form)
    begun = phone.begin(invited["link"])
    assert (begun["site"], begun["subject"]) == ("north", "anna")
    first = phone.redeem(invited["link"], begun["nonce"])
    assert first["site"] == "north" and len(first["services"]) == 2
    second = phone.renew()
    assert second["token"] != first["token"] and second["expires"] >= first["expires"]


def test_the_token_is_one_that_others_read(server, phone):
    got = phone.redeem(server.invite("anna")["link"])
    protected, unprotected, payload, signature = cbor2.loads(data(got["token"]))
    r, s = (int.from_bytes(half, "big") for half in (signature[:32], signature[32:]))
    signed = cbor2.dumps(["Signature1", protected, b"", payload], canonical=True)
    issuer_of(server).verify(encode_dss_signature(r, s), signed, ec.ECDSA(hashes.SHA256()))
    claims = cbor2.loads(payload)
    assert cbor2.loads(protected)[1] == -7 and claims[1] == ISSUER and claims[2] == "anna"
    # No operator has said that the key wants its owner.
    assert got["userVerified"] is False and True not in claims.values()


def test_the_program_of_the_client_does_it_too(server, tmp_path):
    for command in (["redeem", server.invite("anna")["link"], tmp_path / "phone"], ["renew", tmp_path / "phone"]):
        done = run([sys.executable, invitation_client.__file__, *command, "--ca", server.ca], text=True, capture_output=True)
        assert done.returncode == 0, done.stderr


def test_the_same_key_gets_the_same_token_again_and_another_none(server, phone):
    link = server.invite("anna")["link"]
    first = phone.redeem(link)
    assert phone.redeem(link, phone.nonce())["token"] == first["token"]
    stranger = Phone(server.ca)
    stranger.follow(link)
    assert refusal(stranger.redeem, link, stranger.nonce()) == ("code-used", 409)
    # One key, one invitation.
    other = server.invite("ben")["link"]
    phone.access = None
    assert refusal(phone.redeem, other) == ("key-in-use", 409)


def test_asking_what_a_link_is_for_uses_nothing_up(server, phone):
    link = server.invite("anna")["link"]
    for _ in range(5):
        phone.begin(link)
    assert phone.redeem(link)["subject"] == "anna"


def test_a_scanner_that_opens_the_link_uses_nothing_up(server, phone):
    link = server.invite("anna")["link"]
    context = ssl.create_default_context(cafile=server.ca)
    for method, path in (("GET", "/visit/"), ("GET", "/visit/api/1/begin"), ("GET", "/visit/api/1/redeem"), ("HEAD", "/visit/"),
                         ("OPTIONS", "/visit/api/1/redeem"), ("PUT", "/visit/api/1/redeem")):
        connection = http.client.HTTPSConnection("localhost", server.port, context=context, timeout=30)
        connection.request(method, path)
        connection.getresponse().read()
        connection.close()
    assert phone.redeem(link)["subject"] == "anna"


# Attacks


def test_fifty_phones_at_one_code_leave_one_with_a_token(server):
    link = server.invite("anna")["link"]
    phones = [Phone(server.ca) for _ in range(50)]
    told = []

    def race(phone):
        try:
            phone.follow(link)
            told.append(phone.redeem(link, phone.nonce())["token"])
        except Refused as refused:
            told.append(refused.code)
    threads = [threading.Thread(target=race, args=(phone,)) for phone in phones]
    for thread in threads:
        thread.start()
    for thread in threads:
        joined(thread)
    refused = {word for word in told if word in ("code-used", "too-many", "busy")}
    assert len(told) == 50 and len([word for word in told if word not in refused]) == 1, refused


def body(phone, link, purpose="redeem", **changes):
    """A request, of which one part may be another than was signed, or signed for something else."""
    code = data(phone.follow(link))
    signed = {"purpose": purpose, "origin": origin(phone.url), "thumbprint": thumbprint(phone.key), "nonce": phone.nonce(),
              "moment": now_text(phone.clock()), "code": code}
    said = dict(signed)
    signed.update(changes)
    message = statement(signed["purpose"], signed["origin"], signed["thumbprint"], signed["nonce"], signed["moment"], signed["code"])
    return {"code": text(code), "key": written(phone.key, "jwk"), "nonce": said["nonce"], "time": said["moment"],
            "signature": text(sign(phone.key, message))}


@pytest.mark.parametrize("changes", [
    {"purpose": "renew"}, {"origin": "https://evil.example"}, {"origin": "https://localhost"}, {"thumbprint": bytes(32)}, {"nonce": "AAAA"},
    {"moment": "2026-01-01T00:00:00Z"}, {"code": bytes(16)}, {"code": None}])
def test_a_statement_for_something_else_is_no_proof(server, phone, changes):
    link = server.invite("anna")["link"]
    asked = body(phone, link, **changes)
    assert refusal(phone.post, "redeem", asked) == ("proof-wrong", 403)
    assert phone.redeem(link)["subject"] == "anna"


def test_a_key_swapped_in_flight_is_no_proof(server, phone):
    link = server.invite("anna")["link"]
    asked = body(phone, link)
    asked["key"] = written(Phone(server.ca).key, "jwk")
    assert refusal(phone.post, "redeem", asked) == ("proof-wrong", 403)


def test_a_renewal_is_good_once_and_for_this_server_alone(server, phone):
    phone.redeem(server.invite("anna")["link"])
    asked = phone.proof("renew", phone.nonce())
    phone.post("renew", asked)
    assert refusal(phone.post, "renew", asked) == ("nonce-unknown", 403)
    url, phone.url = phone.url, "https://elsewhere.example/visit"
    elsewhere = phone.proof("renew", "AAAA")
    phone.url = url
    nonce = phone.nonce()
    assert refusal(phone.post, "renew", {**elsewhere, "nonce": nonce}) == ("proof-wrong", 403)


@pytest.mark.parametrize("nonce", ["AAAA", "x" * 200, "", "n n", "x" * 201])
def test_a_nonce_of_ones_own_is_none(server, phone, nonce):
    phone.redeem(server.invite("anna")["link"])
    assert refusal(phone.post, "renew", phone.proof("renew", nonce)) == ("nonce-unknown", 403)


def test_a_clock_that_differs_is_told_the_servers(server):
    phone = Phone(server.ca, clock=lambda: time.time() - 3600)
    assert refusal(phone.redeem, server.invite("anna")["link"]) == ("clock-differs", 403)


@pytest.mark.parametrize("code", ["AAAAAAAAAAAAAAAAAAAAAA", "", "x", "AAAAAAAAAAAAAAAAAAAAAA=", "A" * 4000, "AAAAAAAAAAAAAAAAAAAAAB"])
def test_a_code_that_is_none_answers_like_one_that_nobody_knows(server, phone, code):
    phone.url = f"{server.origin}/visit"
    assert refusal(phone.post, "begin", {"code": code}) == ("code-unknown", 404)


def test_a_withdrawn_invitation_gives_nothing(server, phone):
    invited = server.invite("anna")
    server.change("withdraw", invited)
    assert refusal(phone.redeem, invited["link"]) == ("code-withdrawn", 410)


def test_whoever_is_suspended_renews_when_resumed_and_never_when_revoked(server, phone):
    invited = server.invite("anna")
    phone.redeem(invited["link"])
    server.change("suspend", invited)
    assert refusal(phone.renew) == ("suspended", 403)
    server.change("resume", invited)
    assert phone.renew()["subject"] == "anna"
    server.change("revoke", invited)
    assert refusal(phone.renew) == ("revoked", 403)


def test_a_key_that_was_never_invited_renews_nothing(server, phone):
    phone.url = f"{server.origin}/visit"
    assert refusal(phone.renew) == ("key-unknown", 404)


@pytest.mark.parametrize("key", [
    {}, {"kty": "EC"}, {"kty": "OKP", "crv": "Ed25519", "x": "AA"}, {"kty": "EC", "crv": "P-256", "x": "A" * 43, "y": "A" * 43}, {"spki": "AAAA"},
    {"cose": "AAAA"}, {"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"}])
def test_what_is_no_key_of_a_phone_is_refused(server, phone, key):
    asked = body(phone, server.invite("anna")["link"])
    assert refusal(phone.post, "redeem", {**asked, "key": key})[1] == 400


def test_a_private_key_is_refused_and_not_repeated(server, phone):
    x, y = coordinates(phone.key)
    d = phone.key.private_numbers().private_value.to_bytes(32, "big")
    asked = {**body(phone, server.invite("anna")["link"]), "key": {"kty": "EC", "crv": "P-256", "x": text(x), "y": text(y), "d": text(d)}}
    with pytest.raises(Refused) as refused:
        phone.post("redeem", asked)
    assert refused.value.code == "key-refused" and text(d) not in refused.value.message


@pytest.mark.parametrize("asked", [[], "x", None, {}, {"code": 7}, {"code": None}, {"key": {}}])
def test_what_is_no_request_is_refused_in_words(server, phone, asked):
    phone.url = f"{server.origin}/visit"
    for request in ("begin", "redeem", "renew"):
        code, status = refusal(phone.post, request, asked)
        assert 400 <= status < 500 and code in ("request-malformed", "code-unknown", "key-refused", "nonce-unknown")


def test_a_body_without_end_is_refused_and_the_next_is_served(server, phone):
    phone.url = f"{server.origin}/visit"
    try:
        assert refusal(phone.post, "begin", {"code": "x" * 200_000})[1] == 413
    except (ConnectionError, OSError):
        # It hangs up on whoever goes on.
        pass
    assert phone.redeem(server.invite("anna")["link"])["subject"] == "anna"


def test_no_text_of_a_request_comes_back_as_a_header(server, phone):
    context = ssl.create_default_context(cafile=server.ca)
    with socket.create_connection(("127.0.0.1", server.port), 30) as plain, context.wrap_socket(plain, server_hostname="localhost") as secured:
        secured.sendall(b"POST /visit/api/1/begin%0d%0aX-Injected:%201 HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        b"Content-Length: 2\r\nConnection: close\r\n\r\n{}")
        answer = b""
        while piece := secured.recv(4096):
            answer += piece
    assert b"X-Injected" not in answer.split(b"\r\n\r\n")[0]


def test_a_server_that_was_killed_gives_the_same_token_again(server, phone):
    """Nothing is answered that is not on the disk."""
    link = server.invite("anna")["link"]
    first = phone.redeem(link)
    server.stop()
    server.start()
    assert phone.redeem(link, phone.nonce())["token"] == first["token"]


def test_codes_are_kept_as_hashes_alone(server, phone):
    link = server.invite("anna")["link"]
    phone.redeem(link)
    server.stop()
    code = link.partition("#")[2]
    for folder, _, names in os.walk(server.folder):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                content = file.read()
            assert code.encode() not in content and data(code) not in content, name
    server.start()
    assert code not in server.said
