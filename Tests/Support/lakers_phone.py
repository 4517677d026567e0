"""The Python package lakers as a phone: method 3, suite 2, an enrolled claims set. Only CBOR is ours here
(docs/phone-protocol.md); what carries its messages is somebody else's.

lakers cannot export keys under labels above 255, so that its phone cannot open the outcome it is sent; what the gate
decided is seen at the gate.
"""

import cbor2
import lakers
from cryptography.hazmat.primitives.asymmetric import ec

GATE_CONTEXT, PHONE_REQUEST = 54353, 54354
NFC, BLE = 0, 1
CAN_USE_NFC = 4


def claims_set(subject, key_identifier, private):
    """The CCS of a key. lakers makes and needs x alone; a COSE_Key has y too (RFC 9053, 7.1.1)."""
    point = ec.derive_private_key(int.from_bytes(private, "big"), ec.SECP256R1()).public_key().public_numbers()
    key = {1: 2, 2: key_identifier, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")}
    return cbor2.dumps({2: subject, 8: {1: key}}, canonical=True)


def known_gates(path):
    """The gates a phone knows, by key identifier, as the authority wrote them: a CBOR sequence."""
    known = {}
    with open(path, "rb") as file:
        raw = file.read()
    offset = 0
    while offset < len(raw):
        value = cbor2.loads(raw[offset:])
        length = len(cbor2.dumps(value, canonical=True))
        # The arrays between the claims sets are gate issuers: lakers takes no gate credential by value.
        if isinstance(value, dict):
            known.setdefault(value[8][1][2], raw[offset:offset + length])
        offset += length
    return known


class LakersPhone:
    """The phone's side of one exchange, and of the next one after `begin`. `flags` are what it says of itself."""

    def __init__(self, gates, carrier, transfer=lakers.CredentialTransfer.ByValue, private=None, flags=CAN_USE_NFC):
        self.private = private or lakers.p256_generate_key_pair()[0]
        self.claims = claims_set("carla", b"\x2b", self.private)
        self.gates = gates
        self.carrier = carrier
        self.transfer = transfer
        self.flags = flags
        self.context = None
        self.begin()

    def begin(self):
        self.initiator = lakers.EdhocInitiator()
        self.message1 = self.initiator.prepare_message_1(c_i=b"\x00")

    def message3(self, message2):
        _, id_cred_r, ead_2 = self.initiator.parse_message_2(message2)
        (item,) = ead_2
        assert item.label() == GATE_CONTEXT and item.is_critical()
        self.context = cbor2.loads(bytes(item.value()))
        gate = self.gates[cbor2.loads(id_cred_r)[4]]
        self.initiator.verify_message_2(self.private, lakers.Credential(self.claims), lakers.Credential(gate))
        version, _, lane, carrier, *_ = self.context
        assert (version, carrier) == (1, self.carrier)
        request = cbor2.dumps([self.carrier, lane, None, self.flags, "en"])
        message3, _ = self.initiator.prepare_message_3(
            self.transfer, [lakers.EADItem(PHONE_REQUEST, True, request)])
        return message3
