import Encoding

/// The key in a key file: a private key that signs, one that agrees, or a public half.
public enum KeyMaterial: Sendable {
    /// A private key that signs.
    case signing(SigningKey)
    /// A private key that agrees.
    case agreement(AgreementKey)
    /// The public half of a key, and what its private half does.
    case `public`(PublicKey, KeyUse)

    /// The public half.
    public var publicKey: PublicKey {
        switch self {
        case .signing(let key): key.publicKey
        case .agreement(let key): key.publicKey
        case .public(let key, _): key
        }
    }

    /// What the private half does.
    public var use: KeyUse {
        switch self {
        case .signing: .sign
        case .agreement: .agree
        case .public(_, let use): use
        }
    }

    /// The same without its private half.
    public var publicHalf: KeyMaterial { .public(publicKey, use) }
}

/// Key material as a COSE_Key, private half included. (`Credentials` reads public ones from outside.)
extension KeyMaterial {
    var isPrivate: Bool {
        switch self {
        case .signing, .agreement: true
        case .public: false
        }
    }

    /// Reads the deterministic map of a key file.
    init(coseKey map: CBORMap) throws(KeyFileError) {
        guard let type = map[KeyFileLabel.type]?.integer, let number = map[KeyFileLabel.curve]?.integer,
              let x = map[KeyFileLabel.x]?.bytes, let operations = map[KeyFileLabel.operations] else { throw .encoding }
        guard let curve = Int(exactly: number).flatMap(Curve.init), type == curve.keyType,
              (map[KeyFileLabel.y]?.bytes != nil) == (curve == .p256) else { throw .unsupportedKey }
        let publicKey: PublicKey
        do throws(CryptographyError) {
            publicKey = try PublicKey(curve: curve, x: x, y: map[KeyFileLabel.y]?.bytes)
        } catch {
            throw .inconsistent
        }
        if let value = map[KeyFileLabel.privateValue]?.bytes {
            try self.init(privateValue: value, publicKey: publicKey, operations: operations)
        } else {
            try self.init(publicKey: publicKey, operations: operations)
        }
    }

    private init(publicKey: PublicKey, operations: CBOR) throws(KeyFileError) {
        guard let use = KeyUse.allCases.first(where: { $0.operations(isPrivate: false) == operations }),
              publicKey.curve.fits(use) else { throw .unsupportedKey }
        self = .public(publicKey, use)
    }

    private init(privateValue: [UInt8], publicKey: PublicKey, operations: CBOR) throws(KeyFileError) {
        guard let use = KeyUse.allCases.first(where: { $0.operations(isPrivate: true) == operations }),
              publicKey.curve.fits(use) else { throw .unsupportedKey }
        do throws(CryptographyError) {
            switch use {
            case .sign: self = .signing(try SigningKey(rawPrivate: privateValue, curve: publicKey.curve))
            case .agree: self = .agreement(try AgreementKey(rawPrivate: privateValue, curve: publicKey.curve))
            }
        } catch {
            throw .inconsistent
        }
        guard self.publicKey == publicKey else { throw .inconsistent }
    }

    /// The map of a key file, without the role.
    func coseKey() throws(CryptographyError) -> CBORMap {
        let key = publicKey
        var map: CBORMap = [
            KeyFileLabel.type: CBOR(key.curve.keyType), KeyFileLabel.curve: CBOR(key.curve.rawValue),
            KeyFileLabel.operations: use.operations(isPrivate: isPrivate), KeyFileLabel.x: .bytes(key.x)
        ]
        if let y = key.y { map[KeyFileLabel.y] = .bytes(y) }
        switch self {
        case .signing(let key): map[KeyFileLabel.privateValue] = try key.withRawPrivate { .bytes($0) }
        case .agreement(let key): map[KeyFileLabel.privateValue] = try key.withRawPrivate { .bytes($0) }
        case .public: break
        }
        return map
    }
}

extension Curve {
    /// COSE key type: 1 OKP, 2 EC2 (RFC 9053, table 17).
    fileprivate var keyType: Int { self == .p256 ? 2 : 1 }
}

extension KeyUse {
    /// `key_ops`: 1 sign, 2 verify, 7 derive key; the public half of an agreement key has none
    /// (RFC 9053, 6.3.1).
    fileprivate func operations(isPrivate: Bool) -> CBOR {
        switch self {
        case .sign: isPrivate ? [1] : [2]
        case .agree: isPrivate ? [7] : []
        }
    }
}
