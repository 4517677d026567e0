import Encoding

/// How many records of each kind a publication has.
public struct PublicationCounts: Hashable, Sendable {
    /// Token issuers.
    public var issuers: UInt64 = 0
    /// Credentials of gates, and their issuers.
    public var gateCredentials: UInt64 = 0
    /// Enrolled keys.
    public var enrolled: UInt64 = 0
    /// Revocations.
    public var revocations: UInt64 = 0

    /// No records.
    public init() {}

    /// All records together.
    public var total: UInt64 { issuers &+ gateCredentials &+ enrolled &+ revocations }

    /// Counts one record.
    public mutating func count(_ record: PublicationRecord) {
        switch record {
        case .issuer: issuers += 1
        case .gateCredential: gateCredentials += 1
        case .enrolled: enrolled += 1
        case .revocation: revocations += 1
        }
    }

    init?(cbor: CBOR?) {
        guard let numbers = cbor?.array?.compactMap(\.unsignedInteger), numbers.count == 4,
              cbor?.array?.count == 4 else { return nil }
        issuers = numbers[0]
        gateCredentials = numbers[1]
        enrolled = numbers[2]
        revocations = numbers[3]
    }

    var cbor: CBOR {
        .array([.unsigned(issuers), .unsigned(gateCredentials), .unsigned(enrolled), .unsigned(revocations)])
    }
}
