import Encoding

/// A part of a chain of the audit journal that is to be walked along. A whole chain may have a million records:
/// a client goes from one stretch to the next, and what others ask for comes in between.
public struct JournalStretch: Equatable, Sendable {
    /// About how many records a stretch has: below a second on a slow board.
    public static let length: UInt64 = 5_000

    /// Whether the chain of what nobody proved is meant instead of the main one.
    public let unproven: Bool
    /// The record after which it begins, as the answer before said it; nil begins with the oldest record kept.
    public let after: Position?

    /// A record's place in its chain.
    public struct Position: Equatable, Sendable {
        /// Its number.
        public let sequence: Int64
        /// Its hash, 32 bytes.
        public let hash: [UInt8]

        /// A place.
        public init(sequence: Int64, hash: [UInt8]) {
            self.sequence = sequence
            self.hash = hash
        }
    }

    /// A stretch.
    public init(unproven: Bool, after: Position? = nil) {
        self.unproven = unproven
        self.after = after
    }

    init(json: JSON) throws(ControlError) {
        guard let unproven = (json["unproven"] ?? false).bool else { throw .malformed("`unproven` is neither true nor false.") }
        guard json["after"] != nil || json["head"] != nil else {
            self.init(unproven: unproven)
            return
        }
        guard let sequence = json["after"]?.integer, sequence >= 0 else { throw .malformed("`after` is not a record's number.") }
        guard let text = json["head"]?.string, let hash = try? Hex.decode(text), hash.count == 32 else {
            throw .malformed("`head` is not the hash of that record: 64 hexadecimal digits.")
        }
        self.init(unproven: unproven, after: Position(sequence: sequence, hash: hash))
    }

    var fields: JSONObject {
        var fields: JSONObject = ["do": "journal-verify"]
        if unproven { fields["unproven"] = true }
        if let after {
            fields["after"] = .integer(after.sequence)
            fields["head"] = .string(Hex.encode(after.hash))
        }
        return fields
    }
}
