"""The invitation server as the page knows it: the page's files and four requests, over HTTPS (docs/invitations.md).

It is no `serve`: one place in memory, which tests make misbehave. It judges proofs by itself, with `cryptography`."""

import base64
import hashlib
import http.server
import json
import os
import re
import secrets
import ssl
import threading
import time

import cbor2
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from edhoc_phone import sign

FILES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Resources", "visitor")
PATH = "/visit"
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; "
          "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json"}
STATUS = {"code-unknown": 404, "code-used": 409, "code-expired": 410, "proof-wrong": 403, "nonce-unknown": 403, "clock-differs": 403,
          "suspended": 403, "revoked": 403, "over": 410, "key-unknown": 404, "too-many": 429, "busy": 503}
DAY = 86_400


def text_of(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def bytes_of(text):
    assert re.fullmatch(r"[A-Za-z0-9_-]*", text)
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Fault(Exception):
    """A refusal, by its code."""


class Issuer:
    """What signs tokens of a site: for the phone's key, as `tapstile-authority` would."""

    def __init__(self, private, name, site, gates):
        self.private, self.name, self.site, self.gates = private, name, site, gates
        self.audience = f"tapstile:{site}"

    def token(self, subject, x, y, not_before, expires):
        key = {1: 2, -1: 1, -2: x, -3: y}
        claims = {1: self.name, 2: subject, 3: self.audience, 4: expires, 5: not_before, 7: secrets.token_bytes(8), 8: {1: key}}
        protected, payload = cbor2.dumps({1: -7}), cbor2.dumps(claims, canonical=True)
        signature = sign(self.private, cbor2.dumps(["Signature1", protected, b"", payload]))
        return cbor2.dumps([protected, {}, payload, signature])


class Invitation:
    def __init__(self, subject, renew_until):
        self.subject, self.renew_until = subject, renew_until
        self.key = self.answer = None


class StubServer:
    """`url` is what links begin with. What tests turn: `valid_seconds` of a token, `clock` (seconds ahead), `refuses` (path to code),
    `loses` (paths whose answers are lost after they were decided), `messages`, `change` (what becomes of a file; None: it cannot be had)."""

    def __init__(self, issuer, certificate, key, host="localhost"):
        self.issuer, self.host = issuer, host
        self.valid_seconds, self.clock = DAY, 0
        self.refuses, self.loses, self.messages, self.services = {}, set(), {}, []
        self.change = lambda name, data: data
        self.invitations, self.nonces = {}, set()
        self.seen = []
        stub = self

        class Handler(RequestHandler):
            server_of_pages = stub

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.origin = f"https://{host}:{self.server.server_port}"
        self.url = self.origin + PATH
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def invite(self, subject="Anna Visitor", days=3):
        """The link."""
        code = secrets.token_bytes(16)
        self.invitations[code] = Invitation(subject, int(time.time()) + days * DAY)
        return f"{self.url}/#{text_of(code)}"

    def asked(self, path):
        """Bodies of the requests that went there."""
        return [body for method, seen, body in self.seen if (method, seen) == ("POST", f"{PATH}/api/1/{path}")]

    # What it answers

    def begin(self, body):
        """As `serve` for ten minutes after it was redeemed: nobody knows whose page asks."""
        invitation = self._invitation(body["code"])
        return {**self.nonce({}), "site": self.issuer.site, "subject": invitation.subject, "validUntil": invitation.renew_until,
                "languages": list(self.messages), "messages": self.messages, "services": self.services, "attestation": text_of(bytes(32))}

    def nonce(self, _):
        nonce = secrets.token_urlsafe(40)
        self.nonces.add(nonce)
        return {"nonce": nonce, "time": int(time.time()) + self.clock}

    def redeem(self, body):
        invitation = self._invitation(body["code"])
        key = self._proved("redeem", body, bytes_of(body["code"]))
        if invitation.key not in (None, key):
            raise Fault("code-used")
        if not invitation.key:
            invitation.key, invitation.answer = key, self._access(invitation, key)
        return invitation.answer

    def renew(self, body):
        key = self._proved("renew", body)
        invitation = next((each for each in self.invitations.values() if each.key == key), None)
        if not invitation:
            raise Fault("key-unknown")
        return self._access(invitation, key)

    def _invitation(self, code):
        if not re.fullmatch(r"[A-Za-z0-9_-]{22}", code) or bytes_of(code) not in self.invitations:
            raise Fault("code-unknown")
        return self.invitations[bytes_of(code)]

    def _access(self, invitation, key):
        now = int(time.time())
        times = (now - 300, min(now + self.valid_seconds, invitation.renew_until))
        return {"token": text_of(self.issuer.token(invitation.subject, *key, *times)), "gates": text_of(self.issuer.gates),
                "subject": invitation.subject, "site": self.issuer.site, "notBefore": times[0], "expires": times[1],
                "renewUntil": invitation.renew_until, "services": self.services, "languages": list(self.messages),
                "messages": self.messages, "userVerified": False}

    def _proved(self, purpose, body, code=None):
        """The key, where the statement is its. Made here anew from the contract's text."""
        jwk = body["key"]
        assert (jwk["kty"], jwk["crv"]) == ("EC", "P-256") and set(jwk) == {"kty", "crv", "x", "y"}, "no private half, nothing else"
        x, y = bytes_of(jwk["x"]), bytes_of(jwk["y"])
        thumbprint = hashlib.sha256(cbor2.dumps({1: 2, -1: 1, -2: x, -3: y}, canonical=True)).digest()
        lines = ["tapstile-phone-statement-1", f"purpose: {purpose}", f"origin: {self.origin}", f"key: {text_of(thumbprint)}",
                 f"nonce: {body['nonce']}", *([f"code: {text_of(hashlib.sha256(code).digest())}"] if code else []), f"time: {body['time']}"]
        statement = "".join(line + "\n" for line in lines).encode()
        signature = bytes_of(body["signature"])
        der = encode_dss_signature(int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big"))
        numbers = ec.EllipticCurvePublicNumbers(int.from_bytes(x, "big"), int.from_bytes(y, "big"), ec.SECP256R1())
        try:
            numbers.public_key().verify(der, statement, ec.ECDSA(hashes.SHA256()))
        except InvalidSignature:
            raise Fault("proof-wrong") from None
        if body["nonce"] not in self.nonces:
            raise Fault("nonce-unknown")
        self.nonces.discard(body["nonce"])
        return x, y


class RequestHandler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_of_pages = None

    def log_message(self, *_):
        pass

    def do_GET(self):
        stub = self.server_of_pages
        stub.seen.append(("GET", self.path, None))
        name = self.path.removeprefix(PATH + "/") or "index.html"
        path = os.path.join(FILES, name)
        if not self.path.startswith(PATH + "/") or name not in os.listdir(FILES):
            return self.answer(404, "text/plain", b"")
        with open(path, "rb") as file:
            data = stub.change(name, file.read())
        if data is None:
            return self.answer(503, "text/plain", b"")
        return self.answer(200, TYPES[os.path.splitext(name)[1]], data)

    def do_POST(self):
        stub = self.server_of_pages
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        stub.seen.append(("POST", self.path, body))
        name = self.path.removeprefix(f"{PATH}/api/1/")
        act = {"begin": stub.begin, "redeem": stub.redeem, "nonce": stub.nonce, "renew": stub.renew}.get(name)
        try:
            if not act:
                raise Fault("code-unknown")
            if name in stub.refuses:
                raise Fault(stub.refuses[name])
            status, content = 200, act(body)
        except Fault as fault:
            status, content = STATUS[str(fault)], {"error": {"code": str(fault), "message": f"refused: {fault}"}}
        if name in stub.loses:
            self.close_connection = True
            return self.connection.close()
        return self.answer(status, "application/json", json.dumps(content).encode())

    def answer(self, status, kind, data):
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": len(data), "Content-Security-Policy": POLICY,
                            "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-cache"}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(data)
