import Credentials
import Cryptography

extension Authority {
    /// The gate issuer, made now if this authority is older than its kind, or its key was moved away. Phones that came
    /// before do not know it: its date is today's, and `gates.phone` names it from now on.
    func gateIssuer(now: Int64) throws(AuthorityError) -> (issuer: GateIssuer, madeAt: Int64) {
        let isThere = folder.has(AuthorityFolder.gateIssuerKey)
        let file = try gateIssuerFile()
        let before = try database.gateIssuer()
        if !isThere || before == nil || !phonesAreGiven(file.publicKey) {
            let name = before?.name ?? Self.usualGateIssuer(of: site, beside: issuer)
            try folder.writePublicHalf(of: file, to: AuthorityFolder.gateIssuerPublicKey)
            try database.setGateIssuer(name, now: now)
            // Last: what was interrupted is done again.
            if folder.has(AuthorityFolder.knownGates) {
                try writeKnownGates(with: GateIssuer(site: site, name: name, key: file.publicKey))
            }
        }
        guard let known = try database.gateIssuer() else { throw .damaged }
        return (GateIssuer(site: site, name: known.name, key: file.publicKey), known.madeAt)
    }

    /// Whether `gates.phone` names a gate issuer with this key. A file that cannot be read says nothing to the contrary.
    private func phonesAreGiven(_ key: PublicKey) -> Bool {
        guard let entries = try? Self.gates(at: folder.path(of: AuthorityFolder.knownGates)) else { return true }
        return entries.contains { entry in
            switch entry {
            case .credential: false
            case .issuer(let issuer): issuer.key == key
            }
        }
    }

    /// The key that signs credentials of gates: none that this authority uses for anything else.
    func gateIssuerFile() throws(AuthorityError) -> KeyFile {
        let file = try folder.keyMadeOnce(AuthorityFolder.gateIssuerKey, role: .gateIssuer, use: .sign)
        let others = try issuers().map(\.key) + [oldSiteKey()].compactMap { $0 }
        guard !others.contains(file.publicKey) else {
            throw .keyOfTwoRoles(path: folder.path(of: AuthorityFolder.gateIssuerKey))
        }
        return file
    }

    /// The name of a gate issuer for which nobody chose one.
    static func usualGateIssuer(of site: String, beside issuer: String) -> String {
        let names = ["\(site)-gates", "gates", "gate-issuer"]
        return names.first { $0.utf8.count <= SiteName.longest && !$0.utf8.elementsEqual(issuer.utf8) } ?? "gate-issuer"
    }

    /// Writes a credential by value for each key of a group beside the key.
    func writeTokens(of group: GateGroup, expiresAt: Int64, now: Int64) throws(AuthorityError) -> GateTokens {
        let issuer = try gateIssuer(now: now).issuer
        guard let key = try gateIssuerFile().signingKey else {
            throw .keyFile(path: folder.path(of: AuthorityFolder.gateIssuerKey), .wrongHalf)
        }
        let place = GateGroup.folder(group.name, generation: group.generation)
        for (name, use, credential) in [(GateGroup.signingTokenName, KeyUse.sign, group.signing),
                                        (GateGroup.agreementTokenName, .agree, group.agreement)] {
            let claims = GateTokenClaims(
                issuer: issuer.name, site: site, notBefore: max(0, now - Self.phonesMayBeSlow), expiresAt: expiresAt,
                cti: RandomBytes.make(8), confirmationKey: COSEKey(key: credential.key, use: use))
            let token: GateToken
            do throws(GateTokenError) { token = try GateToken.issue(claims, key: key) } catch { throw .gateToken(error) }
            try folder.write("\(place)/\(name)", token.raw, mode: 0o644)
        }
        return GateTokens(signingPath: "\(group.folder)/\(GateGroup.signingTokenName)",
                          agreementPath: "\(group.folder)/\(GateGroup.agreementTokenName)", expiresAt: expiresAt)
    }

    /// When credentials by value end that hold for so long, or until a date if nobody said how long, but 30 days at least.
    static func end(of validSeconds: Int64?, or date: Int64, now: Int64) throws(AuthorityError) -> Int64 {
        guard let validSeconds else { return max(date, now + usualSeconds) }
        let (end, overflow) = now.addingReportingOverflow(validSeconds)
        guard validSeconds > 0, !overflow else { throw .badTimes }
        return end
    }

    /// A phone goes by its own clock, which may be behind ours; the gate is needed now.
    private static let phonesMayBeSlow: Int64 = 3600
    private static let usualSeconds: Int64 = 30 * 86400
}

extension AuthorityDatabase {
    func gateIssuer() throws(AuthorityError) -> (name: String, madeAt: Int64)? {
        let query = try prepare("SELECT gate_issuer, gate_issuer_at FROM site WHERE gate_issuer IS NOT NULL")
        defer { query.reset() }
        return try query.next() ? (query.text(0), query.integer(1)) : nil
    }

    func setGateIssuer(_ name: String, now: Int64) throws(AuthorityError) {
        let update = try prepare("UPDATE site SET gate_issuer = ?1, gate_issuer_at = ?2")
        update.bind(name, at: 1)
        update.bind(now, at: 2)
        try update.finish()
    }
}

/// The credentials by value that were written for the keys of a group.
public struct GateTokens: Hashable, Sendable {
    /// Where the one for the signing key is (`gate.signing-credential`).
    public let signingPath: String
    /// Where the one for the agreement key is (`gate.agreement-credential`).
    public let agreementPath: String
    /// The first second at which they hold no more, UNIX time.
    public let expiresAt: Int64
}
