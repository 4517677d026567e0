import Cryptography
import Encoding

/// How the public key of a phone is written.
public enum PhoneKeyForm: String, Hashable, Sendable, CaseIterable {
    /// Our own key file, which says the use.
    case tapstile
    /// A SubjectPublicKeyInfo as text (RFC 7468, 13). It says no use.
    case pem
    /// A SubjectPublicKeyInfo (RFC 5480, 2). It says no use.
    case der
    /// A JSON Web Key (RFC 7517), with `key_ops`.
    case jwk
    /// A COSE_Key (RFC 9052, 7), with `key_ops`.
    case cose
    /// A point in its uncompressed form (SEC 1, 2.3.3), in hexadecimal. It says no use.
    case point
}

extension PhoneKey {
    /// The key in a form. Text ends with a line break.
    public func encoded(as form: PhoneKeyForm) throws(CryptographyError) -> [UInt8] {
        guard let y = key.y, key.curve == .p256 else { throw .curveDoesNotFit }
        switch form {
        case .tapstile:
            let file: KeyFile
            do throws(KeyFileError) { file = try KeyFile(role: .phone, material: .public(key, use ?? .sign)) } catch { throw .curveDoesNotFit }
            return try file.text()
        case .pem: return PEM.text(publicKey: information(y))
        case .der: return information(y)
        case .jwk: return jwk(y).canonical + [0x0A]
        case .cose: return COSEKey(key: key, keyIdentifier: keyIdentifier, use: use).cbor.encoded
        case .point: return Array(Hex.encode([0x04] + key.x + y).utf8) + [0x0A]
        }
    }

    private func information(_ y: [UInt8]) -> [UInt8] { PublicKey.p256InformationHead + key.x + y }

    private func jwk(_ y: [UInt8]) -> JSON {
        var object: JSONObject = ["kty": "EC", "crv": "P-256", "x": .string(Base64.encode(key.x, .url)), "y": .string(Base64.encode(y, .url))]
        switch use {
        case .sign: object["key_ops"] = .array([.string("verify")])
        case .agree: object["key_ops"] = .array([])
        case nil: break
        }
        return .object(object)
    }
}
