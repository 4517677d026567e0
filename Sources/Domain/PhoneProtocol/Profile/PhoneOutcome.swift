import Credentials
import Encoding

/// What the gate tells a phone that proved itself, after the relay: for the phone's screen.
/// The numbers are those of the wire; a phone tolerates ones it does not know.
public struct PhoneOutcome: Hashable, Sendable {
    /// What became of the tap.
    public enum Result: UInt64, Sendable, Hashable, CaseIterable {
        case granted = 0
        case refused = 1
        /// The gate could not decide: a fault of its own.
        case failed = 2
    }

    public let result: Result
    /// Number of the reason in the catalogue.
    public let reasonNumber: UInt64
    /// When to come back, in milliseconds, where that is known.
    public let retryAfterMilliseconds: UInt32?
    /// Head of the gate's audit journal, for an outside party to compare (32 bytes), nil if not told.
    public let journalHead: [UInt8]?
    /// What a later version may say beyond that; nil where nothing is said or it is not understood.
    public let addition: OutcomeAddition?

    /// Version of the structure.
    static let version: UInt64 = 1
    /// Longest journal head.
    static let maximumHeadLength = 64

    public init(
        result: Result, reasonNumber: UInt64, retryAfterMilliseconds: UInt32? = nil, journalHead: [UInt8]? = nil,
        addition: OutcomeAddition? = nil
    ) {
        self.result = result
        self.reasonNumber = reasonNumber
        self.retryAfterMilliseconds = retryAfterMilliseconds
        self.journalHead = journalHead
        self.addition = addition
    }

    /// An outcome for one of the catalogue's reasons.
    public init(
        result: Result, reason: Reason, retryAfterMilliseconds: UInt32? = nil, journalHead: [UInt8]? = nil,
        addition: OutcomeAddition? = nil
    ) {
        self.init(
            result: result, reasonNumber: UInt64(reason.number), retryAfterMilliseconds: retryAfterMilliseconds,
            journalHead: journalHead, addition: addition)
    }

    /// The reason, nil for a number that this version does not know.
    public var reason: Reason? { Int(exactly: reasonNumber).flatMap(Reason.init(number:)) }

    /// `[version, result, reason, retry-after / null, journal-head / null, addition / null]`.
    var encoded: [UInt8] {
        CBOR.array([
            .unsigned(Self.version), .unsigned(result.rawValue), .unsigned(reasonNumber),
            retryAfterMilliseconds.map { .unsigned(UInt64($0)) } ?? .null,
            journalHead.map { .bytes($0) } ?? .null, addition?.item ?? .null
        ]).encoded
    }

    /// Reads a decrypted outcome; nil if it is none of this version. An addition that is not
    /// understood does no harm.
    public init?(parsing bytes: [UInt8]) {
        guard let fields = try? CBOR.decode(bytes).array, fields.count == 6,
              fields[0].unsignedInteger == Self.version,
              let result = fields[1].unsignedInteger.flatMap(Result.init(rawValue:)),
              let reason = fields[2].unsignedInteger
        else { return nil }
        let retryAfter = fields[3].unsignedInteger.flatMap(UInt32.init(exactly:))
        let head = fields[4].bytes
        guard retryAfter != nil || fields[3].isNull, head != nil || fields[4].isNull,
              (head?.count ?? 0) <= Self.maximumHeadLength
        else { return nil }
        self.init(
            result: result, reasonNumber: reason, retryAfterMilliseconds: retryAfter, journalHead: head,
            addition: OutcomeAddition(fields[5]))
    }
}

/// The last field of OUTCOME, kept for actions and relayed data. It has a version of its own, so that it
/// can grow while the outcome around it stays readable. This version of the protocol knows no kind.
public struct OutcomeAddition: Hashable, Sendable {
    /// What the bytes are; a phone passes over kinds that it does not know.
    public let kind: UInt64
    public let bytes: [UInt8]

    /// Version of the field.
    static let version: UInt64 = 1
    /// Most bytes in it: the outcome stays within what a phone collects of one command.
    public static let maximumLength = 512

    public init(kind: UInt64, bytes: [UInt8]) {
        self.kind = kind
        self.bytes = bytes
    }

    /// `[version, kind, bytes]`.
    var item: CBOR { .array([.unsigned(Self.version), .unsigned(kind), .bytes(bytes)]) }

    /// nil for anything but an addition of this version: what a later one has in this place is not for us.
    init?(_ item: CBOR) {
        guard let fields = item.array, fields.count == 3, fields[0].unsignedInteger == Self.version,
              let kind = fields[1].unsignedInteger, let bytes = fields[2].bytes, bytes.count <= Self.maximumLength
        else { return nil }
        self.init(kind: kind, bytes: bytes)
    }
}
