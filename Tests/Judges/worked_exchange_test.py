"""docs/worked-exchanges.md, computed again from its own text.

What an app author has is the page, an EDHOC description and a cryptographic library. So has this: it reads
what was chosen or recorded there (keys, ephemeral keys, signatures, names and times of the introduction) and
computes every other value by RFC 9528 and docs/phone-protocol.md, with `cbor2` and `cryptography` alone.
"""

import hashlib
import os
import re

import cbor2
import pytest
from cryptography.hazmat.primitives import hashes, hmac
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand
from edhoc_phone import SUITES

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "worked-exchanges.md")

# What cannot be computed: private values, and signatures, which are random.
CHOSEN = {"gate_private_key", "phone_private_key", "issuer_private_key", "X", "Y",
          "token_signature", "Signature_2", "Signature_3"}


def text_of_page():
    with open(PAGE, encoding="utf-8") as file:
        return file.read()


def read(section):
    """The values of a section: name to bytes."""
    values = {}
    for block in re.findall(r"```text\n(.*?)```", section, re.DOTALL):
        for entry in block.strip("\n").split("\n\n"):
            head, *lines = entry.split("\n")
            name, count = re.match(r"(\w+) \((\d+) bytes?\)", head).groups()
            content = bytes.fromhex("".join(line for line in lines if not line.startswith(";")))
            assert len(content) == int(count), name
            assert name not in values, name
            values[name] = content
    return values


def exchanges():
    """Values common to all, and those of each exchange: by value, by reference, and by value in the other suites."""
    common, *sections = re.split(r"^## (?:The token by .*|Suite \d)$", text_of_page(), flags=re.MULTILINE)
    return read(common), *map(read, sections)


def settings():
    """Names and times, from the introduction."""
    text = " ".join(text_of_page().split())
    lane, gate, site = re.search(r'lane "(.*?)" of the gate "(.*?)" of the site "(.*?)"', text).groups()
    time, generation = re.search(r"gate's time is (\d+), the generation of its site data (\d+)", text).groups()
    return lane, gate, site, int(time), int(generation)


def bstr(content):
    return cbor2.dumps(content)


def sequence(*items):
    return b"".join(cbor2.dumps(item, canonical=True) for item in items)


def deterministic(item):
    return cbor2.dumps(item, canonical=True)


def sha256(content):
    return hashlib.sha256(content).digest()


def extract(salt, key):
    digest = hmac.HMAC(salt, hashes.SHA256())
    digest.update(key)
    return digest.finalize()


def private(value):
    return ec.derive_private_key(int.from_bytes(value, "big"), ec.SECP256R1())


def coordinates(key):
    numbers = key.public_key().public_numbers()
    return numbers.x.to_bytes(32, "big"), numbers.y.to_bytes(32, "big")


