import COpenSSL

/// One running digest of libcrypto.
///
/// `@unchecked Sendable`: a stream changes it only while it holds the one reference.
final class DigestState: @unchecked Sendable {
    private let context: OpaquePointer
    private let length: Int

    /// A digest of nothing so far.
    init(_ function: HashFunction) {
        context = Self.newContext()
        length = function.length
        Self.check(EVP_DigestInit_ex2(context, function.algorithm, nil))
    }

    init(copying other: DigestState) {
        context = Self.newContext()
        length = other.length
        Self.check(EVP_MD_CTX_copy_ex(context, other.context))
    }

    deinit { EVP_MD_CTX_free(context) }

    func update(_ bytes: UnsafeRawBufferPointer) {
        Self.check(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count))
    }

    func finish() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: length) { digest, count in
            Self.check(EVP_DigestFinal_ex(context, digest.baseAddress, nil))
            count = length
        }
    }

    private static func newContext() -> OpaquePointer {
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("no memory for a digest") }
        return context
    }

    private static func check(_ result: Int32) {
        precondition(result == 1, "hashing cannot fail on bytes in memory")
    }
}
