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
