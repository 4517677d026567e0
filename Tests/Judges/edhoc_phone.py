"""A phone made of RFC 9528 and docs/phone-protocol.md alone: no library of EDHOC's, nothing of ours but the numbers in
that page. Hashes, ciphers and curves are the Python package cryptography's."""

import hashlib
import hmac
import io
import os
from collections import namedtuple

import cbor2
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCM, ChaCha20Poly1305

# RFC 9528, 4.1.2 and 4.2.1: what each derived value is for.
KEYSTREAM_2, SALT_3E2M, MAC_2, K_3, IV_3, SALT_4E3M, MAC_3, PRK_OUT, PRK_EXPORTER = 0, 1, 2, 3, 4, 5, 6, 7, 10
SIGNATURE_LENGTH, HASH_LENGTH = 64, 32


def sha256(data):
    return hashlib.sha256(data).digest()


def extract(salt, secret):
    return hmac.digest(salt, secret, "sha256")


def expand(key, info, length):
    output, block = b"", b""
    while len(output) < length:
        block = hmac.digest(key, block + info + bytes([len(output) // HASH_LENGTH + 1]), "sha256")
        output += block
    return output[:length]


def sequence(*items):
    return b"".join(cbor2.dumps(item, canonical=True) for item in items)


def kdf(key, label, context, length):
    return expand(key, sequence(label, context, length), length)


def private_key(raw):
    return ec.derive_private_key(int.from_bytes(raw, "big"), ec.SECP256R1())


def x_of(key):
    return key.public_key().public_numbers().x.to_bytes(32, "big")


def point(x):
    """Either point with that x: the shared secret is the same (RFC 9528, 3.7)."""
    return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), b"\x02" + x)


def secret(private, public):
    return private.exchange(ec.ECDH(), public)


class P256:
    """Ephemeral keys of suites 2, 3 and 5."""

    private = staticmethod(private_key)
    x_of = staticmethod(x_of)

    @staticmethod
    def agree(private, x):
        return secret(private, point(x))


class Curve25519:
    """Ephemeral keys of suite 6 (RFC 7748, 6.1)."""

    private = staticmethod(X25519PrivateKey.from_private_bytes)

    @staticmethod
    def x_of(key):
        return key.public_key().public_bytes_raw()

    @staticmethod
    def agree(private, x):
        return private.exchange(X25519PublicKey.from_public_bytes(x))


Cipher = namedtuple("Cipher", "make key_length nonce_length")
CCM_8 = Cipher(lambda key: AESCCM(key, 8), 16, 13)
CCM_16 = Cipher(lambda key: AESCCM(key, 16), 16, 13)
CHACHA = Cipher(ChaCha20Poly1305, 32, 12)
GCM = Cipher(AESGCM, 16, 12)
# RFC 9528, 3.6: for message_3, MAC length, ephemeral keys, for what comes after. All sign by ES256 and hash by SHA-256.
Suite = namedtuple("Suite", "cipher mac_length curve application")
SUITES = {2: Suite(CCM_8, 8, P256, CCM_8), 3: Suite(CCM_16, 16, P256, CCM_8),
          5: Suite(CHACHA, 16, P256, CHACHA), 6: Suite(GCM, 16, Curve25519, GCM)}


def public_key(cose_key):
    return ec.EllipticCurvePublicNumbers(
        int.from_bytes(cose_key[-2], "big"), int.from_bytes(cose_key[-3], "big"), ec.SECP256R1()).public_key()


def sign(private, message):
    """ES256: r and s, 32 bytes each."""
    signature = private.sign(message, ec.ECDSA(hashes.SHA256()))
    return b"".join(number.to_bytes(32, "big") for number in decode_dss_signature(signature))


def compact(identifier):
    """RFC 9528, 3.3.2: a byte string that is an integer's own encoding travels as that."""
    if len(identifier) == 1 and (identifier[0] <= 0x17 or 0x20 <= identifier[0] <= 0x37):
        return identifier
    return cbor2.dumps(identifier)


def expanded(item):
    """The reverse."""
    return item if isinstance(item, bytes) else cbor2.dumps(item)


def signed_structure(id_cred, transcript, credential, ead, mac):
    return cbor2.dumps(["Signature1", id_cred, cbor2.dumps(transcript) + credential + ead, mac])


def items_of(ead):
    """[(label with its sign, value), …]"""
    stream, items = io.BytesIO(ead), []
    while stream.tell() < len(ead):
        label = cbor2.load(stream)
        at = stream.tell()
        value = cbor2.load(stream) if at < len(ead) else None
        if not isinstance(value, bytes):
            stream.seek(at)
            value = None
        items.append((label, value))
    return items


class Initiator:
    """One exchange. `gate` is asked for CRED_R, key included, by ID_CRED_R's `kid`. Long-term keys are on P-256."""

    def __init__(self, method, suites, ephemeral=None, c_i=b"\x00"):
        self.method = method
        # A suite that is not here can only be asked for.
        self.suite = SUITES.get(suites[-1], SUITES[2])
        self.ephemeral = self.suite.curve.private(ephemeral or os.urandom(32))
        self.we_sign, self.gate_signs = method in (0, 1), method in (0, 2)
        named = suites if len(suites) > 1 else suites[0]
        self.message_1 = sequence(method, named, self.suite.curve.x_of(self.ephemeral)) + compact(c_i)

    def receive_message_2(self, message_2, gate):
        """Answers EAD_2 as items, once the gate has proved its key."""
        content = cbor2.loads(message_2)
        self.g_y, ciphertext = content[:32], content[32:]
        self.th_2 = sha256(sequence(self.g_y, sha256(self.message_1)))
        prk_2e = extract(self.th_2, self.suite.curve.agree(self.ephemeral, self.g_y))
        keystream = kdf(prk_2e, KEYSTREAM_2, self.th_2, len(ciphertext))
        plaintext = bytes(one ^ other for one, other in zip(ciphertext, keystream))
        stream = io.BytesIO(plaintext)
        c_r = expanded(cbor2.load(stream))
        kid = expanded(cbor2.load(stream))
        proof = cbor2.load(stream)
        ead = plaintext[stream.tell():]
        credential = gate(kid)
        key = public_key(cbor2.loads(credential)[8][1])
        id_cred = cbor2.dumps({4: kid})
        self.prk_3e2m = prk_2e
        if not self.gate_signs:
            salt = kdf(prk_2e, SALT_3E2M, self.th_2, HASH_LENGTH)
            self.prk_3e2m = extract(salt, secret(self.ephemeral, key))
        length = HASH_LENGTH if self.gate_signs else self.suite.mac_length
        mac = kdf(self.prk_3e2m, MAC_2, compact(c_r) + id_cred + cbor2.dumps(self.th_2) + credential + ead, length)
        self._check(proof, key, signed_structure(id_cred, self.th_2, credential, ead, mac), mac)
        self.th_3 = sha256(cbor2.dumps(self.th_2) + plaintext + credential)
        return items_of(ead)

    def _check(self, proof, key, structure, mac):
        if not self.gate_signs:
            if not hmac.compare_digest(proof, mac):
                raise InvalidSignature
            return
        assert len(proof) == SIGNATURE_LENGTH
        r, s = int.from_bytes(proof[:32], "big"), int.from_bytes(proof[32:], "big")
        key.verify(encode_dss_signature(r, s), structure, ec.ECDSA(hashes.SHA256()))

    def make_message_3(self, private, id_cred, credential, ead):
        """`id_cred` is the encoded map, `credential` CRED_I, `ead` the field."""
        prk_4e3m = self.prk_3e2m
        if not self.we_sign:
            salt = kdf(self.prk_3e2m, SALT_4E3M, self.th_3, HASH_LENGTH)
            prk_4e3m = extract(salt, secret(private, point(self.g_y)))
        length = HASH_LENGTH if self.we_sign else self.suite.mac_length
        proof = kdf(prk_4e3m, MAC_3, id_cred + cbor2.dumps(self.th_3) + credential + ead, length)
        if self.we_sign:
            proof = sign(private, signed_structure(id_cred, self.th_3, credential, ead, proof))
        named = cbor2.loads(id_cred)
        shown = compact(named[4]) if list(named) == [4] else id_cred
        plaintext = shown + cbor2.dumps(proof) + ead
        make, key_length, nonce_length = self.suite.cipher
        cipher = make(kdf(self.prk_3e2m, K_3, self.th_3, key_length))
        sealed = cipher.encrypt(kdf(self.prk_3e2m, IV_3, self.th_3, nonce_length), plaintext,
                                cbor2.dumps(["Encrypt0", b"", self.th_3]))
        self.th_4 = sha256(cbor2.dumps(self.th_3) + plaintext + credential)
        self.prk_out = kdf(prk_4e3m, PRK_OUT, self.th_4, HASH_LENGTH)
        return cbor2.dumps(sealed)

    def export(self, label, length):
        return kdf(kdf(self.prk_out, PRK_EXPORTER, b"", HASH_LENGTH), label, b"", length)

    def open_outcome(self, sealed):
        """The first message under the application AEAD has the exported nonce."""
        make, key_length, nonce_length = self.suite.application
        return cbor2.loads(make(self.export(32768, key_length)).decrypt(self.export(32769, nonce_length), sealed, b""))
