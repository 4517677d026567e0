import Encoding

/// Which people and zones an operator asks about, or wants forgotten (V5).
public struct PassbackQuery: Equatable, Sendable {
    /// Only this zone; nil for all.
    public let zone: String?
    /// Only this person; nil for everybody.
    public let subject: String?

    /// A question.
    public init(zone: String? = nil, subject: String? = nil) {
        self.zone = zone
        self.subject = subject
    }

    init(json: JSON) throws(ControlError) {
        func string(_ name: String) throws(ControlError) -> String? {
            guard let value = json[name] else { return nil }
            guard let string = value.string else { throw .malformed("`\(name)` is not a text.") }
            return string
        }
        self.init(zone: try string("zone"), subject: try string("subject")?.composed)
    }

    func fields(_ name: String) -> JSONObject {
        var fields: JSONObject = ["do": .string(name)]
        fields["zone"] = zone.map { .string($0) }
        fields["subject"] = subject.map { .string($0) }
        return fields
    }
}
