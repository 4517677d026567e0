"""A gate made of RFC 9528 and docs/phone-protocol.md alone, for what the real one never does: it answers frames of the phone protocol
over Bluetooth, in method 0, and tells whatever outcome a test wants."""

import io
import os

import cbor2
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from edhoc_phone import (HASH_LENGTH, IV_3, K_3, KEYSTREAM_2, MAC_2, MAC_3, PRK_EXPORTER, PRK_OUT, SUITES, compact, expanded, extract, items_of,
                         kdf, public_key, sequence, sha256, sign, signed_structure)

GATE_CONTEXT, PHONE_REQUEST = -54353, -54354
MESSAGE, ERROR, OUTCOME = 0, 1, 2
NOT_READY, OVER = 0x80, 0x83


class EDHOCGate:
    """One gate: `write` and `read` are what a phone does at its characteristic. `signs` and `credential` are its own; the rest is what tests
    turn. `heard` is what phones have shown, `errors` the EDHOC errors that they have written."""

    def __init__(self, private, credential, kid):
        self.private, self.credential, self.kid = private, credential, kid
        self.id_cred = cbor2.dumps({4: kid})
        self.suites = [2, 3, 5, 6]
        self.context = [1, "gate-1", "main", 1, 1, 1_800_000_000, 7, False]
        self.result = [1, 0, 0, None, os.urandom(32), None]
        self.knows_references = True
        self.ead_2 = None
        self.reads_not_ready = 0
        self.tokens = {}
        self.heard, self.errors, self.values = [], [], []
        self.connect()

    def connect(self):
        self.next, self.answer, self.left_not_ready = self.message_1, None, 0

    def disconnect(self):
        self.next = None

    def write(self, value):
        """The ATT error, 0 where there is none."""
        self.values.append(value)
        if not value or len(value) > 500:
            return 0x0D
        if value[0] == ERROR:
            self.errors.append(cbor2.load(io.BytesIO(value[1:])))
            self.next = None
            return 0
        if self.next is None:
            return OVER
        self.answer = self.next(value[1:]) if value[0] == MESSAGE else self.refusal()
        self.left_not_ready = self.reads_not_ready
        return 0

    def read(self):
        """The ATT error and the value."""
        if self.answer is None or self.left_not_ready:
            self.left_not_ready -= 1
            return NOT_READY, b""
        return 0, self.answer

    def refusal(self, *error):
        self.next = self.message_1
        return bytes([ERROR]) + sequence(*(error or (1, "refused")))

    def message_1(self, message):
        stream = io.BytesIO(message)
        method, suites, g_x = (cbor2.load(stream) for _ in range(3))
        selected = suites[-1] if isinstance(suites, list) else suites
        assert method == 0
        if selected not in self.suites:
            return self.refusal(2, self.suites)
        self.suite = SUITES[selected]
        ephemeral = self.suite.curve.private(os.urandom(32))
        g_y = self.suite.curve.x_of(ephemeral)
        th_2 = sha256(sequence(g_y, sha256(message)))
        self.prk = extract(th_2, self.suite.curve.agree(ephemeral, g_x))
        ead = self.ead_2 if self.ead_2 is not None else sequence(GATE_CONTEXT, cbor2.dumps(self.context))
        mac = kdf(self.prk, MAC_2, b"\x00" + self.id_cred + cbor2.dumps(th_2) + self.credential + ead, HASH_LENGTH)
        signature = sign(self.private, signed_structure(self.id_cred, th_2, self.credential, ead, mac))
        shown = compact(self.kid) if self.kid is not None else self.id_cred
        plaintext = b"\x00" + shown + cbor2.dumps(signature) + ead
        keystream = kdf(self.prk, KEYSTREAM_2, th_2, len(plaintext))
        self.th_3 = sha256(cbor2.dumps(th_2) + plaintext + self.credential)
        self.next = self.message_3
        return bytes([MESSAGE]) + cbor2.dumps(g_y + bytes(a ^ b for a, b in zip(plaintext, keystream)))

    def message_3(self, message):
        make, key_length, nonce_length = self.suite.cipher
        cipher = make(kdf(self.prk, K_3, self.th_3, key_length))
        plaintext = cipher.decrypt(kdf(self.prk, IV_3, self.th_3, nonce_length), cbor2.loads(message),
                                   cbor2.dumps(["Encrypt0", b"", self.th_3]))
        stream = io.BytesIO(plaintext)
        shown = cbor2.load(stream)
        if isinstance(shown, dict):
            token = plaintext[2:stream.tell()]
            id_cred = plaintext[:stream.tell()]
        else:
            token = self.tokens.get(expanded(shown)) if self.knows_references else None
            id_cred = cbor2.dumps({4: expanded(shown)})
        self.heard.append({"by-value": isinstance(shown, dict)})
        if token is None:
            return self.refusal(3, True)
        signature = cbor2.load(stream)
        ead = plaintext[stream.tell():]
        self.judge(token, id_cred, signature, ead)
        th_4 = sha256(cbor2.dumps(self.th_3) + plaintext + token)
        exporter = kdf(kdf(self.prk, PRK_OUT, th_4, HASH_LENGTH), PRK_EXPORTER, b"", HASH_LENGTH)
        make, key_length, nonce_length = self.suite.application
        sealed = make(kdf(exporter, 32768, b"", key_length)).encrypt(kdf(exporter, 32769, b"", nonce_length), cbor2.dumps(self.result), b"")
        self.next = None
        return bytes([OUTCOME]) + sealed

    def judge(self, token, id_cred, signature, ead):
        """The proof of the token's key; the token itself is the real gate's to judge."""
        protected, _, payload, _ = cbor2.loads(token)
        key = public_key(cbor2.loads(payload)[8][1])
        mac = kdf(self.prk, MAC_3, id_cred + cbor2.dumps(self.th_3) + token + ead, HASH_LENGTH)
        der = encode_dss_signature(int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big"))
        try:
            key.verify(der, signed_structure(id_cred, self.th_3, token, ead, mac), ec.ECDSA(hashes.SHA256()))
        except InvalidSignature:
            raise AssertionError("the page has signed something else") from None
        identifier = sha256(cbor2.dumps(["Signature1", protected, b"", payload]))
        self.tokens[identifier[:8]] = token
        ((label, value),) = items_of(ead)
        assert label == PHONE_REQUEST
        self.heard[-1]["request"] = cbor2.loads(value)
