"""A phone that is invited, made of the documents alone (docs/phone-protocol.md, docs/invitations.md): nothing of ours is used but what they say.
Keys and hashes are the Python package cryptography's, CBOR is cbor2's, HTTPS is Python's.

    invitation_client.py redeem LINK FOLDER --ca ca.pem
    invitation_client.py renew FOLDER --ca ca.pem
"""

import argparse
import base64
import hashlib
import io
import json
import os
import ssl
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from datetime import datetime, timezone

import cbor2
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

# The longest answer, in bytes, and how long one is waited for, in seconds.
LONGEST, SECONDS = 65_536, 30
# COSE_Key (RFC 9053, 7.1.1).
KEY_TYPE, KEY_ID, CURVE, X, Y, EC2, P256 = 1, 2, -1, -2, -3, 2, 1
# Claims (RFC 8392, 3.1; RFC 8747, 3.1).
SUBJECT, EXPIRES, NOT_BEFORE, CONFIRMATION, COSE_KEY = 2, 4, 5, 8, 1


class Refused(Exception):
    """The server's error, or ours about its answer; `code` says which."""

    def __init__(self, code, message, status=None, retry_after=None):
        super().__init__(f"{code}: {message}")
        self.code, self.message, self.status, self.retry_after = code, message, status, retry_after


def text(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def data(text_):
    decoded = base64.urlsafe_b64decode(text_ + "=" * (-len(text_) % 4))
    if text(decoded) != text_:
        raise Refused("answer-malformed", "no base64url in its one form")
    return decoded


# The key


def coordinates(key):
    numbers = key.public_key().public_numbers()
    return numbers.x.to_bytes(32, "big"), numbers.y.to_bytes(32, "big")


def cose_key(key):
    x, y = coordinates(key)
    return {KEY_TYPE: EC2, CURVE: P256, X: x, Y: y}


def thumbprint(key):
    """RFC 9679: SHA-256 of the deterministic COSE_Key with its required members."""
    return hashlib.sha256(cbor2.dumps(cose_key(key), canonical=True)).digest()


def written(key, form):
    """The public half as requests have it."""
    x, y = coordinates(key)
    if form == "jwk":
        return {"kty": "EC", "crv": "P-256", "x": text(x), "y": text(y)}
    if form == "cose":
        return {"cose": text(cbor2.dumps(cose_key(key), canonical=True))}
    spki = key.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    return {"spki": text(spki)}


def sign(key, message):
    r, s = decode_dss_signature(key.sign(message, ec.ECDSA(hashes.SHA256())))
    return r.to_bytes(32, "big") + s.to_bytes(32, "big")


# What is signed


def origin(url):
    """As a browser's location.origin."""
    parts = urllib.parse.urlsplit(url)
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}" + (f":{parts.port}" if parts.port not in (None, 443) else "")


