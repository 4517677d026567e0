import Audit
import Credentials
import Cryptography
import Files
import Glibc
import Threads
import TrustSync

/// What the authority knows that evidence can be checked against.
extension Authority {
    /// Every issuer that there ever was, every gate key that phones were ever given, and whose an enrolled key is.
    /// - Parameter file: what shall be checked; only its enrolled key is looked up.
    public func evidenceTrust(for file: EvidenceFile) throws(AuthorityError) -> EvidenceTrust {
        // What was granted by a token of long ago was granted all the same.
        let issuers = try issuers().map(\.key)
        var gates: [GateListEntry] = []
        // The file for phones lacks what was taken out of it; the database lacks nobody's key.
        if folder.has(AuthorityFolder.knownGates) { gates = try Self.gates(at: folder.path(of: AuthorityFolder.knownGates)) }
        if let issuer = try knownGateIssuer() { gates.append(.issuer(issuer)) }
        var ends: [PublicKey: Int64] = [:]
        for key in try database.gateKeys() {
            if let known = try? ConfirmedKeyCredential(parsing: key.claims) { gates.append(.credential(known)) }
            ends[try key.key] = key.droppedAt
        }
        var enrolled: [EnrolledKey] = []
        if let thumbprint = EvidenceVerification.enrolledKey(in: file) {
            try database.forEachEnrolled(thumbprint: thumbprint) { key, _ in enrolled.append(key) }
        }
        return EvidenceTrust(issuers: issuers, gates: gates, gateEnds: ends, enrolled: enrolled)
    }

    /// The gate issuer, if there is one yet: nothing is made for a check.
    private func knownGateIssuer() throws(AuthorityError) -> GateIssuer? {
        guard let name = try database.gateIssuer()?.name, folder.has(AuthorityFolder.gateIssuerPublicKey) else { return nil }
        let key = try folder.key(AuthorityFolder.gateIssuerPublicKey, role: .gateIssuer).publicKey
        return GateIssuer(site: site, name: name, key: key)
    }

    /// What a publication, of today or from an archive, says of issuers, gates, and the enrolled key in some evidence.
    /// It counts by its signature alone: that it has expired since, or that there are newer ones, changes nothing of what
    /// the site said.
    public static func evidenceTrust(
        for file: EvidenceFile, byPublicationAt path: String, siteKeyAt keyPath: String
    ) throws(AuthorityError) -> EvidenceTrust {
        let siteKey = try AuthorityFolder.publicKey(at: keyPath, role: .site)
        guard let site = EvidenceVerification.site(in: file) else { return EvidenceTrust() }
        let expectation = PublicationExpectation(
            site: site, siteKey: siteKey, previous: nil, clock: ClockReading(seconds: 0, trust: .untrusted), builtAt: .max)
        let thumbprint = EvidenceVerification.enrolledKey(in: file)
        var trust = EvidenceTrust()
        try forEachRecord(ofPublicationAt: path, expectation) { record in
            switch record {
            case .issuer(let issuer):
                trust.issuers.append(issuer.key)
            case .gateCredential(let bytes):
                if let known = GateListEntry(parsing: bytes) { trust.gates.append(known) }
            case .enrolled(let key):
                if key.key.thumbprint == thumbprint { trust.enrolled.append(key) }
            case .revocation, .plainCard, .rule, .ceiling, .word:
                break
            }
        }
        return trust
    }

    /// Goes through a publication. What was told counts only if this returns: the whole body has been checked then.
    private static func forEachRecord(
        ofPublicationAt path: String, _ expectation: PublicationExpectation, _ body: (PublicationRecord) -> Void
    ) throws(AuthorityError) {
        var reader = PublicationReader(expecting: expectation)
        do {
            let input = try FileDescriptor(path: path, flags: O_RDONLY)
            while case let piece = try input.read(upTo: pieceLength), !piece.isEmpty { try reader.feed(piece).forEach(body) }
            _ = try reader.finish()
        } catch let error as PublicationError {
            throw .publication(error)
        } catch let error as SystemError {
            throw .system(error)
        } catch {
            throw .publication(.notAPublication)
        }
    }

    /// Bytes of a publication that are read at once.
    private static let pieceLength = 65_536

    /// A token issuer's public key in a file of its own.
    public static func issuerKey(at path: String) throws(AuthorityError) -> PublicKey {
        try AuthorityFolder.publicKey(at: path, role: .tokenIssuer)
    }

    /// What phones were given to know the gates by (`gates.phone`), of today or from an archive.
    public static func gates(at path: String) throws(AuthorityError) -> [GateListEntry] {
        guard let entries = GateListEntry.list(parsing: try bytes(at: path)) else { throw .notAGateList(path: path) }
        return entries
    }

    /// Exported evidence.
    /// - Parameter record: which of the records that were collected it is, where the file holds those.
    public static func evidence(at path: String, record: UInt64? = nil) throws(AuthorityError) -> EvidenceFile {
        if let record { return try CollectedFile(path: path).evidence(record) }
        let bytes = try bytes(at: path)
        do throws(EvidenceFileError) { return try EvidenceFile(parsing: bytes) } catch { throw .evidence(error) }
    }
}
