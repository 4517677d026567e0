import Synchronization

/// A public key: a point of one of the curves. Equal when curve and coordinates are equal.
///
/// The libcrypto object is made at the first use and kept with this value and its copies, so that
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
    /// - Parameter isForUse: whether the key is needed next. The libcrypto object is then made at once, which is the check
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

    /// A key whose coordinates came from libcrypto, or were checked before.
    init(unchecked curve: Curve, x: [UInt8], y: [UInt8]?) {
        self.curve = curve
        self.x = x
        self.y = y
        library = LazyLibraryKey()
    }

    /// The same key without its libcrypto object, which is some kilobytes: for keeping many that are seldom used. What
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

/// The libcrypto object of a public key, made once.
final class LazyLibraryKey: Sendable {
    private let made = Mutex<LibraryKey?>(nil)

    func key(for key: PublicKey) -> LibraryKey? {
        made.withLock { made in
            if let made { return made }
            guard let raw = LibraryKey.publicKey(curve: key.curve, x: key.x, y: key.y) else { return nil }
            // A P-256 point of which only x is known verifies nothing, so nothing is prepared.
            let canVerify = key.curve == .p256 && key.y != nil
            made = try? LibraryKey(raw, for: canVerify ? .verify : .none)
            return made
        }
    }
}
