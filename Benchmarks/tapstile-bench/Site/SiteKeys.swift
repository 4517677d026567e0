import Cryptography

/// The keys of the benchmark's throw-away site. They are the same in every run and worth nothing:
/// so the bundles, which take long to make, can be kept.
struct SiteKeys: Sendable {
    static let site = "bench"

    let issuer: SigningKey
    let gateSigning: SigningKey
    let gateAgreement: AgreementKey

    init() throws {
        issuer = try Self.signing("issuer")
        gateSigning = try Self.signing("gate")
        gateAgreement = try AgreementKey(rawPrivate: Self.bytes("agreement"), curve: .p256)
    }

    /// The key that belongs to a name.
    static func signing(_ name: String) throws -> SigningKey {
        try SigningKey(rawPrivate: bytes(name), curve: .p256)
    }

    /// 32 bytes that belong to a name.
    static func bytes(_ name: String) -> [UInt8] {
        SHA256.hash(Array("tapstile-bench \(name)".utf8))
    }
}
