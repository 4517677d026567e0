import Encoding

/// One request on the control socket: a line of JSON with `v`, `id`, `do` and its arguments.
public struct ControlRequest: Equatable, Sendable {
    /// Chosen by the client; the answer carries it.
    public let id: Int64
    /// What is asked for.
    public let operation: ControlOperation

    /// A request `id` for `operation`.
    public init(id: Int64, operation: ControlOperation) {
        self.id = id
        self.operation = operation
    }

    /// Reads one line without its line feed.
    /// - Throws: `request-malformed`, `version-unknown`, `operation-unknown`.
    public init(parsing line: [UInt8]) throws(ControlError) {
        let json = try Self.json(line)
        guard let version = json["v"]?.integer else { throw .malformed("The line has no version `v`.") }
        guard version == ControlVersion.current else { throw .versionUnknown }
        guard let id = json["id"]?.integer else { throw .malformed("The request has no number `id`.") }
        self.id = id
        operation = try ControlOperation(json: json)
    }

    /// The request as one line without its line feed.
    public var line: [UInt8] {
        var fields = operation.fields
        fields["v"] = .integer(ControlVersion.current)
        fields["id"] = .integer(id)
        return JSON.object(fields).canonical
    }

    static func json(_ line: [UInt8]) throws(ControlError) -> JSON {
        do {
            return try JSON.parse(line)
        } catch {
            throw .malformed("The line is not JSON: \(error.message)")
        }
    }
}
