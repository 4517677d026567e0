import Credentials
import Cryptography
import Evidence
import Files
import Glibc
import SiteData
import Threads
import Vocabulary

/// What the authority knows that evidence can be checked against.
extension Authority {
    /// Every issuer that there ever was, every gate key that phones were ever given, and what the folder says of whom the evidence is about.
    public func evidenceTrust(for file: EvidenceFile) throws(AuthorityError) -> EvidenceTrust {
        var trust = EvidenceTrust()
        // What was granted by a token of long ago was granted all the same.
        for issuer in try issuers() {
            trust.issuers.append(issuer.key)
            trust.keyDates[issuer.key] = KeyDates(from: issuer.madeAt, to: issuer.droppedAt)
        }
        // The file for phones lacks what was taken out of it; the database lacks nobody's key.
        if folder.has(AuthorityFolder.knownGates) { trust.gates = try Self.gates(at: folder.path(of: AuthorityFolder.knownGates)) }
        if let issuer = try knownGateIssuer() { trust.gates.append(.issuer(issuer)) }
        for key in try database.gateKeys() {
            if let known = try? ConfirmedKeyCredential(parsing: key.claims) { trust.gates.append(.credential(known)) }
            trust.gateEnds[try key.key] = key.droppedAt
            trust.keyDates[try key.key] = KeyDates(from: key.madeAt)
        }
        guard let question = EvidenceQuestion(about: file) else { return trust }
        if let thumbprint = question.enrolledKey {
            try database.forEachEnrolled(thumbprint: thumbprint) { key, time in trust.enrolled.append(KnownEnrolment(key, since: time)) }
        }
        trust.office = OfficeWord(standing: try database.standing(of: question), issue: try database.issue(of: question))
        return trust
    }

    /// The gate issuer, if there is one yet: nothing is made for a check.
    private func knownGateIssuer() throws(AuthorityError) -> GateIssuer? {
        guard let name = try database.gateIssuer()?.name, folder.has(AuthorityFolder.gateIssuerPublicKey) else { return nil }
        let key = try folder.key(AuthorityFolder.gateIssuerPublicKey, role: .gateIssuer).publicKey
        return GateIssuer(site: site, name: name, key: key)
    }

    /// Adds what a publication in one file, from an archive, says of issuers, gates, and whom some evidence is about.
    public static func add(
        publicationAt path: String, siteKeyAt keyPath: String, to trust: inout EvidenceTrust, for file: EvidenceFile
    ) throws(AuthorityError) {
        let siteKey = try AuthorityFolder.publicKey(at: keyPath, role: .site)
        guard let question = EvidenceQuestion(about: file), let site = question.site else { return }
        var archived = ArchivedPublication(question)
        let manifest = try forEachRecord(ofPublicationAt: path, PublicationReader(site: site, signedBy: siteKey)) { archived.add($0) }
        trust.issuers += archived.issuers
        trust.gates += archived.gates
        trust.publications.append(archived.word(manifest))
    }

    /// Goes through a publication. What was told counts only if this returns: the whole body has been checked then.
    private static func forEachRecord(
        ofPublicationAt path: String, _ reader: PublicationReader, _ body: (PublicationRecord) -> Void
    ) throws(AuthorityError) -> PublicationManifest {
        var reader = reader
        do {
            let input = try FileDescriptor.reading(path)
            while case let piece = try input.read(upTo: pieceLength), !piece.isEmpty { try reader.feed(piece).forEach(body) }
            return try reader.finish()
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

    /// The record of a number among those that were collected, if a checkpoint stands for it that one of these keys signed.
    /// - Parameter outside: one that was taken away with them.
    public static func cover(
        of record: UInt64, at path: String, by keys: [PublicKey], outside: SignedCheckpoint?
    ) throws(AuthorityError) -> CoveredRecord? {
        try CollectedFile(path: path).cover(of: record, by: keys, outside: outside)
    }
}
