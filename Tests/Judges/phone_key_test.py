"""Keys that others make, and keys of ours that others read: openssl's command, cryptography, cwt and cbor2 judge.

TAPSTILE_BIN is the folder of the built programs.
"""

import base64
import hashlib
import json
import os

import cbor2
import cwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption, Encoding, NoEncryption, PrivateFormat, PublicFormat, load_der_public_key, load_pem_public_key)

from processes import run


# Nothing need synchronise the clock of a machine that tests: whoever runs them answers for it.
ENVIRONMENT = {**os.environ, "TAPSTILE_CLOCK_SOURCE": "installer"}


def tool(name, *arguments, code=0):
    done = run([os.path.join(os.environ["TAPSTILE_BIN"], name), *arguments, "--json"], env=ENVIRONMENT, capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout if code == 0 else done.stderr), done.stdout + done.stderr


@pytest.fixture
def office(tmp_path):
    folder = tmp_path / "office"
    tool("tapstile-authority", "init", "--site", "north", "--dir", folder)

    def ask(*arguments, code=0):
        return tool("tapstile-authority", *arguments, "--dir", folder, code=code)

    def lines(*arguments):
        program = os.path.join(os.environ["TAPSTILE_BIN"], "tapstile-authority")
        done = run([program, *arguments, "--dir", folder, "--json"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    ask.folder, ask.lines = folder, lines
    return ask


def coordinates(public):
    numbers = public.public_numbers()
    return numbers.x.to_bytes(32, "big"), numbers.y.to_bytes(32, "big")


def thumbprint(public):
    """RFC 9679, 3: a hash of the key in deterministic CBOR."""
    x, y = coordinates(public)
    return hashlib.sha256(cbor2.dumps({1: 2, -1: 1, -2: x, -3: y}, canonical=True)).hexdigest()


def text(value):
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def jwk(public, **more):
    x, y = coordinates(public)
    return {"kty": "EC", "crv": "P-256", "x": text(x), "y": text(y), **more}


def pem(public):
    return public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def openssl(*arguments, given=None):
    done = run(["openssl", *arguments], input=given, capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


PUBLIC = {
    "pem": pem,
    "der": lambda public: public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo),
    "point": lambda public: public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint),
    "compressed-point": lambda public: public.public_bytes(Encoding.X962, PublicFormat.CompressedPoint),
    "point-in-hexadecimal": lambda public: public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint).hex().encode() + b"\n",
    "compressed-pem": lambda public: openssl("ec", "-pubin", "-conv_form", "compressed", "-pubout", given=pem(public)),
    "compressed-der": lambda public: openssl("ec", "-pubin", "-conv_form", "compressed", "-outform", "DER", given=pem(public)),
    "jwk": lambda public: json.dumps(jwk(public, use="sig", kid="anna's phone"), indent=2).encode(),
    "jwk-of-webcrypto": lambda public: json.dumps(jwk(public, key_ops=["verify"], ext=True)).encode(),
    "cose-of-cwt": lambda public: cbor2.dumps(cwt.COSEKey.from_pem(pem(public)).to_dict()),
    "cose-compressed": lambda public: cbor2.dumps({1: 2, -1: 1, -2: coordinates(public)[0], -3: bool(coordinates(public)[1][-1] & 1)}),
}


@pytest.mark.parametrize("form", PUBLIC)
def test_a_public_key_of_theirs_is_taken(office, tmp_path, form):
    public = ec.generate_private_key(ec.SECP256R1()).public_key()
    path, token = tmp_path / "key", tmp_path / "token"
    path.write_bytes(PUBLIC[form](public))
    assert office("enrol", "--key", path, "--subject", "anna")[0]["thumbprint"] == thumbprint(public)
    office("token", "--key", path, "--subject", "anna", "--out", token)
    protected, _, payload, _ = cbor2.loads(token.read_bytes())
    confirmed = cbor2.loads(payload)[8][1]
    assert (confirmed[-2], confirmed[-3]) == coordinates(public) and confirmed[4] == [2]


@pytest.mark.parametrize("form", PUBLIC)
def test_a_list_of_theirs_is_taken(office, tmp_path, form):
    public = ec.generate_private_key(ec.SECP256R1()).public_key()
    made = PUBLIC[form](public)
    if form.startswith("jwk"):
        key = json.loads(made)
    elif "pem" in form or "hexadecimal" in form:
        key = made.decode()
    else:
        key = made.hex()
    path = tmp_path / "list"
    path.write_text(json.dumps({"subject": "anna", "key": key}) + "\n")
    assert office("enrol", "--from", path)[0]["added"] == 1
    (enrolled,) = [json.loads(line) for line in office.lines("list", "enrolled")]
    assert enrolled["thumbprint"] == thumbprint(public)


