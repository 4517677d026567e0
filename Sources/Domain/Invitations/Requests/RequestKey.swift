import Credentials
import Cryptography
import Encoding

/// The phone's key in a request: `{"kty":"EC",…}` (JWK), `{"cose":"…"}` (COSE_Key) or `{"spki":"…"}` (SubjectPublicKeyInfo).
extension RequestBody {
    func key() throws(InvitationFault) -> PublicKey {
        guard let member = member("key"), let object = member.object else { throw .requestMalformed("The member 'key' is missing or no object.") }
        let phone: PhoneKey
        do throws(PhoneKeyError) { phone = try Self.phoneKey(object) } catch { throw .keyRefused(error.message) }
        guard phone.key.curve == .p256, phone.key.y != nil else { throw .keyRefused(PhoneKeyError.wrongCurve.message) }
        guard phone.use != .agree else {
            throw .keyRefused("This key agrees instead of signing (ECDH). The server takes keys that sign (ES256); have an office enrol this one.")
        }
        guard !phone.key.isWellKnown else { throw .keyRefused("Everybody has the private half of this key: it is one of examples. Make another.") }
        return phone.key
    }

    private static func phoneKey(_ object: JSONObject) throws(PhoneKeyError) -> PhoneKey {
        if object["kty"] != nil { return try PhoneKey(jwk: .object(object)) }
        guard object.count == 1, let member = object.members.first, let text = member.value.string,
              let bytes = try? Base64.decode(text, .url) else { throw .unknownForm }
        switch member.key {
        // By its first byte the reader tells what it is: no other form passes for the one that was named.
        case "cose":
            guard let first = bytes.first, (0xA0...0xBF).contains(first) else { throw .malformed(.cose) }
        case "spki":
            guard bytes.first == 0x30 else { throw .malformed(.der) }
        default: throw .unknownForm
        }
        return try PhoneKey(parsing: bytes)
    }

    /// The certificates of an attestation, the key's own first; none: nil.
    func attestation() throws(InvitationFault) -> [[UInt8]]? {
        guard let member = member("attestation") else { return nil }
        guard let list = member.array, (1...Self.mostCertificates).contains(list.count) else {
            throw .requestMalformed("The member 'attestation' is a list of 1 to \(Self.mostCertificates) certificates.")
        }
        var chain: [[UInt8]] = []
        for item in list {
            guard let text = item.string, let bytes = try? Base64.decode(text, .url), !bytes.isEmpty else {
                throw .requestMalformed("A certificate of 'attestation' is not base64url without filling.")
            }
            chain.append(bytes)
        }
        return chain
    }

    /// Phones have four or five.
    private static let mostCertificates = 10
}
