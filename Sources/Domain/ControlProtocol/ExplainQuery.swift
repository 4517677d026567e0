import Encoding

/// About whom, where and when somebody asks whether the gate would let them pass.
public struct ExplainQuery: Equatable, Sendable {
    /// By what somebody is known.
    public enum Who: Equatable, Sendable {
        /// A person or account.
        case subject(String)
        /// The first bytes of what names a credential in the journal: the thumbprint of a key, or a token's identifier. Also a whole `kid`.
        case key([UInt8])
    }

    /// As many bytes of an identifier as events and logs show are needed; a whole one has `identifierBytes`.
    public static let fewestKeyBytes = 4
    /// The bytes of a whole identifier.
    public static let identifierBytes = 32
    /// The longest name of a person, in bytes.
    public static let longestSubject = 256
    /// The moments that may be asked about, UNIX seconds: years of four digits.
    public static let moments: ClosedRange<Int64> = 0...253_402_300_799

    /// Who.
    public let who: Who
    /// Only at this lane; nil: at all of the gate.
    public let lane: String?
    /// At this UNIX second; nil: now.
    public let at: Int64?
    /// In the place of `at`: when the site's clock shows this, as date and time of day or the latter alone, which is today's. Only the gate knows that clock.
    public let siteTime: String?
    /// The command that is to be run; nil: the default one, which lets somebody pass.
    public let command: String?

    /// A question.
    public init(_ who: Who, lane: String? = nil, at: Int64? = nil, siteTime: String? = nil, command: String? = nil) {
        self.who = who
        self.lane = lane
        self.at = at
        self.siteTime = siteTime
        self.command = command
    }

    /// The same about one moment.
    public func about(_ moment: Int64) -> ExplainQuery { ExplainQuery(who, lane: lane, at: moment, command: command) }

    init(json: JSON) throws(ControlError) {
        func string(_ name: String) throws(ControlError) -> String? {
            guard let value = json[name] else { return nil }
            guard let string = value.string, !string.isEmpty, string.utf8.count <= Self.longestSubject else {
                throw .malformed("`\(name)` is not a text of 1 to \(Self.longestSubject) bytes.")
            }
            return string
        }
        self.init(try Self.who(subject: try string("subject"), key: try string("key")), lane: try string("lane"), at: try Self.moment(json["at"]),
                  siteTime: try string("siteTime"), command: try string("command"))
        guard at == nil || siteTime == nil else { throw .malformed("Only one of `at` and `siteTime` can be meant.") }
    }

    private static func who(subject: String?, key: String?) throws(ControlError) -> Who {
        switch (subject, key) {
        case (let subject?, nil): return .subject(subject.composed)
        case (nil, let text?):
            guard let key = try? Hex.decode(text), (fewestKeyBytes...identifierBytes).contains(key.count) else {
                throw .malformed("`key` is not \(fewestKeyBytes) to \(identifierBytes) bytes in hexadecimal digits.")
            }
            return .key(key)
        case (nil, nil), (.some, .some): throw .malformed("One of `subject` and `key` is needed.")
        }
    }

    private static func moment(_ value: JSON?) throws(ControlError) -> Int64? {
        guard let value else { return nil }
        guard let seconds = value.integer, moments.contains(seconds) else {
            throw .malformed("`at` is not a time in seconds since 1970, before the year 10000.")
        }
        return seconds
    }

    var fields: JSONObject {
        var fields: JSONObject = ["do": "explain"]
        switch who {
        case .subject(let subject): fields["subject"] = .string(subject)
        case .key(let bytes): fields["key"] = .string(Hex.encode(bytes))
        }
        fields["lane"] = lane.map { .string($0) }
        fields["at"] = at.map { .integer($0) }
        fields["siteTime"] = siteTime.map { .string($0) }
        fields["command"] = command.map { .string($0) }
        return fields
    }
}
