import Encoding

/// Which records of the audit journal are wanted.
public struct JournalQuery: Equatable, Sendable {
    /// The most records one answer holds; a client asks again from the next sequence number.
    public static let largestPage: Int64 = 200

    /// Whether the chain of what nobody proved is wanted (attempts, strangers) instead of the main one.
    public let unproven: Bool
    /// The first sequence number wanted (from 1).
    public let from: Int64
    /// How many records at the most, 1 to `largestPage`.
    public let limit: Int64
    /// Only records of this lane.
    public let lane: String?
    /// Only outcomes with this reason code.
    public let reason: String?
    /// Only records of this kind.
    public let kind: String?
    /// Only records written at or after this time, in milliseconds since 1970.
    public let since: Int64?

    /// Whether each record comes with its body and the hash that it follows from, for whoever takes the journal away: all of the main chain then.
    public let bodies: Bool
    /// How many records with bodies one answer holds.
    public static let largestPageOfBodies: Int64 = 50

    /// A query; `limit` is brought into its range.
    public init(unproven: Bool = false, from: Int64 = 1, limit: Int64 = largestPage, lane: String? = nil, reason: String? = nil,
                kind: String? = nil, since: Int64? = nil, bodies: Bool = false) {
        self.unproven = unproven
        self.from = max(1, from)
        self.limit = min(max(1, limit), bodies ? Self.largestPageOfBodies : Self.largestPage)
        self.bodies = bodies
        self.lane = lane
        self.reason = reason
        self.kind = kind
        self.since = since
    }

    init(json: JSON) throws(ControlError) {
        func integer(_ name: String) throws(ControlError) -> Int64? {
            guard let value = json[name] else { return nil }
            guard let integer = value.integer else { throw .malformed("`\(name)` is not a whole number.") }
            return integer
        }
        func string(_ name: String) throws(ControlError) -> String? {
            guard let value = json[name] else { return nil }
            guard let string = value.string else { throw .malformed("`\(name)` is not a text.") }
            return string
        }
        guard let unproven = (json["unproven"] ?? false).bool else { throw .malformed("`unproven` is neither true nor false.") }
        guard let bodies = (json["bodies"] ?? false).bool else { throw .malformed("`bodies` is neither true nor false.") }
        let isChoice = unproven || ["lane", "reason", "kind", "since"].contains { json[$0] != nil }
        guard !bodies || !isChoice else { throw .malformed("`bodies` are those of the whole main chain.") }
        self.init(unproven: unproven, from: try integer("from") ?? 1, limit: try integer("limit") ?? Self.largestPage,
                  lane: try string("lane"), reason: try string("reason"), kind: try string("kind"), since: try integer("since"), bodies: bodies)
    }

    var fields: JSONObject {
        var fields: JSONObject = ["do": "journal", "from": .integer(from), "limit": .integer(limit)]
        if unproven { fields["unproven"] = true }
        if bodies { fields["bodies"] = true }
        if let lane { fields["lane"] = .string(lane) }
        if let reason { fields["reason"] = .string(reason) }
        if let kind { fields["kind"] = .string(kind) }
        if let since { fields["since"] = .integer(since) }
        return fields
    }
}
