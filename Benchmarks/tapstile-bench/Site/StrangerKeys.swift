import COpenSSL
import Cryptography

/// Public keys on P-256 whose private halves nobody needs: each is the one before plus the base
/// point, which is quicker than making a million key pairs.
final class StrangerKeys {
    private let group: OpaquePointer
    private let point: OpaquePointer
    private let step: OpaquePointer
    private let x: OpaquePointer
    private let y: OpaquePointer

    /// Keys that begin somewhere, always at the same place.
    init() throws(BenchError) {
        guard let group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1), let generator = EC_GROUP_get0_generator(group),
              let point = EC_POINT_new(group), let step = EC_POINT_dup(generator, group), let x = BN_new(), let y = BN_new(),
              let start = BN_bin2bn(SHA256.hash(Array("tapstile-bench strangers".utf8)), 32, nil) else {
            throw BenchError("libcrypto has no memory for points")
        }
        defer { BN_free(start) }
        guard EC_POINT_mul(group, point, start, nil, nil, nil) == 1 else { throw BenchError("libcrypto cannot multiply a point") }
        (self.group, self.point, self.step, self.x, self.y) = (group, point, step, x, y)
    }

    deinit {
        BN_free(y)
        BN_free(x)
        EC_POINT_free(step)
        EC_POINT_free(point)
        EC_GROUP_free(group)
    }

    /// The next one.
    func next() throws(BenchError) -> PublicKey {
        var (first, second) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 32))
        guard EC_POINT_add(group, point, point, step, nil) == 1,
              EC_POINT_get_affine_coordinates(group, point, x, y, nil) == 1,
              BN_bn2binpad(x, &first, 32) == 32, BN_bn2binpad(y, &second, 32) == 32,
              let key = try? PublicKey(curve: .p256, x: first, y: second) else {
            throw BenchError("libcrypto cannot add points")
        }
        return key
    }
}
