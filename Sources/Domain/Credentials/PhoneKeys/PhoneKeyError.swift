import Cryptography
import Encoding

/// Why bytes are no public key of a phone. No case holds anything of the bytes: they may be a secret.
public enum PhoneKeyError: Error, Hashable, Sendable {
    /// They are a private key.
    case privateKey
    /// They begin like none of the forms that are read.
    case unknownForm
    /// They are longer than `PhoneKey.longest`.
    case tooLong
    /// They begin like this form, and go on otherwise.
    case malformed(PhoneKeyForm)
    /// Something stands beside the key.
    case trailingBytes
    /// There is more than one key or block.
    case several
    /// They are a certificate.
    case certificate
    /// The key is of another kind or on another curve than P-256, or its curve has no name.
    case wrongCurve
    /// The coordinates are no point of the curve.
    case pointNotOnCurve
    /// What the key is for is said twice, differently, or is neither signing nor agreeing.
    case unclearUse
    /// They are a key file of ours that cannot be read.
    case keyFile(KeyFileError)
    /// They are a key file of ours, of somebody else than a phone.
    case wrongRole(KeyRole)

    /// Stable code.
    public var code: String {
        switch self {
        case .privateKey: "key-is-private"
        case .unknownForm: "key-form-unknown"
        case .tooLong: "key-form-too-long"
        case .malformed: "key-form-malformed"
        case .trailingBytes: "key-trailing-bytes"
        case .several: "key-several"
        case .certificate: "key-certificate"
        case .wrongCurve: "key-wrong-curve"
        case .pointNotOnCurve: "point-not-on-curve"
        case .unclearUse: "key-use-unclear"
        case .keyFile(let error): error.code
        case .wrongRole: "key-wrong-role"
        }
    }

    /// Sentences for people.
    public var message: String {
        switch self {
        case .privateKey:
            "THIS IS A PRIVATE KEY. It was not used, kept or shown here, but whoever has seen it can pass as its owner: delete it, have the phone "
                + "make a new key, and bring the public half."
        case .unknownForm:
            "This begins like no public key that is read: a TAPSTILE PUBLIC KEY, PEM (PUBLIC KEY), DER, JWK, COSE_Key, or a point (04, x, y) in hexadecimal."
        case .tooLong: "This is longer than \(PhoneKey.longest) bytes, so it is no public key."
        case .malformed(let form): Self.sentence(of: form)
        case .trailingBytes: "Something stands before or behind the key; bring the key alone."
        case .several: "There is more than one key or block; bring one key alone."
        case .certificate: "This is a certificate; bring the public key in it (openssl x509 -in FILE -pubkey -noout)."
        case .wrongCurve: "Phones prove themselves with keys on P-256, whose curve is given by its name; this one is another kind of key."
        case .pointNotOnCurve: "The coordinates of the key are no point of P-256."
        case .unclearUse: "What the key is for contradicts itself, or is neither to sign (ES256) nor to agree (ECDH)."
        case .keyFile(let error): error.message
        case .wrongRole(let role): "This is a key of the role '\(role.rawValue)', not of a phone."
        }
    }

    private static func sentence(of form: PhoneKeyForm) -> String {
        switch form {
        case .tapstile: "This begins like a key file, and cannot be read as one."
        case .pem: "This begins like PEM, and is not one block PUBLIC KEY with base64 in it."
        case .der: "This begins like DER, and is no SubjectPublicKeyInfo."
        case .jwk: "This begins like JSON, and is no JWK with kty, crv, and x and y of 32 bytes each in base64url."
        case .cose: "This begins like CBOR, and is no COSE_Key with kty, crv, x and y (a claims set goes with --ccs)."
        case .point: "This begins like a point, and has neither 65 bytes (04, x, y) nor 33 (02 or 03, x)."
        }
    }
}

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
