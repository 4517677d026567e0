"""A server of invitations made of the documents alone, which judges phones: it takes nothing but what they say, and verifies what was signed byte
for byte. It is a server for tests: it keeps nothing, and its words can be altered on their way (`tamper`)."""

import base64
import hashlib
import http.server
import json
import os
import ssl
import threading
import time

import cbor2
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature

from patience import PATIENCE

LONGEST_BODY = 16_384
REPEATED, NONCE_LASTS, CLOCK_DIFFERS = 600, 300, 600
ON_TOUCH, CLASSIC = "00005301-0010-002a-426c-756549442a00", "00005301-0000-002a-426c-756549442a00"
CURVE = ec.SECP256R1()


def text(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def data(text_):
    return base64.urlsafe_b64decode(text_ + "=" * (-len(text_) % 4))


def point(public):
    numbers = public.public_numbers()
    return numbers.x.to_bytes(32, "big"), numbers.y.to_bytes(32, "big")


def cose(public, **more):
    x, y = point(public)
    return {1: 2, -1: 1, -2: x, -3: y, **({2: more["kid"]} if "kid" in more else {})}


def encoded(item):
    return cbor2.dumps(item, canonical=True)


class Refusal(Exception):
    def __init__(self, status, code, message=None, **more):
        super().__init__(code)
        self.status, self.body = status, {"error": {"code": code, "message": message or f"Refused: {code}.", **more}}


class Invitation:
    """One of them, and what became of it."""

    def __init__(self, subject, now, valid=86_400, renew=7 * 86_400):
        self.subject, self.code = subject, os.urandom(16)
        self.valid, self.renew_until = valid, now + renew
        self.key = self.redeemed = self.answer = None
        self.state = None


class InvitationServer:
    """Listens on this machine with TLS. `tamper(name, answer)` may alter or replace an answer (bytes, or an object); `before` and `after` are called
    with the name of a request when it has come, and when it was decided and not yet answered."""

    def __init__(self, certificate, key, site="north", path="/visit", gates=None, issuer=None):
        self.site, self.path = site, path
        self.issuer_key = issuer or ec.generate_private_key(CURVE)
        self.gates = gates or self.made_gates(site)
        self.invitations, self.nonces, self.used = {}, {}, set()
        self.requests, self.flaws, self.lock = [], [], threading.Lock()
        self.tamper = lambda name, answer: answer
        self.before = self.after = lambda name: None
        self.messages = {"de": {"expired": "Ihr Zutritt ist abgelaufen."}}
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        outer = self

        class Handler(_Handler):
            server_of = outer

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True, do_handshake_on_connect=False)
        self.port = self._server.server_port
        self.origin = f"https://localhost:{self.port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(PATIENCE)

    @staticmethod
    def made_gates(site):
        """The gates.phone of a site with one key."""
        public = ec.generate_private_key(CURVE).public_key()
        kid = hashlib.sha256(encoded(cose(public))).digest()[:1]
        return encoded({2: site, 8: {1: cose(public, kid=kid)}})

    def invite(self, subject, **options):
        """A link."""
        invitation = Invitation(subject, int(time.time()), **options)
        self.invitations[hashlib.sha256(invitation.code).digest()] = invitation
        return f"{self.origin}{self.path}/#{text(invitation.code)}"

    def of(self, link):
        return self.invitations[hashlib.sha256(data(link.partition("#")[2])).digest()]

    # Requests

    def answer(self, path, headers, body):
        """Status and object."""
        name = path.removeprefix(f"{self.path}/api/1/")
        self.requests.append(name)
        try:
            if headers.get("Content-Type") != "application/json":
                raise Refusal(400, "request-malformed", f"Content-Type {headers.get('Content-Type')}")
            if len(body) > LONGEST_BODY:
                raise Refusal(413, "too-long")
            asked = json.loads(body)
            handler = {"begin": self._begin, "redeem": self._redeem, "nonce": self._nonce, "renew": self._renew}[name]
            members = {"begin": {"code"}, "nonce": set(), "redeem": {"code", "key", "nonce", "time", "signature"},
                       "renew": {"key", "nonce", "time", "signature"}}[name]
            if set(asked) != members:
                raise Refusal(400, "request-malformed", f"members {sorted(asked)}")
            with self.lock:
                return 200, handler(asked)
        except Refusal as refusal:
            if refusal.body["error"]["code"] in ("request-malformed", "proof-wrong", "nonce-unknown"):
                # No phone that keeps to the documents hears these.
                self.flaws.append(refusal.body["error"])
            return refusal.status, refusal.body

    def _fresh_nonce(self):
        nonce = text(os.urandom(56))
        self.nonces[nonce] = time.time()
        return nonce

    def _words(self):
        return {"services": [ON_TOUCH, CLASSIC], "languages": ["de", "en"], "messages": self.messages}

    def _nonce(self, _):
        return {"nonce": self._fresh_nonce(), "time": self._time()}

    @staticmethod
    def _time():
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())

    def _begin(self, asked):
        invitation = self._invitation(asked)
        if invitation.key:
            raise Refusal(409, "code-used")
        nonce = self._fresh_nonce()
        return {"site": self.site, "subject": invitation.subject, "nonce": nonce, "time": self._time(), "validUntil": invitation.renew_until,
                "attestation": text(hashlib.sha256(b"tapstile-attestation-1" + nonce.encode()).digest()), **self._words()}

    def _invitation(self, asked):
        code = asked["code"]
        found = isinstance(code, str) and len(code) == 22 and self.invitations.get(hashlib.sha256(data(code)).digest())
        if not found:
            raise Refusal(404, "code-unknown")
        if found.state:
            raise Refusal(410, found.state)
        return found

    def _redeem(self, asked):
        invitation = self._invitation(asked)
        public, spent = self._proved("redeem", asked, data(asked["code"]))
        if invitation.key:
            if invitation.key != point(public) or time.time() - invitation.redeemed > REPEATED:
                raise Refusal(409, "code-used")
            return invitation.answer
        if any(other.key == point(public) for other in self.invitations.values()):
            raise Refusal(409, "key-in-use")
        self.used.add(spent)
        invitation.key, invitation.redeemed = point(public), time.time()
        invitation.answer = self._issue(invitation, public)
        return invitation.answer

    def _renew(self, asked):
        public, spent = self._proved("renew", asked)
        found = next((each for each in self.invitations.values() if each.key == point(public)), None)
        if not found:
            raise Refusal(404, "key-unknown")
        if found.state:
            raise Refusal(403, found.state)
        if time.time() >= found.renew_until:
            raise Refusal(410, "over")
        self.used.add(spent)
        return self._issue(found, public)

    def _proved(self, purpose, asked, code=None):
        """The key and the nonce of a request whose signature is over exactly these bytes."""
        public = self._key(asked["key"])
        nonce = asked["nonce"]
        if nonce in self.used or time.time() - self.nonces.get(nonce, 0) > NONCE_LASTS:
            raise Refusal(403, "nonce-unknown")
        thumbprint = hashlib.sha256(encoded(cose(public))).digest()
        signed = f"tapstile-phone-statement-1\npurpose: {purpose}\norigin: {self.origin}\nkey: {text(thumbprint)}\nnonce: {nonce}\n"
        if code is not None:
            signed += f"code: {text(hashlib.sha256(code).digest())}\n"
        signed += f"time: {asked['time']}\n"
        signature = data(asked["signature"])
        if len(signature) != 64:
            raise Refusal(400, "request-malformed", "a signature has 64 bytes")
        der = encode_dss_signature(int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big"))
        try:
            public.verify(der, signed.encode(), ec.ECDSA(hashes.SHA256()))
        except InvalidSignature:
            raise Refusal(403, "proof-wrong") from None
        moment = time.mktime(time.strptime(asked["time"], "%Y-%m-%dT%H:%M:%SZ")) - time.timezone
        if abs(moment - time.time()) > CLOCK_DIFFERS:
            raise Refusal(403, "clock-differs", f"The server's clock says {self._time()}.")
        return public, nonce

    @staticmethod
    def _key(given):
        if "spki" in given and len(given) == 1:
            return serialization.load_der_public_key(data(given["spki"]))
        if "cose" in given and len(given) == 1:
            key = cbor2.loads(data(given["cose"]))
            x, y = key[-2], key[-3]
        elif (given.get("kty"), given.get("crv")) == ("EC", "P-256") and "d" not in given:
            x, y = data(given["x"]), data(given["y"])
        else:
            raise Refusal(400, "key-refused")
        return ec.EllipticCurvePublicNumbers(int.from_bytes(x, "big"), int.from_bytes(y, "big"), CURVE).public_key()

    # Tokens

    def _issue(self, invitation, public, **claims):
        now = int(time.time())
        expires, begins = min(now + invitation.valid, invitation.renew_until), now - 300
        token = self.token(public, invitation.subject, begins, expires, **claims)
        return {"token": text(token), "gates": text(self.gates), "subject": invitation.subject, "site": self.site, "expires": expires,
                "notBefore": begins, "renewUntil": invitation.renew_until, "userVerified": False, **self._words()}

    def token(self, public, subject, begins, expires):
        """A CWT in a COSE_Sign1 (RFC 8392; RFC 9052, 4.4)."""
        claims = encoded({1: "visitors", 2: subject, 3: f"tapstile:{self.site}", 4: expires, 5: begins, 7: os.urandom(16), 8: {1: cose(public)}})
        protected = encoded({1: -7})
        r, s = decode_dss_signature(self.issuer_key.sign(encoded(["Signature1", protected, b"", claims]), ec.ECDSA(hashes.SHA256())))
        return encoded([protected, {}, claims, r.to_bytes(32, "big") + s.to_bytes(32, "big")])


class _Handler(http.server.BaseHTTPRequestHandler):
    """One request on each connection."""

    server_of = None
    timeout = PATIENCE

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        server, name = self.server_of, self.path.rpartition("/")[2]
        server.before(name)
        status, answer = server.answer(self.path, self.headers, body)
        server.after(name)
        altered = server.tamper(name, answer) if status == 200 else answer
        if isinstance(altered, tuple):
            status, altered = altered
        self.say(status, altered if isinstance(altered, bytes) else json.dumps(altered).encode())

    def say(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        if 300 <= status < 400:
            self.send_header("Location", body.decode())
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            # Whoever asked has heard enough.
            self.close_connection = True

    def log_message(self, *_):
        pass
