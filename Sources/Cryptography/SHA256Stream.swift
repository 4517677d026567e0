import COpenSSL

/// SHA-256 over bytes that arrive piece by piece. A copy continues on its own.
public struct SHA256Stream: Sendable {
    private var state: DigestState

    /// A hash of nothing so far.
    public init() { state = DigestState() }

    /// Adds bytes at the end.
    public mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// Adds a region of memory at the end.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        if !isKnownUniquelyReferenced(&state) { state = DigestState(copying: state) }
        state.update(bytes)
    }

    /// The hash of all bytes so far, 32 bytes; the stream itself can go on.
    public func finish() -> [UInt8] {
        DigestState(copying: state).finish()
    }
}

/// One running digest of libcrypto.
///
/// `@unchecked Sendable`: `SHA256Stream` changes it only while it holds the one reference.
private final class DigestState: @unchecked Sendable {
    private let context: OpaquePointer

    init() {
        context = Self.newContext()
        Self.check(EVP_DigestInit_ex2(context, Algorithms.shared.sha256, nil))
    }

    init(copying other: DigestState) {
        context = Self.newContext()
        Self.check(EVP_MD_CTX_copy_ex(context, other.context))
    }

    deinit { EVP_MD_CTX_free(context) }

    func update(_ bytes: UnsafeRawBufferPointer) {
        Self.check(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count))
    }

    func finish() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: SHA256.length) { digest, count in
            Self.check(EVP_DigestFinal_ex(context, digest.baseAddress, nil))
            count = SHA256.length
        }
    }

    private static func newContext() -> OpaquePointer {
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("no memory for a digest") }
        return context
    }

    private static func check(_ result: Int32) {
        precondition(result == 1, "SHA-256 cannot fail on bytes in memory")
    }
}
