import COpenSSL

/// One EVP_PKEY of libcrypto and the contexts prepared from it. libcrypto cleanses private values
/// when the last reference goes.
///
/// `@unchecked Sendable`: key and templates do not change after `init`. libcrypto allows several
/// threads to use one key, and to duplicate one context, at the same time (both only count
/// references); every operation works on a duplicate of its own.
final class LibraryKey: @unchecked Sendable {
    let raw: OpaquePointer
    private let template: OpaquePointer?

    /// Takes over `raw`, and prepares the operation it is for. Ed25519 needs no preparation.
    init(_ raw: OpaquePointer, for operation: Operation) throws(CryptographyError) {
        self.raw = raw
        template = Self.makeTemplate(raw, operation)
        guard template != nil || operation == .none else {
            throw .libraryFailed(operation: "preparing a key")
        }
    }

    deinit {
        EVP_PKEY_CTX_free(template)
        EVP_PKEY_free(raw)
    }

    /// What contexts of this key are prepared for.
    enum Operation { case none, sign, verify, derive }

    /// Runs `body` with a context of its own that is ready for the prepared operation.
    func withContext<Result>(_ body: (OpaquePointer) -> Result?) -> Result? {
        guard let template, let context = EVP_PKEY_CTX_dup(template) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        let result = body(context)
        if result == nil { ERR_clear_error() }
        return result
    }

    private static func makeTemplate(_ raw: OpaquePointer, _ operation: Operation) -> OpaquePointer? {
        guard operation != .none, let context = EVP_PKEY_CTX_new(raw, nil) else { return nil }
        guard start(context, operation) == 1 else {
            EVP_PKEY_CTX_free(context)
            ERR_clear_error()
            return nil
        }
        return context
    }

    private static func start(_ context: OpaquePointer, _ operation: Operation) -> Int32 {
        switch operation {
        case .none: 1
        case .sign: EVP_PKEY_sign_init(context)
        case .verify: EVP_PKEY_verify_init(context)
        case .derive: EVP_PKEY_derive_init(context)
        }
    }
}
