#if canImport(COpenSSL)
import COpenSSL

/// One running digest of libcrypto.
///
/// `@unchecked Sendable`: a stream changes it only while it holds the one reference.
final class DigestState: @unchecked Sendable {
    private let context: OpaquePointer
    private let function: HashFunction

    /// A digest of nothing so far.
    init(_ function: HashFunction) {
        context = Self.newContext()
        self.function = function
        restart()
    }

    init(copying other: DigestState) {
        context = Self.newContext()
        function = other.function
        Self.check(EVP_MD_CTX_copy_ex(context, other.context))
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Forgets all bytes so far.
    func restart() { Self.check(EVP_DigestInit_ex2(context, function.algorithm, nil)) }

    func update(_ bytes: UnsafeRawBufferPointer) {
        Self.check(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count))
    }

    /// The digest. Only `restart` may follow.
    func finish() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: function.length) { digest, count in
            Self.check(EVP_DigestFinal_ex(context, digest.baseAddress, nil))
            count = function.length
        }
    }

    /// The digest in the place of as many bytes.
    func finish(into digest: inout [UInt8]) {
        precondition(digest.count == function.length, "the callers' lengths are constants")
        Self.check(EVP_DigestFinal_ex(context, &digest, nil))
    }

    private static func newContext() -> OpaquePointer {
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("no memory for a digest") }
        return context
    }

    private static func check(_ result: Int32) {
        precondition(result == 1, "hashing cannot fail on bytes in memory")
    }
}
#endif
