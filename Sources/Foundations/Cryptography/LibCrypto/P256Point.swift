#if canImport(COpenSSL)
import COpenSSL
import Synchronization

/// Arithmetic on points of P-256 that libcrypto does for us outside of a key.
enum P256Point {
    /// Whether (x, y) is a point of the curve. The curve has cofactor 1 and infinity has no
    /// coordinates, so that this is full validation of a public key (SP 800-56A, 5.6.2.3.3).
    static func isOnCurve(x: [UInt8], y: [UInt8]) -> Bool {
        PointCheck.accepts(uncompressed(x: x, y: y))
    }

    /// The encoding 04 || x || y (SEC 1, 2.3.3).
    static func uncompressed(x: [UInt8], y: [UInt8]) -> [UInt8] {
        var encoding: [UInt8] = []
        encoding.reserveCapacity(1 + 2 * Curve.coordinateLength)
        encoding.append(0x04)
        encoding += x
        encoding += y
        return encoding
    }

    /// The even or the odd y that belongs to an x, or nil when no point has that x (SEC 1, 2.3.4).
    static func y(x: [UInt8], isOdd: Bool) -> [UInt8]? {
        guard let point = decode([isOdd ? 0x03 : 0x02] + x) else { return nil }
        return point.encoded().map { Array($0.suffix(Curve.coordinateLength)) }
    }

    /// 04 || x || y of the public key that belongs to a private value; nil outside 1 ..< order.
    static func publicEncoding(privateValue: OpaquePointer) -> [UInt8]? {
        let group = Algorithms.shared.p256Group
        guard BN_is_zero(privateValue) == 0, BN_cmp(privateValue, Algorithms.shared.p256Order) < 0,
              let point = Point(), EC_POINT_mul(group, point.raw, privateValue, nil, nil, nil) == 1 else {
            return nil
        }
        return point.encoded()
    }

    /// The x coordinates of 1·G, 2·G and so on.
    static func multiplesOfTheGenerator(_ count: Int) -> [[UInt8]] {
        let group = Algorithms.shared.p256Group
        guard let generator = EC_GROUP_get0_generator(group), let point = Point(), EC_POINT_copy(point.raw, generator) == 1 else { return [] }
        var multiples: [[UInt8]] = []
        while multiples.count < count, let encoding = point.encoded() {
            multiples.append(Array(encoding[1...Curve.coordinateLength]))
            guard EC_POINT_add(group, point.raw, point.raw, generator, nil) == 1 else { break }
        }
        return multiples
    }

    private static func decode(_ encoding: [UInt8]) -> Point? {
        guard let point = Point() else { return nil }
        // The call itself checks the equation of the curve and that coordinates are reduced.
        guard EC_POINT_oct2point(Algorithms.shared.p256Group, point.raw, encoding, encoding.count, nil) == 1 else {
            ERR_clear_error()
            return nil
        }
        return point
    }

    private final class Point {
        let raw: OpaquePointer

        init?() {
            guard let raw = EC_POINT_new(Algorithms.shared.p256Group) else { return nil }
            self.raw = raw
        }

        deinit { EC_POINT_clear_free(raw) }

        func encoded() -> [UInt8]? {
            let length = 1 + 2 * Curve.coordinateLength
            var encoding = [UInt8](repeating: 0, count: length)
            let written = EC_POINT_point2oct(Algorithms.shared.p256Group, raw, POINT_CONVERSION_UNCOMPRESSED,
                                             &encoding, length, nil)
            return written == length ? encoding : nil
        }
    }
}

/// What libcrypto looks at points with, one after another: to make and to clear these objects takes about as long as the look.
///
/// `@unchecked Sendable`: one caller has it at a time.
final class PointCheck: @unchecked Sendable {
    private let point: OpaquePointer
    private let context: OpaquePointer

    private static let spare = Mutex<[PointCheck]>([])

    private init?() {
        guard let point = EC_POINT_new(Algorithms.shared.p256Group) else { return nil }
        guard let context = BN_CTX_new() else {
            EC_POINT_free(point)
            return nil
        }
        self.point = point
        self.context = context
    }

    deinit {
        EC_POINT_free(point)
        BN_CTX_free(context)
    }

    /// Whether an encoding is that of a point of P-256. Where there is no memory for an answer it is not.
    static func accepts(_ encoding: [UInt8]) -> Bool {
        guard let check = spare.withLock({ $0.popLast() }) ?? PointCheck() else { return false }
        defer { spare.withLock { $0.append(check) } }
        // The call itself checks the equation of the curve and that coordinates are reduced.
        guard EC_POINT_oct2point(Algorithms.shared.p256Group, check.point, encoding, encoding.count, check.context) == 1 else {
            ERR_clear_error()
            return false
        }
        return true
    }
}
#endif
