import Credentials
import Cryptography
import Encoding

extension Authority {
    /// Makes the keys of a group of gates below `gates/NAME`, and writes the credentials of all gates
    /// of the site anew for the phones.
    public func makeGates(name: String, now: Int64) throws(AuthorityError) -> GateGroup {
        try SiteName.check(name)
        guard try !database.hasGates(name) else {
            // The file for the phones may be what an interruption left out.
            try writeKnownGates()
            throw .gatesThere(name: name)
        }
        try folder.makeFolder("gates")
        try folder.makeFolder("gates/\(name)")
        let signing = try folder.keyMadeOnce(
            "gates/\(name)/\(GateGroup.signingKeyName)", role: .gateSigning, use: .sign)
        let agreement = try folder.keyMadeOnce(
            "gates/\(name)/\(GateGroup.agreementKeyName)", role: .gateAgreement, use: .agree)
        let group = GateGroup(name: name, folder: folder.path(of: "gates/\(name)"),
                              signing: GateCredential(site: site, key: signing.publicKey),
                              agreement: GateCredential(site: site, key: agreement.publicKey))
        try database.transaction { () throws(AuthorityError) in
            try database.addGates(name, use: .sign, group.signing, now: now)
            try database.addGates(name, use: .agree, group.agreement, now: now)
        }
        try writeKnownGates()
        return group
    }

    /// Writes the file that phones take (`gates.phone`): the CCS of each gate key as a CBOR sequence.
    /// The database has them, so that a lost or half-written file is no loss.
    func writeKnownGates() throws(AuthorityError) {
        var sequence: [UInt8] = []
        try database.forEachGateCredential { _, claims in sequence += claims }
        try folder.write(AuthorityFolder.knownGates, sequence, mode: 0o644)
    }
}

extension AuthorityDatabase {
    func hasGates(_ name: String) throws(AuthorityError) -> Bool {
        let query = try prepare("SELECT 1 FROM gates WHERE name = ?1")
        query.bind(name, at: 1)
        return try query.exists()
    }

    func addGates(_ name: String, use: KeyUse, _ credential: GateCredential, now: Int64) throws(AuthorityError) {
        let insert = try prepare("INSERT INTO gates (name, use, claims, made_at) VALUES (?1, ?2, ?3, ?4)")
        insert.bind(name, at: 1)
        insert.bind(use.rawValue, at: 2)
        insert.bind(credential.claims, at: 3)
        insert.bind(now, at: 4)
        try insert.finish()
    }

    func forEachGateCredential(_ body: (_ name: String, _ claims: [UInt8]) throws(AuthorityError) -> Void)
        throws(AuthorityError) {
        let query = try prepare("SELECT name, claims FROM gates ORDER BY rowid")
        defer { query.reset() }
        while try query.next() { try body(query.text(0), query.bytes(1)) }
    }
}
