#if canImport(COpenSSL)
import COpenSSL
import Synchronization

/// Keys of P-256 that verified for somebody before, for whoever comes next: to make one anew, libcrypto copies its whole curve, which is a
/// tenth of a tap's computing. Public keys only; the point is set, and checked, for each who takes one.
///
/// Every thread that verifies takes and gives back; `spares` guards the list, and is held for nothing else.
final class SpareVerifiers: Sendable {
    /// A key and the context that verifies with it.
    struct Verifier: @unchecked Sendable {
        let key: OpaquePointer
        let context: OpaquePointer
    }

    static let shared = SpareVerifiers()

    /// As many as taps at eight lanes hold at a time.
    private static let most = 16

    private let spares = Mutex<[Verifier]>([])

    /// One that is nobody's. Its point is that of whoever had it before. Nil where libcrypto has no memory.
    func next() -> Verifier? { spares.withLock { $0.popLast() } ?? Self.make() }

    /// Nobody needs it any more.
    func giveBack(_ verifier: Verifier) {
        let isKept = spares.withLock { spares in
            guard spares.count < Self.most else { return false }
            spares.append(verifier)
            return true
        }
        guard !isKept else { return }
        EVP_PKEY_CTX_free(verifier.context)
        EVP_PKEY_free(verifier.key)
    }

    private static func make() -> Verifier? {
        guard let key = EVP_PKEY_dup(Algorithms.shared.p256Template) else { return nil }
        guard let context = EVP_PKEY_CTX_new(key, nil) else {
            EVP_PKEY_free(key)
            return nil
        }
        guard EVP_PKEY_verify_init(context) == 1 else {
            EVP_PKEY_CTX_free(context)
            EVP_PKEY_free(key)
            return nil
        }
        return Verifier(key: key, context: context)
    }
}
#endif
