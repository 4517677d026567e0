import Encoding
@testable import Cryptography

/// A certificate of the tests.
struct CertificatePlan {
    var name: [UInt8]
    var key: SigningKey
    var serial: Int64
    /// UTCTime.
    var from = "250101000000Z"
    var until = "270101000000Z"
    /// Each whole, as `extensionOf` makes it.
    var extensions: [[UInt8]]

    static func extensionOf(_ identifier: [UInt8], isCritical: Bool = false, _ value: [UInt8]) -> [UInt8] {
        DERWriter.sequence(DERWriter.identifier(identifier), isCritical ? DERWriter.boolean(true) : [], DERWriter.bytes(value))
    }

    static let recordIdentifier: [UInt8] = [0x2B, 0x06, 0x01, 0x04, 0x01, 0xD6, 0x79, 0x02, 0x01, 0x11]

    /// Basic constraints.
    static func authority(_ isAuthority: Bool = true, pathLength: Int64? = nil) -> [UInt8] {
        let inner = (isAuthority ? DERWriter.boolean(true) : []) + (pathLength.map { DERWriter.number($0) } ?? [])
        return extensionOf([0x55, 0x1D, 0x13], isCritical: true, DERWriter.element(.sequence, inner))
    }

    /// keyCertSign alone, or digitalSignature alone.
    static func usage(signsCertificates: Bool = true) -> [UInt8] {
        extensionOf([0x55, 0x1D, 0x0F], isCritical: true, signsCertificates ? DERWriter.bitString([0x04], unused: 2) : DERWriter.bitString([0x80], unused: 7))
    }
}

/// A chain of certificates of the tests, each signed by the next: at first as Google's are today, with a record in the leaf.
struct ChainPlan {
    /// Leaf first.
    var certificates: [CertificatePlan]
    var record = RecordPlan()
    /// Whether the leaf has a record.
    var hasRecord = true
    /// Who signs in the place of the next one, by place.
    var signers: [Int: SigningKey] = [:]
    /// What a certificate calls its issuer in the place of the next one's name, by place.
    var issuers: [Int: [UInt8]] = [:]

    /// RFC 5758, 3.2: ecdsa-with-SHA256.
    private static let algorithm: [UInt8] = [0x30, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]

    init() throws {
        func issuing(_ name: [(UInt8, String)], _ serial: Int64) throws -> CertificatePlan {
            CertificatePlan(name: DERWriter.name(name), key: try .generate(), serial: serial,
                            extensions: [CertificatePlan.authority(), CertificatePlan.usage()])
        }
        certificates = [
            CertificatePlan(name: DERWriter.name([(3, "Android Keystore Key")]), key: try .generate(), serial: 1, from: "700101000000Z",
                            until: "480101000000Z", extensions: [CertificatePlan.usage(signsCertificates: false)]),
            try issuing([(3, "2c85cdc15c30"), (10, "TEE")], 0x2C85CD),
            try issuing([(10, "Google LLC"), (3, "Droid CA2")], 0xB184CB),
            try issuing([(3, "Key Attestation CA1")], 0x84A9D0)
        ]
    }

    /// As factories put them into phones: a number in the name below the root, and an attestation key that calls itself no authority.
    static func ofFactory() throws -> ChainPlan {
        var plan = try ChainPlan()
        plan.certificates[1].name = DERWriter.name([(5, "3e7fb6a1ee4bd568"), (12, "TEE")])
        plan.certificates[1].extensions = [CertificatePlan.authority(false), CertificatePlan.usage(signsCertificates: false)]
        plan.certificates[2].name = DERWriter.name([(5, "87f4514475ba0a2b"), (12, "TEE")])
        return plan
    }

    var root: CertificatePlan { certificates[certificates.count - 1] }

    static func information(_ key: PublicKey) -> [UInt8] { PublicKey.p256InformationHead + key.x + (key.y ?? []) }

    /// The certificates in DER.
    func der() throws -> [[UInt8]] { try certificates.indices.map(der) }

    private func der(_ place: Int) throws -> [UInt8] {
        let plan = certificates[place], next = certificates[min(place + 1, certificates.count - 1)]
        let record = place == 0 && hasRecord ? CertificatePlan.extensionOf(CertificatePlan.recordIdentifier, self.record.bytes) : []
        let validity = DERWriter.sequence(DERWriter.element(.utcTime, Array(plan.from.utf8)), DERWriter.element(.utcTime, Array(plan.until.utf8)))
        let signed = DERWriter.sequence(
            DERWriter.element(.context(0), DERWriter.number(2)), DERWriter.number(plan.serial), Self.algorithm, issuers[place] ?? next.name, validity,
            plan.name, Self.information(plan.key.publicKey),
            DERWriter.element(.context(3), DERWriter.element(.sequence, plan.extensions.flatMap { $0 } + record)))
        let signature = try (signers[place] ?? next.key).sign(signed)
        return DERWriter.sequence(signed, Self.algorithm, DERWriter.bitString(ECDSASignature.der(raw: signature)))
    }
}
