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
    /// What the site decided about time and places; ceiling and words too.
    public var rules: UInt64 = 0
    /// Who belongs to which group.
    public var memberships: UInt64 = 0
    /// UID-only cards.
    public var uidOnlyCards: UInt64 = 0

    /// No records.
    public init() {}

    /// All records together.
    public var total: UInt64 { issuers &+ gateCredentials &+ enrolled &+ revocations &+ rules &+ memberships &+ uidOnlyCards }

    /// Counts one record.
    public mutating func count(_ record: PublicationRecord) {
        switch record {
        case .issuer: issuers += 1
        case .gateCredential: gateCredentials += 1
        case .enrolled: enrolled += 1
        case .revocation: revocations += 1
        case .rule(.membership): memberships += 1
        case .rule: rules += 1
        case .uidOnlyCard: uidOnlyCards += 1
        case .ceiling, .message: rules += 1
        }
    }

    /// Takes back what `count` did.
    public mutating func uncount(_ record: PublicationRecord) {
        switch record {
        case .issuer: issuers &-= 1
        case .gateCredential: gateCredentials &-= 1
        case .enrolled: enrolled &-= 1
        case .revocation: revocations &-= 1
        case .rule(.membership): memberships &-= 1
        case .rule, .ceiling, .message: rules &-= 1
        case .uidOnlyCard: uidOnlyCards &-= 1
        }
    }

    /// Takes back what `count` did for the record of people with that key.
    public mutating func uncount(_ key: RecordKey) {
        switch key.kind {
        case RecordKey.Kind.enrolled: enrolled &-= 1
        case RecordKey.Kind.revocation: revocations &-= 1
        case RecordKey.Kind.membership: memberships &-= 1
        case RecordKey.Kind.uidOnlyCard: uidOnlyCards &-= 1
        default: preconditionFailure("only records of people change one by one")
        }
    }

    /// The numbers of people alone.
    public var ofPeople: PublicationCounts {
        var counts = PublicationCounts()
        (counts.enrolled, counts.revocations, counts.memberships, counts.uidOnlyCards) = (enrolled, revocations, memberships, uidOnlyCards)
        return counts
    }

    /// As bundles have it: all numbers in the order of the properties.
    init?(list: CBOR?) {
        guard let numbers = Self.numbers(list, count: 7) else { return nil }
        (issuers, gateCredentials, enrolled, revocations) = (numbers[0], numbers[1], numbers[2], numbers[3])
        (rules, memberships, uidOnlyCards) = (numbers[4], numbers[5], numbers[6])
    }

    var list: CBOR {
        .array([issuers, gateCredentials, enrolled, revocations, rules, memberships, uidOnlyCards].map(CBOR.unsigned))
    }

    /// - Parameters:
    ///   - rules: the numbers that came later; nil: the publication has none of them.
    ///   - cards: that of UID-only cards; nil: the publication has none.
    init?(cbor: CBOR?, rules ruleCounts: CBOR?, cards: CBOR?) {
        guard let numbers = Self.numbers(cbor, count: 4), let later = Self.later(ruleCounts), let uidOnlyCards = Self.cards(cards) else { return nil }
        issuers = numbers[0]
        gateCredentials = numbers[1]
        enrolled = numbers[2]
        revocations = numbers[3]
        rules = later[0]
        memberships = later[1]
        self.uidOnlyCards = uidOnlyCards
    }

    private static func numbers(_ cbor: CBOR?, count: Int) -> [UInt64]? {
        guard let items = cbor?.array, items.count == count else { return nil }
        let numbers = items.compactMap(\.unsignedInteger)
        return numbers.count == count ? numbers : nil
    }

    /// Two zeros are not written: a publication has one form.
    private static func later(_ cbor: CBOR?) -> [UInt64]? {
        guard let cbor else { return [0, 0] }
        guard let numbers = numbers(cbor, count: 2), numbers != [0, 0] else { return nil }
        return numbers
    }

    /// A zero is not written either.
    private static func cards(_ cbor: CBOR?) -> UInt64? {
        guard let cbor else { return 0 }
        guard let number = cbor.unsignedInteger, number > 0 else { return nil }
        return number
    }
}
