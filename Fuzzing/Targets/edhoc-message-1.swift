import Cryptography
import Encoding
import PhoneProtocol

/// Any bytes as message_1, at responders of either curve: accepted or refused, and what is accepted is
/// answered by a message_2 of the expected length.
func fuzz(_ input: [UInt8]) {
    respond(input, suites: [.suite2, .suite3, .suite5], claims: [0xA0], signing: .p256)
    respond(input, suites: [.suite6], claims: [0xA0], signing: .p256)
    respond(input, suites: [.suite0, .suite1], claims: [0xA0], signing: .ed25519)
    if let error = try? EDHOCErrorMessage(parsing: input) {
        guard case .unspecified = error else { return }
        precondition((try? EDHOCErrorMessage(parsing: error.encoded)) == error, "an error is read as written")
    }
}

private func respond(_ input: [UInt8], suites: [CipherSuite], claims: [UInt8], signing curve: Curve) {
    let raw = [UInt8](repeating: 0x2A, count: 32)
    guard let key = try? AgreementKey(rawPrivate: raw, curve: suites[0].agreementCurve),
          let signing = try? SigningKey(rawPrivate: raw, curve: curve)
    else { preconditionFailure("the key is good") }
    var responder = EDHOCResponder(
        methods: EDHOCMethod.allCases, suites: suites, connectionIdentifier: [0], ephemeral: EphemeralKey(known: key))
    guard let opening = try? responder.receiveMessage1(input) else {
        precondition((try? responder.receiveMessage1(input)) == nil, "a failed exchange is over")
        return
    }
    precondition(suites.contains(opening.suite), "only our suites")
    let identifier = CredentialIdentifier(keyIdentifier: [0x01])
    let own = OwnCredential(
        identifier: identifier, credential: claims,
        key: opening.method.responderUsesSignature ? .signing(signing) : .agreement(key))
    guard let message2 = try? responder.makeMessage2(own) else { return }
    let proof = opening.method.responderUsesSignature ? 66 : opening.suite.macLength + 1
    precondition(message2.count == 2 + 32 + 2 + proof, "message_2 has its length")
}
