#if canImport(COpenSSL)
import COpenSSL

/// The algorithms of libcrypto, fetched once: a fetch by name on each call costs more than hashing
/// a short message does.
///
/// `@unchecked Sendable`: the fetched objects are immutable after `init` and libcrypto documents
/// concurrent use of fetched algorithms and constant groups as safe (crypto(7), "Thread safety").
final class Algorithms: @unchecked Sendable {
    static let shared = Algorithms()

    let sha256: OpaquePointer
    let sha512: OpaquePointer
    let aes128CCM: OpaquePointer
    let aes128GCM: OpaquePointer
    let chaCha20: OpaquePointer
    let chaCha20Poly1305: OpaquePointer
    /// HMAC-SHA-256 without a key, to be duplicated.
    let hmacTemplate: OpaquePointer
    /// The group itself, for checking points.
    let p256Group: OpaquePointer
    /// Order of the group.
    let p256Order: OpaquePointer
    /// A P-256 key without a point, to be duplicated: building the group by name costs 15 µs.
    let p256Template: OpaquePointer

    private init() {
        sha256 = Self.require(EVP_MD_fetch(nil, "SHA256", nil), "SHA-256")
        sha512 = Self.require(EVP_MD_fetch(nil, "SHA512", nil), "SHA-512")
        aes128CCM = Self.require(EVP_CIPHER_fetch(nil, "AES-128-CCM", nil), "AES-128-CCM")
        aes128GCM = Self.require(EVP_CIPHER_fetch(nil, "AES-128-GCM", nil), "AES-128-GCM")
        chaCha20 = Self.require(EVP_CIPHER_fetch(nil, "ChaCha20", nil), "ChaCha20")
        chaCha20Poly1305 = Self.require(EVP_CIPHER_fetch(nil, "ChaCha20-Poly1305", nil), "ChaCha20-Poly1305")
        hmacTemplate = Self.require(Self.makeHMAC(), "HMAC-SHA-256")
        p256Group = Self.require(EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1), "P-256")
        p256Order = Self.require(EC_GROUP_get0_order(p256Group), "the order of P-256")
        p256Template = Self.require(Self.keyWithoutPoint(onCurve: "P-256"), "P-256 keys")
    }

    /// A libcrypto without these algorithms cannot serve this product at all; nothing that comes
    /// from outside can lead here, and stopping at start leaves every relay de-energised.
    private static func require(_ object: OpaquePointer?, _ name: String) -> OpaquePointer {
        guard let object else { preconditionFailure("libcrypto does not provide \(name)") }
        return object
    }

    private static func makeHMAC() -> OpaquePointer? {
        guard let mac = EVP_MAC_fetch(nil, "HMAC", nil) else { return nil }
        defer { EVP_MAC_free(mac) }
        guard let context = EVP_MAC_CTX_new(mac) else { return nil }
        return tapstile_hmac_use_sha256(context) == 1 ? context : nil
    }

    /// A key on the curve that libcrypto knows by this name, still without its point.
    static func keyWithoutPoint(onCurve name: String) -> OpaquePointer? {
        guard let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        var template: OpaquePointer?
        guard EVP_PKEY_paramgen_init(context) == 1,
              EVP_PKEY_CTX_set_group_name(context, name) == 1,
              EVP_PKEY_paramgen(context, &template) == 1 else { return nil }
        return template
    }
}

extension HashFunction {
    /// What libcrypto knows it by.
    var algorithm: OpaquePointer {
        switch self {
        case .sha256: Algorithms.shared.sha256
        case .sha512: Algorithms.shared.sha512
        }
    }
}
#endif
