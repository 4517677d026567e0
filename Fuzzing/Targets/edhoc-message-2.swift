import Cryptography
import Encoding
import PhoneProtocol

/// Any bytes as message_2, at the initiator of RFC 9529, chapter 3: only the message of the trace is
/// believed. The keystream is always the same, so that the plaintext is explored too.
func fuzz(_ input: [UInt8]) {
    let key = bytes("368ec1f69aeb659ba37d5a8d45b21bdc0299dceaa8ef235f3ca42ce3530f9525")
    let gate = bytes(
        "a2026b6578616d706c652e65647508a101a501020241322001215820bbc34960526ea4d32e940cad2a234148ddc21791a12a"
            + "fbcbac93622046dd44f02258204519e257236b2a0ce2023f0931f1f386ca7afda64fcde0108c224c51eabf6072")
    let point = (
        x: bytes("bbc34960526ea4d32e940cad2a234148ddc21791a12afbcbac93622046dd44f0"),
        y: bytes("4519e257236b2a0ce2023f0931f1f386ca7afda64fcde0108c224c51eabf6072"))
    let message2 = bytes(
        "582b419701d7f00a26c2dc587a36dd752549f33763c893422c8ea0f955a13a4ff5d59862a1eef9e0e7e1886fcd")
    guard let ephemeral = try? AgreementKey(rawPrivate: key, curve: .p256),
          let responder = try? PublicKey(curve: .p256, x: point.x, y: point.y)
    else { preconditionFailure("the key is good") }
    var initiator = EDHOCInitiator(
        method: .bothAgree, suites: [6, 2], connectionIdentifier: [0x37], ephemeral: EphemeralKey(known: ephemeral))
    precondition((try? initiator.makeMessage1())?.count == 39, "message_1 is the one of the trace")
    guard let claim = try? initiator.receiveMessage2(input) else { return }
    precondition((try? CredentialIdentifier(map: claim.identifier.map)) == claim.identifier, "ID_CRED is read as written")
    let verified = (try? initiator.verifyMessage2([PeerCredential(credential: gate, key: responder)])) != nil
    precondition(verified == (input == message2), "only the true message_2 verifies")
}

private func bytes(_ hex: String) -> [UInt8] {
    guard let bytes = try? Hex.decode(hex) else { preconditionFailure("hexadecimal") }
    return bytes
}
