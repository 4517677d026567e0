import COpenSSL
import Synchronization

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
