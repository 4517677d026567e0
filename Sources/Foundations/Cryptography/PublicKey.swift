import Synchronization

/// A public key: a point of one of the curves. Equal when curve and coordinates are equal.
///
/// The library's object is made at the first use and kept with this value and its copies, so that
/// a key that is used often (a token issuer's) costs nothing beyond the operation itself.
public struct PublicKey: Hashable, Sendable {
    /// The curve.
    public let curve: Curve
    /// The x coordinate; for X25519 and Ed25519 the whole public key. 32 bytes.
    public let x: [UInt8]
    /// The y coordinate of a P-256 point, 32 bytes. Nil for the other curves, and for a P-256
    /// point of which only x is known (EDHOC's G_X): such a key agrees but verifies nothing.
    public let y: [UInt8]?
    let library: LazyLibraryKey

    /// Throws `wrongLength` unless coordinates have 32 bytes, and `pointNotOnCurve` for a P-256
    /// point that is not on the curve (for an x alone: when no point has that x).
    /// - Parameter isForUse: whether the key is needed next. The library's object is then made at once, which is the check
    ///   too; a check by itself costs less than the object, and more than nothing.
    public init(curve: Curve, x: [UInt8], y: [UInt8]?, isForUse: Bool = false) throws(CryptographyError) {
        guard x.count == Curve.coordinateLength, y == nil || y?.count == Curve.coordinateLength,
              y == nil || curve == .p256 else { throw .wrongLength }
        self.init(unchecked: curve, x: x, y: y)
        guard curve == .p256 else { return }
        if let y, !isForUse {
            guard P256Point.isOnCurve(x: x, y: y) else { throw .pointNotOnCurve }
        } else {
            // Making the object is the check.
            guard library.key(for: self) != nil else { throw .pointNotOnCurve }
        }
    }

    /// A compressed P-256 point: x and which of the two y belongs to it (RFC 9053, 7.1.1).
    public init(compressedP256 x: [UInt8], yIsOdd: Bool) throws(CryptographyError) {
        guard x.count == Curve.coordinateLength else { throw .wrongLength }
        guard let y = P256Point.y(x: x, isOdd: yIsOdd) else { throw .pointNotOnCurve }
        self.init(unchecked: .p256, x: x, y: y)
    }

    /// A key whose coordinates came from the library, or were checked before.
    init(unchecked curve: Curve, x: [UInt8], y: [UInt8]?) {
        self.curve = curve
        self.x = x
        self.y = y
        library = LazyLibraryKey()
    }

    /// The same key without its object of the library, which is some kilobytes: for keeping many that are seldom used. What
    /// is made for one of the two is not kept with the other.
    public var unprepared: PublicKey { PublicKey(unchecked: curve, x: x, y: y) }

    public static func == (a: PublicKey, b: PublicKey) -> Bool {
        a.curve == b.curve && a.x == b.x && a.y == b.y
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(curve)
        hasher.combine(x)
        hasher.combine(y)
    }
}

/// The library's object of a public key, made once.
final class LazyLibraryKey: Sendable {
    private let made = Mutex<LibraryKey?>(nil)

    func key(for key: PublicKey) -> LibraryKey? {
        made.withLock { made in
            if let made { return made }
            made = LibraryKey.publicKey(curve: key.curve, x: key.x, y: key.y)
            return made
        }
    }
}

extension PublicKey {
    /// COSE Key thumbprint with SHA-256 (RFC 9679, 4): the hash of the deterministic COSE_Key with
    /// its required members only. For a P-256 point given by x alone, of the one with even y.
    public var thumbprint: [UInt8] {
        switch curve {
        case .p256:
            // {1: 2 (EC2), -1: 1 (P-256), -2: x, -3: y}
            let y = y ?? P256Point.y(x: x, isOdd: false) ?? []
            var form: [UInt8] = []
            form.reserveCapacity(Self.p256FormLength)
            form += Self.p256Head
            form += x
            form += Self.p256Middle
            form += y
            return SHA256.hash(form)
        case .x25519, .ed25519:
            // {1: 1 (OKP), -1: curve, -2: x}
            return SHA256.hash([0xA3, 0x01, 0x01, 0x20, UInt8(curve.rawValue), 0x21, 0x58, 0x20] + x)
        }
    }

    private static let p256Head: [UInt8] = [0xA4, 0x01, 0x02, 0x20, 0x01, 0x21, 0x58, 0x20]
    private static let p256Middle: [UInt8] = [0x22, 0x58, 0x20]
    private static let p256FormLength = p256Head.count + p256Middle.count + 2 * Curve.coordinateLength

    /// The `kid` of a key that nobody gave another one: the first 8 bytes of its thumbprint, long enough that a million keys
    /// have no two alike.
    public var usualKeyIdentifier: [UInt8] { Array(thumbprint.prefix(8)) }
}

extension PublicKey {
    /// Whether `signature` was made over `message` by the private key of this point: ES256 with
    /// r || s for P-256, EdDSA for Ed25519, exactly 64 bytes. False for a key that cannot sign.
    public func verify(_ signature: [UInt8], over message: [UInt8]) -> Bool {
        guard signature.count == SignatureAlgorithm.signatureLength else { return false }
        switch curve {
        case .p256: return verifyES256(signature, digest: SHA256.hash(message))
        case .ed25519: return library.key(for: self)?.verifyEdDSA(signature, message: message) ?? false
        case .x25519: return false
        }
    }

    /// As `verify`, for ES256 over a message whose SHA-256 hash is known already. False for any
    /// other curve, and for a digest that has not 32 bytes.
    public func verify(_ signature: [UInt8], overDigest digest: [UInt8]) -> Bool {
        guard curve == .p256, signature.count == SignatureAlgorithm.signatureLength,
              digest.count == SHA256.length else { return false }
        return verifyES256(signature, digest: digest)
    }

    /// As `verify(_:over:)` for ES256 with the signature as others write it: the DER structure (RFC 3279,
    /// 2.2.3), of which the library takes only the one form. False for any other curve.
    public func verify(derSignature: [UInt8], over message: [UInt8]) -> Bool {
        guard curve == .p256, derSignature.count <= ECDSASignature.longestDER else { return false }
        return verifyES256(der: derSignature, digest: SHA256.hash(message))
    }

    private func verifyES256(_ signature: [UInt8], digest: [UInt8]) -> Bool {
        verifyES256(der: ECDSASignature.der(raw: signature), digest: digest)
    }

    private func verifyES256(der: [UInt8], digest: [UInt8]) -> Bool {
        library.key(for: self)?.verifyES256(der: der, digest: digest) ?? false
    }
}
