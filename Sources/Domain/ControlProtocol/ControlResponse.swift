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
