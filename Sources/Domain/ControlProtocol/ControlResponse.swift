import Encoding

/// The answer to one request: a line with `v`, `id`, and either `body` or `error`.
public struct ControlResponse: Equatable, Sendable {
    /// The number of the request this answers; 0 where the request could not be read.
    public let id: Int64
    /// What was asked for, or why not.
    public let result: Result<JSON, ControlError>

    /// An answer to request `id`.
    public init(id: Int64, result: Result<JSON, ControlError>) {
        self.id = id
        self.result = result
    }

    /// Reads one line without its line feed.
    /// - Throws: `request-malformed`, `version-unknown`.
    public init(parsing line: [UInt8]) throws(ControlError) {
        let json = try ControlRequest.json(line)
        guard json["v"]?.integer == ControlVersion.current else { throw .versionUnknown }
        guard let id = json["id"]?.integer else { throw .malformed("The answer has no number `id`.") }
        self.id = id
        if let body = json["body"] {
            result = .success(body)
        } else if let code = json["error"]?["code"]?.string, let message = json["error"]?["message"]?.string {
            result = .failure(ControlError(code: code, message: message, details: (json["error"]?["details"]?.array ?? []).compactMap(\.string)))
        } else {
            throw .malformed("The answer has neither a body nor an error.")
        }
    }

    private static func json(_ error: ControlError) -> JSON {
        var fields: JSONObject = ["code": .string(error.code), "message": .string(error.message)]
        if !error.details.isEmpty { fields["details"] = .array(error.details.map(JSON.string)) }
        return .object(fields)
    }

    /// The answer as one line without its line feed.
    public var line: [UInt8] {
        var fields: JSONObject = ["v": .integer(ControlVersion.current), "id": .integer(id)]
        switch result {
        case .success(let body): fields["body"] = body
        case .failure(let error): fields["error"] = Self.json(error)
        }
        return JSON.object(fields).canonical
    }
}

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

/// Why a line on the control socket was refused or a request failed.
public struct ControlError: Error, Equatable, Sendable {
    /// Stable code that operators and programs may search for.
    public let code: String
    /// A sentence for people.
    public let message: String
    /// Lines that say more, such as each mistake of a file.
    public let details: [String]

    /// An error with a stable code and a sentence.
    public init(code: String, message: String, details: [String] = []) {
        self.code = code
        self.message = message
        self.details = details
    }

    /// Two errors are equal when their codes are.
    public static func == (left: ControlError, right: ControlError) -> Bool {
        left.code == right.code
    }

    static func malformed(_ message: String) -> ControlError {
        ControlError(code: "request-malformed", message: message)
    }

    /// The other side speaks another version.
    public static let versionUnknown = ControlError(
        code: "version-unknown", message: "This gate speaks version \(ControlVersion.current) of the control messages.")

    /// There is no such lane.
    public static func laneUnknown(_ name: String, known: [String]) -> ControlError {
        ControlError(code: "lane-unknown", message: "There is no lane \(name); there are \(known.joined(separator: ", ")).")
    }

    /// The user behind the socket has not the role that this takes.
    public static func notPermitted(toLessThan role: ControlRole) -> ControlError {
        let who = switch role {
        case .observer: "Whoever can open a socket of the gate may ask for this."
        case .maintainer: "Only the groups tapstile and tapstile-operators, at a socket of theirs, and root may ask for this: "
            + "sudo usermod -aG tapstile NAME, and log in again."
        case .operator: "Only the group tapstile-operators, not at the observers' socket, and root may ask for this: "
            + "sudo usermod -aG tapstile-operators NAME, and log in again."
        case .root: "Only root may ask for this, not at the observers' socket."
        }
        return ControlError(code: "not-permitted", message: who)
    }
}

/// The version of the messages on the control socket. Every line carries it as `v`; a line with
/// another version is refused with `version-unknown`, so that an old tool never half works.
public enum ControlVersion {
    /// The version both ends of this build speak.
    public static let current: Int64 = 1
}
