import Credentials
import Cryptography
import Encoding
import Evidence
import PhoneProtocol

/// An exported file, a record, or evidence, made by anybody: read in one way, checked without end of the program, and
/// what is invented never holds.
func fuzz(_ input: [UInt8]) {
    if let file = try? EvidenceFile(parsing: input) {
        precondition(file.encoded == input, "a file has one form")
        examine(file)
    }
    // As far as an inventor comes who makes the hash fit: the record is his own, then the evidence in it.
    examine(around(input))
    examine(around(record(with: input)))
}

private func examine(_ file: EvidenceFile) {
    for trust in [EvidenceTrust(), known] {
        let report = EvidenceVerification.verify(file, against: trust)
        precondition(!report.holds, "nobody signed this for the keys that are believed")
        precondition(!report.checks.isEmpty, "something was asked")
        precondition(Set(report.checks.map(\.name)).count == report.checks.count, "each once")
        for check in report.checks {
            precondition(!check.sentence.utf8.contains { $0 < 0x20 || $0 == 0x7F }, "a sentence is one line")
        }
        for line in [report.headline, report.remainder ?? ""] { precondition(!line.utf8.contains { $0 < 0x20 || $0 == 0x7F }, "a line is one") }
        if let record = report.record { precondition((0...253_402_300_799).contains(record.seconds), "a time that can be shown") }
    }
    _ = EvidenceQuestion(about: file)
}

private func around(_ record: [UInt8]) -> EvidenceFile {
    let previous = [UInt8](repeating: 0, count: 32)
    return EvidenceFile(previous: previous, record: record, hash: SHA256.hash(previous + record))
}

/// The outcome of a grant with this evidence.
private func record(with evidence: [UInt8]) -> [UInt8] {
    CBOR.map([
        0: 1, 1: "main", 2: 1, 3: .bytes([]), 4: "outcome", 5: 1_800_000_000_000, 6: 0, 7: 0, 8: "l", 9: "r", 10: "nfc", 13: "a",
        15: "granted", 16: true, 17: .bytes(evidence), 18: ["command": "tokn"]
    ]).encoded
}

/// Keys of which nobody has the other half here: 32 times 0x2A is thrown away with this process.
private let known: EvidenceTrust = {
    let raw = [UInt8](repeating: 0x2A, count: 32)
    guard let key = try? SigningKey(rawPrivate: raw, curve: .p256).publicKey else { preconditionFailure("the key is good") }
    let gate = GateCredential(site: "s", key: key)
    let claims = try? ConfirmedKeyCredential(parsing: gate.claims)
    return EvidenceTrust(
        issuers: [key], gates: [.issuer(GateIssuer(site: "s", name: "g", key: key))] + (claims.map { [.credential($0)] } ?? []),
        enrolled: [KnownEnrolment(EnrolledKey(keyIdentifier: [1], key: key, use: .sign, subject: "a"))], auditKeys: [key], now: 1_900_000_000)
}()
