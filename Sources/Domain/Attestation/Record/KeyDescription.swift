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
        guard var record = file.takeSequence(), file.isAtEnd,
              record.takeNumber() != nil, let attestationLevel = Self.takeLevel(&record),
              record.takeNumber() != nil, let keyLevel = Self.takeLevel(&record),
              let challenge = record.take(.octetString), record.take(.octetString) != nil,
              let software = record.take(.sequence).flatMap({ AuthorizationList($0) }),
              let hardware = record.take(.sequence).flatMap({ AuthorizationList($0) }), record.isAtEnd else { return nil }
        self.attestationLevel = attestationLevel
        self.keyLevel = keyLevel
        self.challenge = Array(challenge)
        self.software = software
        self.hardware = hardware
    }

    private static func takeLevel(_ file: inout DERReader) -> SecurityLevel? {
        file.takeNumber(.enumerated).flatMap { SecurityLevel(rawValue: $0) }
    }
}
