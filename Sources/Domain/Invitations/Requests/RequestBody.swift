import Encoding

/// The JSON object of a request, whose members are asked for by name. A member that nobody knows is refused: it is a slip of the pen, or
/// meant for another version of the protocol (whose number stands in the path).
public struct RequestBody: Sendable {
    private let object: JSONObject

    /// The longest body, in bytes.
    public static let longest = 16_384

    /// - Parameter members: the names that may stand there.
    init(_ bytes: [UInt8], members: Set<String>) throws(InvitationFault) {
        guard bytes.count <= Self.longest else { throw .tooLong }
        let json: JSON
        do throws(JSONError) { json = try JSON.parse(bytes, within: JSONBounds(depth: 3, values: 64)) } catch { throw .requestMalformed(error.message) }
        guard let object = json.object else { throw .requestMalformed("The body is no JSON object.") }
        // Not by its name, which is the caller's text.
        guard object.keys.allSatisfy(members.contains) else {
            throw .requestMalformed("The body has a member that is not known here; known are \(members.sorted().joined(separator: ", ")).")
        }
        self.object = object
    }

    func text(_ name: String) throws(InvitationFault) -> String {
        guard let text = object[name]?.string else { throw .requestMalformed("The member '\(name)' is missing or no string.") }
        return text
    }

    func bytes(_ name: String) throws(InvitationFault) -> [UInt8] {
        guard let bytes = try? Base64.decode(try text(name), .url) else {
            throw .requestMalformed("The member '\(name)' is not base64url without filling.")
        }
        return bytes
    }

    func member(_ name: String) -> JSON? { object[name] }

    /// What is no code, and what is none of ours, answer alike.
    func code() throws(InvitationFault) -> InvitationCode {
        guard let code = InvitationCode(try text("code")) else { throw .codeUnknown }
        return code
    }

    /// What could not have been ours is not ours.
    func nonce() throws(InvitationFault) -> NonceText {
        guard let nonce = NonceText(try text("nonce")) else { throw .nonceUnknown }
        return nonce
    }

    /// `2026-11-25T12:00:00Z`, in exactly this form: it is what was signed.
    func time() throws(InvitationFault) -> Int64 {
        guard let time = UTCText.readSeconds(try text("time")), time >= 0 else {
            throw .requestMalformed("The member 'time' is no time such as 2026-11-25T12:00:00Z.")
        }
        return time
    }

    func signature() throws(InvitationFault) -> [UInt8] {
        let signature = try bytes("signature")
        guard signature.count == 64 else { throw .requestMalformed("A signature has 64 bytes, r and s.") }
        return signature
    }
}
