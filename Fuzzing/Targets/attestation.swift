@testable import Attestation
import Cryptography
import Encoding

/// Attestations of Android phones as they arrive. The first byte says what follows; no input stops the readers, what they take has one
/// end, and what is judged good is what a real phone signed.
func fuzz(_ input: [UInt8]) {
    let rest = Array(input.dropFirst())
    switch (input.first ?? 0) & 3 {
    case 0: read(certificate: rest)
    case 1: read(record: rest)
    case 2: judge(rest)
    default: _ = try? RevokedSerials(status: rest)
    }
}

private func read(certificate bytes: [UInt8]) {
    guard let certificate = try? Certificate(bytes, number: 1) else { return }
    precondition((try? Certificate(bytes + [0], number: 1)) == nil, "nothing stands behind a certificate")
    precondition((try? Certificate(Array(bytes.dropLast()), number: 1)) == nil, "a certificate is whole")
    precondition(certificate.signed.count < bytes.count && certificate.serial.first != 0, "a part is no more than the whole")
    _ = certificate.period
    _ = certificate.subjectAttribute(.organisation)
    guard let key = CertificateKey(subjectPublicKeyInfo: certificate.keyInformation), let algorithm = certificate.algorithm else { return }
    precondition(!key.verify(bytes, over: certificate.signed, by: algorithm), "a certificate is no signature")
}

private func read(record bytes: [UInt8]) {
    guard KeyDescription(bytes) != nil else { return }
    precondition(KeyDescription(bytes + [0]) == nil, "nothing stands behind a record")
    precondition(KeyDescription(Array(bytes.dropLast())) == nil, "a record is whole")
}

/// Certificates, each with two bytes of length before it, before a site that takes what the phone in `Corpus/attestation/chain-sony` has.
private func judge(_ bytes: [UInt8]) {
    let chain = pieces(bytes)
    guard let first = chain.first, let leaf = try? Certificate(first, number: 1), let record = leaf.extensions.attestation.flatMap({ KeyDescription($0) }),
          let key = PublicKey(p256SubjectPublicKeyInfo: leaf.keyInformation) else { return }
    guard (try? Attestation.judge(chain: chain, challenge: record.challenge, key: key, policy: policy, now: 1_780_585_200)) != nil else { return }
    precondition(SHA256.hash(leaf.signed) == signed, "only what a phone signed is good")
}

private let policy = AttestationPolicy(
    applications: ["com.android.vending"], signers: [hex("f0fd6c5b410f25cb25c3b53346c8972fae30f8ee7411df910480ad6b2d60db83")])
private let signed = hex("b73b07862f430470452d935cdb75d331abcdacff5a2c11d7535898c200a6c3f5")

private func hex(_ text: String) -> [UInt8] { (try? Hex.decode(text)) ?? [] }

private func pieces(_ bytes: [UInt8]) -> [[UInt8]] {
    var rest = bytes[...], pieces: [[UInt8]] = []
    while let high = rest.popFirst(), let low = rest.popFirst() {
        let length = Int(high) << 8 | Int(low)
        pieces.append(Array(rest.prefix(length)))
        rest = rest.dropFirst(length)
    }
    return pieces
}
