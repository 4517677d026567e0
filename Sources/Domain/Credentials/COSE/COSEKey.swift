import Cryptography
import Encoding

/// A public COSE_Key (RFC 9052, 7): key types EC2 with P-256, and OKP with X25519 or Ed25519.
public struct COSEKey: Hashable, Sendable {
    /// The point.
    public let key: PublicKey
    /// `kid`, not necessarily unique.
    public let keyIdentifier: [UInt8]?
    /// What the key is for, where its curve or `key_ops` say so; nil for a P-256 key that does not.
    public let use: KeyUse?

    /// A key with an optional identifier and use.
    public init(key: PublicKey, keyIdentifier: [UInt8]? = nil, use: KeyUse? = nil) {
        self.key = key
        self.keyIdentifier = keyIdentifier
        self.use = use ?? key.impliedUse
    }

    /// Reads a COSE_Key. `y` may be a byte string or a sign bit; private keys and any other key type
    /// are refused. Unknown parameters are ignored.
    public init(cbor: CBOR) throws(COSEError) {
        guard let map = cbor.map, let type = map[Label.type]?.integer,
              let curveNumber = map[Label.curve]?.integer, let x = map[Label.x]?.bytes else { throw .notAKey }
        guard let curve = Int(exactly: curveNumber).flatMap(Curve.init), curve.coseKeyType == type,
              map[Label.privateValue] == nil else { throw .unsupportedKey }
        key = try Self.point(curve, x: x, y: map[Label.y])
        keyIdentifier = try Self.identifier(map[Label.identifier])
        use = try Self.use(map[Label.operations], of: key)
    }

    /// The deterministic form: `y` as byte string, `key_ops` only where the curve leaves it open.
    public var cbor: CBOR {
        var map = CBORMap([(Label.type, CBOR(key.curve.coseKeyType)), (Label.curve, CBOR(key.curve.rawValue)),
                           (Label.x, .bytes(key.x))])
        if let y = key.y { map[Label.y] = .bytes(y) }
        if let keyIdentifier { map[Label.identifier] = .bytes(keyIdentifier) }
        if let use, key.impliedUse == nil { map[Label.operations] = use.publicOperations }
        return .map(map)
    }

    private static func point(_ curve: Curve, x: [UInt8], y: CBOR?) throws(COSEError) -> PublicKey {
        do throws(CryptographyError) {
            switch (curve, y) {
            case (.p256, .bytes(let y)?): return try PublicKey(curve: .p256, x: x, y: y)
            case (.p256, .simple(let bit)?) where bit == 20 || bit == 21:
                return try PublicKey(compressedP256: x, yIsOdd: bit == 21)
            case (.x25519, nil), (.ed25519, nil): return try PublicKey(curve: curve, x: x, y: nil)
            case (.p256, _), (.x25519, _), (.ed25519, _): throw .wrongLength
            }
        } catch {
            throw y == nil && curve == .p256 ? .notAKey : .invalidPoint
        }
    }

    private static func identifier(_ value: CBOR?) throws(COSEError) -> [UInt8]? {
        guard let value else { return nil }
        guard let identifier = value.bytes else { throw .notAKey }
        return identifier
    }

    /// `key_ops` (RFC 9052, table 5): 1 sign, 2 verify; 7 derive key, 8 derive bits, which a public
    /// key has none of (RFC 9053, 6.3.1). Both kinds at once would be a key for two purposes.
    private static func use(_ operations: CBOR?, of key: PublicKey) throws(COSEError) -> KeyUse? {
        guard let operations else { return key.impliedUse }
        guard let numbers = operations.array?.map(\.integer) else { throw .notAKey }
        let signs = numbers.contains(1) || numbers.contains(2)
        let agrees = numbers.isEmpty || numbers.contains(7) || numbers.contains(8)
        guard signs != agrees else { throw .unsupportedKey }
        let use: KeyUse = signs ? .sign : .agree
        guard key.curve.fits(use) else { throw .unsupportedKey }
        return use
    }

    /// Labels of key parameters (RFC 9052, 7.1; RFC 9053, 7).
    enum Label {
        static let type: CBOR = 1
        static let identifier: CBOR = 2
        static let operations: CBOR = 4
        static let curve: CBOR = -1
        static let x: CBOR = -2
        static let y: CBOR = -3
        static let privateValue: CBOR = -4
    }
}

extension PublicKey {
    /// The one use that the curve allows; nil for P-256.
    var impliedUse: KeyUse? {
        switch curve {
        case .p256: nil
        case .ed25519: .sign
        case .x25519: .agree
        }
    }
}

extension Curve {
    /// COSE key type: 1 OKP, 2 EC2 (RFC 9053, table 17).
    var coseKeyType: Int { self == .p256 ? 2 : 1 }
}

extension KeyUse {
    /// `key_ops` of a public key: verify, or nothing at all (RFC 9053, 6.3.1).
    var publicOperations: CBOR {
        switch self {
        case .sign: [2]
        case .agree: []
        }
    }
}

/// Why bytes are no acceptable COSE structure.
public enum COSEError: Error, Hashable, Sendable {
    /// The bytes are not CBOR, or not under the rules asked for.
    case notCBOR(CBORError)
    /// The item has not the shape of a COSE_Sign1 (RFC 9052, 4.2).
    case notSign1
    /// The structure carries a tag that is not allowed here.
    case wrongTag(UInt64)
    /// The same header parameter is protected and unprotected (RFC 9052, 3).
    case duplicateHeader
    /// A critical header parameter is named, and none is understood here (RFC 9052, 3.1).
    case criticalHeader
    /// The payload is detached (RFC 9052, 2).
    case detachedPayload
    /// The item is not a COSE_Key, or lacks a parameter (RFC 9052, 7; RFC 9053, 7).
    case notAKey
    /// Key type, curve or `key_ops` do not go together, or are not known here.
    case unsupportedKey
    /// The point of the key is not on its curve, or has a wrong length.
    case invalidPoint
    /// The signature could not be made.
    case signingFailed

    /// Stable code for logs.
    public var code: String {
        switch self {
        case .notCBOR(let error): error.code
        case .notSign1: "cose-not-sign1"
        case .wrongTag: "cose-wrong-tag"
        case .duplicateHeader: "cose-duplicate-header"
        case .criticalHeader: "cose-critical-header"
        case .detachedPayload: "cose-detached-payload"
        case .notAKey: "cose-not-a-key"
        case .unsupportedKey: "cose-unsupported-key"
        case .invalidPoint: "cose-invalid-point"
        case .signingFailed: "cose-signing-failed"
        }
    }

    /// One English sentence for people.
    public var message: String {
        switch self {
        case .notCBOR(let error): error.message
        case .notSign1: "The item is not a COSE_Sign1 structure."
        case .wrongTag(let tag): "The CBOR tag \(tag) is not allowed here."
        case .duplicateHeader: "A header parameter is both protected and unprotected."
        case .criticalHeader: "The structure names a critical header parameter that is not understood."
        case .detachedPayload: "The payload is detached."
        case .notAKey: "The item is not a COSE_Key."
        case .unsupportedKey: "The type, curve or operations of the key are not supported."
        case .invalidPoint: "The public key is not a point of its curve."
        case .signingFailed: "The signature could not be made."
        }
    }
}