def private_keys():
    key = ec.generate_private_key(ec.SECP256R1())
    value = key.private_numbers().private_value.to_bytes(32, "big")
    x, y = coordinates(key.public_key())
    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    pkcs8 = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return value, {
        "pkcs8-pem": pkcs8,
        "pkcs8-der": key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption()),
        "pkcs8-encrypted-pem": key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"secret")),
        "pkcs8-encrypted-der": key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, BestAvailableEncryption(b"secret")),
        "sec1-pem": key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption()),
        "sec1-der": key.private_bytes(Encoding.DER, PrivateFormat.TraditionalOpenSSL, NoEncryption()),
        "openssh": key.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()),
        "with-its-text": openssl("ec", "-text", given=pkcs8),
        "with-the-public-key": pkcs8 + pem(key.public_key()),
        "jwk": json.dumps(jwk(key.public_key(), d=text(value))).encode(),
        "cose": cbor2.dumps({1: 2, -1: 1, -2: x, -3: y, -4: value}),
        "cose-of-cwt": cbor2.dumps(cwt.COSEKey.from_pem(pkcs8).to_dict()),
        "of-apple": point + value,
        "rsa": rsa.generate_private_key(65537, 2048).private_bytes(Encoding.DER, PrivateFormat.TraditionalOpenSSL, NoEncryption()),
    }


@pytest.mark.parametrize("form", private_keys()[1])
def test_a_private_key_by_mistake_is_refused_loudly_and_kept_nowhere(office, tmp_path, form):
    value, made = private_keys()
    path = tmp_path / "key"
    path.write_bytes(made[form])
    for command in ("token", "enrol"):
        error, printed = office(command, "--key", path, "--subject", "anna", code=1)
        assert error["error"]["code"] == "key-is-private" and "THIS IS A PRIVATE KEY" in error["error"]["message"]
        assert value.hex() not in printed.lower() and text(value) not in printed
    for folder, _, files in os.walk(office.folder):
        for name in files:
            with open(os.path.join(folder, name), "rb") as file:
                kept = file.read()
            assert value not in kept and value.hex().encode() not in kept and text(value).encode() not in kept, name


OTHERS = {
    "p-384": (lambda: pem(ec.generate_private_key(ec.SECP384R1()).public_key()), "key-wrong-curve"),
    "ed25519": (lambda: pem(ed25519.Ed25519PrivateKey.generate().public_key()), "key-wrong-curve"),
    "rsa": (lambda: pem(rsa.generate_private_key(65537, 2048).public_key()), "key-wrong-curve"),
    "explicit-curve": (lambda: openssl("ec", "-pubin", "-param_enc", "explicit", "-pubout", given=PUBLIC["pem"](a_key())), "key-wrong-curve"),
    "two": (lambda: pem(a_key()) + pem(a_key()), "key-several"),
    "trailing-bytes": (lambda: PUBLIC["der"](a_key()) + b"\0", "key-trailing-bytes"),
    "jwk-of-p-384": (lambda: json.dumps({**jwk(a_key()), "crv": "P-384"}).encode(), "key-wrong-curve"),
    "not-on-the-curve": (lambda: json.dumps({**jwk(a_key()), "y": text(b"\1" * 32)}).encode(), "point-not-on-curve"),
    "nothing": (lambda: b"", "key-form-unknown"),
}


def a_key():
    return ec.generate_private_key(ec.SECP256R1()).public_key()


@pytest.mark.parametrize("what", OTHERS)
def test_what_is_no_key_of_a_phone_is_refused_for_what_it_is(office, tmp_path, what):
    make, code = OTHERS[what]
    path = tmp_path / "key"
    path.write_bytes(make())
    assert office("token", "--key", path, "--subject", "anna", code=1)[0]["error"]["code"] == code


READERS = {
    "pem": load_pem_public_key,
    "der": load_der_public_key,
    "point": lambda made: ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), bytes.fromhex(made.decode())),
    "jwk": lambda made: of_coordinates(*(json.loads(made)[name] for name in "xy")),
    "cose": lambda made: of_cose(cwt.COSEKey.new(cbor2.loads(made)).to_dict()),
}


def of_coordinates(x, y):
    return of_cose({-2: base64.urlsafe_b64decode(x + "="), -3: base64.urlsafe_b64decode(y + "=")})


def of_cose(key):
    x, y = (int.from_bytes(key[label], "big") for label in (-2, -3))
    return ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()


@pytest.mark.parametrize("form", READERS)
def test_a_public_key_of_ours_is_read_by_them(tmp_path, form):
    made, _ = tool("tapstile-phone", "key", "--out", tmp_path / "anna.key", "--format", form)
    written = (tmp_path / "anna.pub").read_bytes()
    assert thumbprint(READERS[form](written)) == made["thumbprint"]
    if form in ("pem", "der"):
        told = openssl("pkey", "-pubin", "-inform", form.upper(), "-in", tmp_path / "anna.pub", "-noout", "-text")
        assert b"prime256v1" in told and b"256 bit" in told


def test_a_key_of_ours_in_any_form_opens_with_what_the_office_makes_of_it(office, tmp_path):
    for form in (*READERS, "tapstile"):
        made, _ = tool("tapstile-phone", "key", "--out", tmp_path / f"{form}.key", "--format", form, "--agree")
        options = ["--use", "agree"] if form in ("pem", "der", "point") else []
        enrolled, _ = office("enrol", "--key", made["public"], "--subject", form, *options)
        assert (enrolled["thumbprint"], enrolled["use"]) == (made["thumbprint"], "agree")