def now_text(now):
    return datetime.fromtimestamp(now, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def statement(purpose, origin_, thumbprint_, nonce, moment, code=None):
    lines = ["tapstile-phone-statement-1", f"purpose: {purpose}", f"origin: {origin_}", f"key: {text(thumbprint_)}", f"nonce: {nonce}"]
    if code is not None:
        lines.append(f"code: {text(hashlib.sha256(code).digest())}")
    lines.append(f"time: {moment}")
    return "".join(line + "\n" for line in lines).encode()


class Phone:
    """A phone with one key, and what it was given for it."""

    def __init__(self, ca=None, key=None, form="jwk", clock=time.time):
        self.key = key or ec.generate_private_key(ec.SECP256R1())
        self.form, self.clock = form, clock
        self.context = ssl.create_default_context(cafile=ca)
        self.url = None
        self.access = None

    # Requests

    def post(self, request, body):
        """The object that a request is answered with."""
        asked = urllib.request.Request(f"{self.url}/api/1/{request}", json.dumps(body).encode(), {"Content-Type": "application/json"})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=self.context), _NoRedirect)
        try:
            with opener.open(asked, timeout=SECONDS) as answer:
                got = answer.read(LONGEST + 1)
        except urllib.error.HTTPError as refusal:
            with refusal:
                raise self._refused(refusal.code, refusal.read(LONGEST + 1)) from None
        if len(got) > LONGEST:
            raise Refused("answer-too-long", "more than 64 KiB")
        return json.loads(got)

    @staticmethod
    def _refused(status, body):
        error = json.loads(body)["error"]
        return Refused(error["code"], error["message"], status, error.get("retryAfter"))

    def proof(self, purpose, nonce, code=None):
        """The members that show who has the key, at whose server, for what."""
        moment = now_text(self.clock())
        signed = statement(purpose, origin(self.url), thumbprint(self.key), nonce, moment, code)
        return {"key": written(self.key, self.form), "nonce": nonce, "time": moment, "signature": text(sign(self.key, signed))}

    def follow(self, link):
        """The code of a link, whose server this phone asks from now on."""
        self.url, _, code = link.partition("/#")
        if urllib.parse.urlsplit(self.url).scheme != "https" or len(code) != 22:
            raise Refused("link-malformed", "no link of an invitation")
        return code

    def begin(self, link):
        return self.post("begin", {"code": self.follow(link)})

    def redeem(self, link, nonce=None):
        """What the invitation gives. The same link and key may do it again for ten minutes."""
        code = self.follow(link)
        if nonce is None:
            nonce = self.begin(link)["nonce"]
        return self._received(self.post("redeem", {"code": code, **self.proof("redeem", nonce, data(code))}))

    def nonce(self):
        return self.post("nonce", {})["nonce"]

    def renew(self, nonce=None):
        return self._received(self.post("renew", self.proof("renew", nonce or self.nonce())))

    # Answers

    def _received(self, answer):
        claims = self.claims(data(answer["token"]))
        x, y = coordinates(self.key)
        bound = claims[CONFIRMATION][COSE_KEY]
        if (bound[CURVE], bound[X], bound[Y]) != (P256, x, y):
            raise Refused("answer-other-key", "the token is for another key")
        said = (claims[SUBJECT], claims[EXPIRES], claims[NOT_BEFORE])
        if said != (answer["subject"], answer["expires"], answer["notBefore"]) or not answer["expires"] <= answer["renewUntil"]:
            raise Refused("answer-malformed", "the token says something else than the answer")
        if self.site_of(data(answer["gates"])) != {answer["site"]}:
            raise Refused("answer-other-site", "the gates are of another site")
        if self.access and self.access["site"] != answer["site"]:
            raise Refused("answer-other-site", "another site than before")
        self.access = answer
        return answer

    @staticmethod
    def claims(token):
        """What the payload of a COSE_Sign1 says (RFC 9052, 4.2). Whether it is true, a gate says."""
        _, _, payload, signature = cbor2.loads(token)
        assert len(signature) == 64
        return cbor2.loads(payload)

    @staticmethod
    def site_of(gates):
        """Which sites the entries of a gates.phone are of."""
        sites, stream = set(), io.BytesIO(gates)
        while stream.tell() < len(gates):
            entry = cbor2.load(stream)
            sites.add(entry[1] if isinstance(entry, list) else entry[SUBJECT])
        return sites

    # Files

    def save(self, folder):
        os.makedirs(folder, mode=0o700, exist_ok=True)
        pem = self.key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        kept = {"url": self.url, **(self.access or {})}
        for name, content in (("key.pem", pem), ("access.json", json.dumps(kept).encode())):
            path = os.path.join(folder, name)
            with open(os.open(path + ".new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(content)
            os.replace(path + ".new", path)
        if self.access:
            for name, member in (("token", "token"), ("gates.phone", "gates")):
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(data(self.access[member]))

    @classmethod
    def load(cls, folder, ca=None):
        with open(os.path.join(folder, "key.pem"), "rb") as file:
            phone = cls(ca, serialization.load_pem_private_key(file.read(), None))
        with open(os.path.join(folder, "access.json"), encoding="utf-8") as file:
            kept = json.load(file)
        phone.url = kept.pop("url")
        phone.access = kept or None
        return phone


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def main(arguments=None):
    parser = argparse.ArgumentParser(description="A phone that is invited.")
    commands = parser.add_subparsers(dest="command", required=True)
    redeem = commands.add_parser("redeem")
    redeem.add_argument("link")
    for command in (redeem, commands.add_parser("renew")):
        command.add_argument("folder")
        command.add_argument("--ca")
    asked = parser.parse_args(arguments)
    if asked.command == "redeem":
        known = os.path.exists(os.path.join(asked.folder, "key.pem"))
        phone = Phone.load(asked.folder, asked.ca) if known else Phone(asked.ca)
        phone.follow(asked.link)
        # The key is there before the server hears of it.
        phone.save(asked.folder)
        phone.redeem(asked.link)
    else:
        phone = Phone.load(asked.folder, asked.ca)
        phone.renew()
    phone.save(asked.folder)
    print(json.dumps({name: phone.access[name] for name in ("site", "subject", "notBefore", "expires", "renewUntil")}))


if __name__ == "__main__":
    try:
        main()
    except Refused as refusal:
        sys.exit(str(refusal))
