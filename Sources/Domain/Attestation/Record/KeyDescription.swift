import Encoding

/// What a phone's hardware attests of a key (KeyDescription, source.android.com/docs/security/features/keystore/attestation).
struct KeyDescription {
    /// What keeps the key that signed the attestation.
    let attestationLevel: SecurityLevel
    /// What keeps the attested key.
    let keyLevel: SecurityLevel
    let challenge: [UInt8]
    /// What the phone's system says.
    let software: AuthorizationList
    /// What its hardware says, which alone counts for the key.
    let hardware: AuthorizationList

    /// Reads the value of the extension; nil if it is malformed.
    init?(_ bytes: [UInt8]) {
        var file = DERReader(bytes)
        guard var record = file.readSequence(), file.isAtEnd,
              record.readNumber() != nil, let attestationLevel = Self.readLevel(&record),
              record.readNumber() != nil, let keyLevel = Self.readLevel(&record),
              let challenge = record.read(.octetString), record.read(.octetString) != nil,
              let software = record.read(.sequence).flatMap({ AuthorizationList($0) }),
              let hardware = record.read(.sequence).flatMap({ AuthorizationList($0) }), record.isAtEnd else { return nil }
        self.attestationLevel = attestationLevel
        self.keyLevel = keyLevel
        self.challenge = Array(challenge)
        self.software = software
        self.hardware = hardware
    }

    private static func readLevel(_ file: inout DERReader) -> SecurityLevel? {
        file.readNumber(.enumerated).flatMap { SecurityLevel(rawValue: $0) }
    }
}
