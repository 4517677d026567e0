import Encoding

/// What a site takes for an attested key.
public struct AttestationPolicy: Hashable, Sendable {
    /// The site's apps by package name, such as `org.example.gate`. A key belongs to one or more of them and to no other app.
    public var applications: Set<String>
    /// SHA-256 of the certificates that sign those apps, 32 bytes each.
    public var signers: Set<[UInt8]>
    /// SHA-256 of the SubjectPublicKeyInfo of roots, 32 bytes each.
    public var roots: Set<[UInt8]>
    /// Certificates that were taken back.
    public var revoked: RevokedSerials
    /// How many seconds after its user was verified a key may sign.
    public var longestTimeout: Int64
    /// Whether only keys in a StrongBox count.
    public var wantsStrongBox: Bool

    /// The usual `longestTimeout`: time to reach the reader, and not to lose the phone.
    public static let usualTimeout: Int64 = 60

    /// A policy. Whoever names no application or no signer takes no key.
    public init(applications: Set<String>, signers: Set<[UInt8]>, roots: Set<[UInt8]> = Self.googleRoots, revoked: RevokedSerials = RevokedSerials(),
                longestTimeout: Int64 = Self.usualTimeout, wantsStrongBox: Bool = false) {
        self.applications = applications
        self.signers = signers
        self.roots = roots
        self.revoked = revoked
        self.longestTimeout = longestTimeout
        self.wantsStrongBox = wantsStrongBox
    }

    /// The keys of Google's roots (roots.json of github.com/android/keyattestation, July 2026): RSA with 4096 bits, which stands in
    /// certificates of 2016, 2019 and 2022, and P-384 of 2025.
    public static let googleRoots = Set([
        "feb2ea7551ee316ed4bb443c8293b884dbfdea40b603ee3e4f4a897e4580fbae",
        "3ee44512a1af2beb39c889490c60ea3f82e43f5d5a5532f5ab9419f676cd07ec"
    ].map { (try? Hex.decode($0)) ?? [] })
}

extension AttestationPolicy {
    /// A policy as settings have it.
    /// - Parameters:
    ///   - applicationNames: package names.
    ///   - signerDigests: SHA-256 of certificates in hexadecimal, with or without colons, as `apksigner` and `keytool` print it.
    ///   - rootDigests: `google`, or as signers.
    ///   - longestTimeout: seconds, from 1 to 3600.
    public init(applicationNames applications: [String], signerDigests signers: [String], rootDigests roots: [String] = [Self.google],
                longestTimeout: Int64 = Self.usualTimeout, wantsStrongBox: Bool = false) throws(AttestationPolicyFault) {
        guard !applications.isEmpty, applications.allSatisfy(Self.isPackageName) else { throw .applications }
        guard !signers.isEmpty, let signerDigests = Self.digests(signers) else { throw .signers }
        guard !roots.isEmpty, let rootDigests = Self.digests(roots.filter { $0 != Self.google }) else { throw .roots }
        guard (1...Self.longestEver).contains(longestTimeout) else { throw .timeout }
        self.init(applications: Set(applications), signers: signerDigests,
                  roots: roots.contains(Self.google) ? rootDigests.union(Self.googleRoots) : rootDigests,
                  longestTimeout: longestTimeout, wantsStrongBox: wantsStrongBox)
    }

    /// The word for Google's roots.
    public static let google = "google"
    private static let longestEver: Int64 = 3600

    private static func digests(_ texts: [String]) -> Set<[UInt8]>? {
        let read = texts.compactMap { try? Hex.decode(String($0.filter { $0 != ":" })) }.filter { $0.count == 32 }
        return read.count == texts.count ? Set(read) : nil
    }

    /// Android: letters, digits and underscores, with dots between.
    private static func isPackageName(_ name: String) -> Bool {
        name.utf8.count <= 255 && name.contains(".") && name.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                 UInt8(ascii: "."), UInt8(ascii: "_"): true
            default: false
            }
        }
    }
}

/// Which setting of a policy is wrong.
public enum AttestationPolicyFault: Error, Hashable, Sendable {
    /// `applications` are no package names, or none at all.
    case applications
    /// `signers` are no digests, or none at all.
    case signers
    /// `roots` are neither `google` nor digests.
    case roots
    /// `longest-timeout` is out of range.
    case timeout
    /// The list of certificates that were taken back is not written as Google's is.
    case revocations

    /// Stable code.
    public var code: String {
        switch self {
        case .applications: "attestation-applications-invalid"
        case .signers: "attestation-signers-invalid"
        case .roots: "attestation-roots-invalid"
        case .timeout: "attestation-timeout-invalid"
        case .revocations: "attestation-revocations-invalid"
        }
    }

    /// One sentence for people.
    public var message: String {
        switch self {
        case .applications: "An attestation needs the package names of the site's apps, such as org.example.gate."
        case .signers: "An attestation needs the SHA-256 of the certificates that sign the site's apps: 64 hexadecimal digits each, as apksigner prints them."
        case .roots: "Roots of attestations are 'google', or the SHA-256 of their keys: 64 hexadecimal digits each."
        case .timeout: "A key may sign from 1 to 3600 seconds after its user was verified."
        case .revocations: "The list of certificates that were taken back is not one as android.googleapis.com/attestation/status gives it."
        }
    }
}
