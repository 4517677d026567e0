import Encoding
import Invitations

/// What a server of invitations answered: a stranger's bytes until they were looked at.
public struct ServerAnswer: Hashable, Sendable {
    /// The status of HTTP.
    public let status: Int
    /// The body.
    public let body: [UInt8]

    /// The longest body, in bytes.
    public static let mostBytes = 65_536

    public init(status: Int, body: [UInt8]) {
        self.status = status
        self.body = body
    }

    /// The object that a granted request is answered with.
    public func object() throws(InvitedFault) -> JSONObject {
        guard body.count <= Self.mostBytes else { throw .answer(.tooLong) }
        guard !(300...399).contains(status) else { throw .answer(.redirect) }
        let json = try? JSON.parse(body, within: JSONBounds(depth: 6, values: 8192))
        guard status == 200 else { throw refusal(json) }
        guard let object = json?.object else { throw .answer(.malformed("its object")) }
        return object
    }

    private static let longestMessage = 500
    private static let longestPause: Int64 = 7 * 86_400

    private func refusal(_ json: JSON?) -> InvitedFault {
        guard (400...599).contains(status), let error = json?["error"], let code = error["code"]?.string, Self.isCode(code),
              let message = error["message"]?.string, message.utf8.count <= Self.longestMessage else {
            return .answer(.malformed("the error of status \(status)"))
        }
        let pause = (error["retryAfter"] ?? json?["retryAfter"])?.integer.flatMap { (0...Self.longestPause).contains($0) ? $0 : nil }
        return .refused(ServerRefusal(code: code, message: message, retryAfter: pause))
    }

    private static func isCode(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }
}

extension JSONObject {
    /// What the server wants to see signed.
    func nonce() throws(InvitedFault) -> NonceText {
        guard let nonce = self["nonce"]?.string.flatMap({ NonceText($0) }) else { throw .answer(.malformed("nonce")) }
        return nonce
    }

    /// A name that people and gates read.
    func name(_ member: String) throws(InvitedFault) -> String {
        guard let name = self[member]?.string, (1...256).contains(name.utf8.count), NameRule.allows(name) else { throw .answer(.malformed(member)) }
        return name
    }
}
