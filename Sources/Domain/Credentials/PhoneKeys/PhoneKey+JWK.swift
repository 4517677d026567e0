import Cryptography
import Encoding

/// A key as web pages and many tools write it (RFC 7517; RFC 7518, 6.2.1).
extension PhoneKey {
    /// Members of private and symmetric keys (RFC 7518, 6.2.2, 6.3.2, 6.4.1).
    private static let secretMembers: Set<String> = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

    static func jwk(_ text: [UInt8]) throws(PhoneKeyError) -> PhoneKey {
        let json: JSON
        do throws(JSONError) {
            json = try JSON.parse(text, within: JSONBounds(depth: 4, values: 256))
        } catch {
            throw error.kind == .trailingBytes ? .trailingBytes : .malformed(.jwk)
        }
        return try jwk(json)
    }

    /// Reads a key that stands inside other JSON.
    public init(jwk json: JSON) throws(PhoneKeyError) { self = try Self.jwk(json) }

    private static func jwk(_ json: JSON) throws(PhoneKeyError) -> PhoneKey {
        guard let object = json.object else { throw .malformed(.jwk) }
        // A set has its keys below (RFC 7517, 5).
        let keys = json["keys"]?.array?.compactMap(\.object) ?? []
        if (keys + [object]).contains(where: { key in key.keys.contains { secretMembers.contains($0) } }) { throw .privateKey }
        if json["keys"] != nil { throw .several }
        guard let type = json["kty"]?.string else { throw .malformed(.jwk) }
        guard type == "EC", json["crv"]?.string == "P-256" else { throw .wrongCurve }
        guard let x = coordinate(json["x"]), let y = coordinate(json["y"]) else { throw .malformed(.jwk) }
        let key: PublicKey
        do throws(CryptographyError) { key = try PublicKey(curve: .p256, x: x, y: y) } catch { throw .pointNotOnCurve }
        return PhoneKey(key: key, use: try use(json))
    }

    /// 32 bytes in base64url, without filling (RFC 7518, 6.2.1.2).
    private static func coordinate(_ member: JSON?) -> [UInt8]? {
        guard let text = member?.string, let bytes = try? Base64.decode(text, .url), bytes.count == Curve.coordinateLength else { return nil }
        return bytes
    }

    /// `use`, `key_ops` and `alg` (RFC 7517, 4.2 to 4.4), which must not contradict one another.
    private static func use(_ json: JSON) throws(PhoneKeyError) -> KeyUse? {
        var said: Set<KeyUse> = []
        if let member = json["use"] {
            switch member.string {
            case "sig": said.insert(.sign)
            case "enc": said.insert(.agree)
            default: throw .unclearUse
            }
        }
        if let member = json["key_ops"] { said.insert(try use(operations: member)) }
        if let member = json["alg"] {
            switch member.string {
            case "ES256": said.insert(.sign)
            case let name? where name.hasPrefix("ECDH-ES"): said.insert(.agree)
            default: throw .unclearUse
            }
        }
        guard said.count <= 1 else { throw .unclearUse }
        return said.first
    }

    /// The public half of a pair that agrees does nothing, says WebCrypto.
    private static func use(operations: JSON) throws(PhoneKeyError) -> KeyUse {
        guard let names = operations.array?.map(\.string) else { throw .unclearUse }
        if names == ["verify"] { return .sign }
        guard names.allSatisfy({ $0 == "deriveKey" || $0 == "deriveBits" }) else { throw .unclearUse }
        return .agree
    }
}
