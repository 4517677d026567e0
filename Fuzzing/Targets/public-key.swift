import Cryptography
import Encoding
@testable import SiteData

/// Public keys and signatures as others write them. The first byte says what follows; no input stops the readers, what they take
/// has one form, and no signature is good under a key whose private half nobody has used.
func fuzz(_ input: [UInt8]) {
    let rest = Array(input.dropFirst())
    switch (input.first ?? 0) & 3 {
    case 0: read(text: String(decoding: rest, as: UTF8.self))
    case 1: read(bytes: rest)
    case 2: verify(rest)
    default: read(json: rest)
    }
}

private let message = Array("message".utf8)

private func read(text: String) {
    guard let bytes = PEM.publicKey(text) else { return }
    let lines = text.split(whereSeparator: { $0.isNewline }).dropFirst().dropLast()
    precondition(Base64.encode(bytes) == lines.joined(), "a block has one form")
    read(bytes: bytes)
}

private func read(bytes: [UInt8]) {
    if let key = PublicKey(p256SubjectPublicKeyInfo: bytes) {
        precondition(Array(bytes.suffix(64)) == key.x + (key.y ?? []), "the point is what was written")
        precondition(!key.verify(derSignature: bytes, over: message), "a key is no signature")
    }
    if let key = RSAPublicKey(subjectPublicKeyInfo: bytes) {
        precondition(RSAPublicKey.modulusBits.contains(key.modulus.count * 8), "a modulus within its bounds")
        precondition(!key.verify([UInt8](repeating: 1, count: key.modulus.count), over: message), "ones are no signature")
    }
}

/// Under the generator of the curve, whose private half is 1.
private func verify(_ signature: [UInt8]) {
    guard let key = try? SigningKey(rawPrivate: [UInt8](repeating: 0, count: 31) + [1], curve: .p256) else {
        preconditionFailure("1 is a private key")
    }
    _ = key.publicKey.verify(derSignature: signature, over: message)
    // A signature that is good is good in one form only.
    guard let made = try? key.sign(message) else { preconditionFailure("every message can be signed") }
    precondition(!key.publicKey.verify(derSignature: made, over: message), "the raw form is not the other one")
}

private func read(json bytes: [UInt8]) {
    guard let value = try? JSON.parse(bytes), let key = VerificationKey(value) else { return }
    precondition(!key.verifies(bytes, over: message), "a key is no signature")
    precondition(VerificationKey(value) == key, "a key is equal to itself")
}