def verify(key, signature, message):
    der = utils.encode_dss_signature(int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big"))
    key.public_key().verify(der, message, ec.ECDSA(hashes.SHA256()))


def key_of(x, y, kid=None):
    return {1: 2, -1: 1, -2: x, -3: y} | ({} if kid is None else {2: kid})


def compact(kid):
    """RFC 9528, 3.3.2."""
    is_integer = len(kid) == 1 and (kid[0] <= 0x17 or 0x20 <= kid[0] <= 0x37)
    return kid if is_integer else bstr(kid)


class Worked(dict):
    """Values as they are computed; `kdf` keeps `info` too."""

    def kdf(self, name, prk, label, context, length):
        self["info_" + name] = sequence(label, context, length)
        self[name] = HKDFExpand(hashes.SHA256(), length, self["info_" + name]).derive(prk)
        return self[name]


def signed(id_cred, th, cred, ead, mac):
    return deterministic(["Signature1", id_cred, bstr(th) + cred + ead, mac])


def worked_site(page):
    own = Worked({name: page[name] for name in CHOSEN & set(page)})
    _, _, site, _, _ = settings()
    for name in ["gate", "phone", "issuer"]:
        own[name + "_x"], own[name + "_y"] = coordinates(private(page[name + "_private_key"]))
    own["gate_thumbprint_input"] = deterministic(key_of(own["gate_x"], own["gate_y"]))
    own["gate_thumbprint"] = sha256(own["gate_thumbprint_input"])
    own["gate_kid"] = own["gate_thumbprint"][:1]
    own["CRED_R"] = deterministic({2: site, 8: {1: key_of(own["gate_x"], own["gate_y"], own["gate_kid"])}})

    # The claims are whatever the issuer chose; what a phone must know of them is checked.
    own["token_claims"] = page["token_claims"]
    claims = cbor2.loads(page["token_claims"])
    assert deterministic(claims) == page["token_claims"]
    assert claims[8] == {1: key_of(own["phone_x"], own["phone_y"])}
    assert claims[3].startswith(f"tapstile:{site}")
    own["token_protected"] = deterministic({1: -7})
    own["token_Sig_structure"] = deterministic(["Signature1", own["token_protected"], b"", own["token_claims"]])
    verify(private(page["issuer_private_key"]), page["token_signature"], own["token_Sig_structure"])
    own["token"] = deterministic([own["token_protected"], {}, own["token_claims"], page["token_signature"]])
    own["token_identifier"] = sha256(own["token_Sig_structure"])
    own["token_reference"] = own["token_identifier"][:8]
    return own


def worked_exchange(site, page, by_reference=False, suite=2):
    message_cipher, _, curve, application = SUITES[suite]
    own = Worked({name: page[name] for name in CHOSEN & set(page)})
    lane, gate, _, time, generation = settings()

    # SELECT, message_1
    phone, responder = curve.private(page["X"]), curve.private(page["Y"])
    own["G_X"], own["G_Y"] = curve.x_of(phone), curve.x_of(responder)
    own["message_1"] = sequence(0, suite, own["G_X"], 0)
    own["SELECT"] = bytes([0, 0xA4, 4, 0, 9, 0xF0]) + b"tapstile" + bytes(1)
    answer = bytes([0x80, 1, 1, 0x81, len(own["message_1"])]) + own["message_1"]
    answer = bytes([0x6F, len(answer) + 2, 0xA5, len(answer)]) + answer
    own["SELECT_response"] = answer + b"\x90\x00"

    # message_2
    own["G_XY"] = curve.agree(phone, own["G_Y"])
    own["H_message_1"] = sha256(own["message_1"])
    th_2 = own["TH_2"] = sha256(sequence(own["G_Y"], own["H_message_1"]))
    prk = own["PRK_2e"] = own["PRK_3e2m"] = own["PRK_4e3m"] = extract(th_2, own["G_XY"])
    own["gate_context"] = deterministic([1, gate, lane, 0, 0, time, generation, False])
    own["EAD_2"] = sequence(-54353, own["gate_context"])
    own["ID_CRED_R"] = deterministic({4: site["gate_kid"]})
    own["context_2"] = b"\x00" + own["ID_CRED_R"] + bstr(th_2) + site["CRED_R"] + own["EAD_2"]
    own.kdf("MAC_2", prk, 2, own["context_2"], 32)
    own["Sig_structure_2"] = signed(own["ID_CRED_R"], th_2, site["CRED_R"], own["EAD_2"], own["MAC_2"])
    verify(private(site["gate_private_key"]), page["Signature_2"], own["Sig_structure_2"])
    own["PLAINTEXT_2"] = b"\x00" + compact(site["gate_kid"]) + bstr(page["Signature_2"]) + own["EAD_2"]
    own.kdf("KEYSTREAM_2", prk, 0, th_2, len(own["PLAINTEXT_2"]))
    own["CIPHERTEXT_2"] = bytes(a ^ b for a, b in zip(own["PLAINTEXT_2"], own["KEYSTREAM_2"]))
    own["message_2"] = bstr(own["G_Y"] + own["CIPHERTEXT_2"])
    own["EXCHANGE"] = bytes([0x80, 0xE2, 0, 0, len(own["message_2"])]) + own["message_2"] + bytes(1)
    th_3 = own["TH_3"] = sha256(bstr(th_2) + own["PLAINTEXT_2"] + site["CRED_R"])

    # message_3
    token = own["CRED_I"] = site["token"]
    own["phone_request"] = deterministic([0, lane, None, 4, "en"])
    own["EAD_3"] = sequence(-54354, own["phone_request"])
    own["ID_CRED_I"] = deterministic({4: site["token_reference"]}) if by_reference else b"\xa1\x0d" + token
    own["context_3"] = own["ID_CRED_I"] + bstr(th_3) + token + own["EAD_3"]
    own.kdf("MAC_3", prk, 6, own["context_3"], 32)
    own["Sig_structure_3"] = signed(own["ID_CRED_I"], th_3, token, own["EAD_3"], own["MAC_3"])
    verify(private(site["phone_private_key"]), page["Signature_3"], own["Sig_structure_3"])
    named = compact(site["token_reference"]) if by_reference else own["ID_CRED_I"]
    own["PLAINTEXT_3"] = named + bstr(page["Signature_3"]) + own["EAD_3"]
    own["A_3"] = deterministic(["Encrypt0", b"", th_3])
    make, key_length, nonce_length = message_cipher
    cipher = make(own.kdf("K_3", prk, 3, th_3, key_length))
    own["CIPHERTEXT_3"] = cipher.encrypt(own.kdf("IV_3", prk, 4, th_3, nonce_length), own["PLAINTEXT_3"], own["A_3"])
    message_3 = own["message_3"] = bstr(own["CIPHERTEXT_3"])
    first, rest = message_3[:250], message_3[250:]
    own["EXCHANGE_response"] = first + (bytes([0x61, len(rest)]) if rest else b"\x90\x00")
    if rest:
        own["GET_RESPONSE"] = bytes([0, 0xC0, 0, 0, len(rest)])
        own["GET_RESPONSE_response"] = rest + b"\x90\x00"
    th_4 = own["TH_4"] = sha256(bstr(th_3) + own["PLAINTEXT_3"] + token)

    # OUTCOME
    exporter = own.kdf("PRK_exporter", own.kdf("PRK_out", prk, 7, th_4, 32), 10, b"", 32)
    make, key_length, nonce_length = application
    channel = make(own.kdf("gate_to_phone_key", exporter, 32768, b"", key_length))
    nonce = own.kdf("gate_to_phone_nonce", exporter, 32769, b"", nonce_length)
    own["outcome"] = channel.decrypt(nonce, page["outcome_ciphertext"], b"")
    version, result, reason, retry_after, head, addition = cbor2.loads(own["outcome"])
    assert (version, result, reason, retry_after, len(head), addition) == (1, 0, 0, None, 32, None)
    own["outcome_ciphertext"] = channel.encrypt(nonce, own["outcome"], b"")
    sealed = own["outcome_ciphertext"]
    own["OUTCOME"] = bytes([0x80, 0xE4, 0, 0, len(sealed)]) + sealed + bytes(1)
    own["OUTCOME_response"] = b"\x90\x00"

    # What the journal keeps
    gate_said = [th_2, own["PLAINTEXT_2"], own["MAC_2"], site["CRED_R"]]
    phone_said = [token if by_reference else None, own["EAD_3"], own["MAC_3"], page["Signature_3"]]
    own["evidence"] = deterministic([2, 0, own["ID_CRED_I"], *gate_said, *phone_said])
    return own


def compare(own, page):
    """Every value of the page was computed, and is the same."""
    assert set(own) == set(page)
    assert len(page) > 15
    for name, value in page.items():
        assert own[name].hex() == value.hex(), name


def test_keys_credentials_and_token():
    common, *_ = exchanges()
    compare(worked_site(common), common)


WAYS = [(False, 2), (True, 2), (False, 3), (False, 5), (False, 6)]


def test_every_exchange_is_there():
    assert len(exchanges()) == 1 + len(WAYS)


@pytest.mark.parametrize("place, way", list(enumerate(WAYS)))
def test_exchange(place, way):
    common, *pages = exchanges()
    compare(worked_exchange(worked_site(common), pages[place], *way), pages[place])


def test_a_changed_value_is_found():
    common, page, *_ = exchanges()
    site = worked_site(common)
    for name in sorted(set(page) - CHOSEN - {"outcome_ciphertext"}):
        changed = dict(page, **{name: page[name][:-1] + bytes([page[name][-1] ^ 1])})
        with pytest.raises(AssertionError):
            compare(worked_exchange(site, changed), changed)
