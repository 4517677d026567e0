import Audit
import Credentials
import Cryptography

/// What the authority knows that evidence can be checked against.
extension Authority {
    /// Issuer, every gate key that phones were ever given, and whose an enrolled key is.
    /// - Parameter file: what shall be checked; only its enrolled key is looked up.
    public func evidenceTrust(for file: EvidenceFile) throws(AuthorityError) -> EvidenceTrust {
        let issuer = try folder.key(AuthorityFolder.issuerPublicKey, role: .tokenIssuer)
        var gates: [GateListEntry] = []
        // The file for phones lacks what was taken out of it; the database lacks nobody's key.
        if folder.has(AuthorityFolder.knownGates) { gates = try Self.gates(at: folder.path(of: AuthorityFolder.knownGates)) }
        try database.forEachGateCredential { _, claims in
            if let known = try? ConfirmedKeyCredential(parsing: claims) { gates.append(.credential(known)) }
        }
        var enrolled: [EnrolledKey] = []
        if let thumbprint = EvidenceVerification.enrolledKey(in: file) {
            try database.forEachEnrolled(thumbprint: thumbprint) { key, _ in enrolled.append(key) }
        }
        return EvidenceTrust(issuers: [issuer.publicKey], gates: gates, enrolled: enrolled)
    }

    /// A token issuer's public key in a file of its own.
    public static func issuerKey(at path: String) throws(AuthorityError) -> PublicKey {
        try AuthorityFolder.key(at: path, role: .tokenIssuer).publicKey
    }

    /// What phones were given to know the gates by (`gates.phone`), of today or from an archive.
    public static func gates(at path: String) throws(AuthorityError) -> [GateListEntry] {
        guard let entries = GateListEntry.list(parsing: try bytes(at: path)) else { throw .notAGateList(path: path) }
        return entries
    }

    /// Exported evidence.
    public static func evidence(at path: String) throws(AuthorityError) -> EvidenceFile {
        let bytes = try bytes(at: path)
        do throws(EvidenceFileError) { return try EvidenceFile(parsing: bytes) } catch { throw .evidence(error) }
    }
}
