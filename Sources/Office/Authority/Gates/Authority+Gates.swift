import Credentials
import Cryptography

extension Authority {
    /// Makes the keys of a group of gates below `gates/NAME`, and writes the credentials of all gates
    /// of the site anew for the phones.
    public func makeGates(name: String, now: Int64) throws(AuthorityError) -> GateGroup {
        let name = try SiteName.checked(name)
        guard try database.gateKeys(of: name).isEmpty else {
            // The file for the phones may be what an interruption left out.
            try writeKnownGates(now: now)
            throw .gatesThere(name: name)
        }
        return try makeGeneration(1, of: name, isEmergency: false, now: now)
    }

    /// Makes new keys for a group of gates, beside the ones it has. Phones are given both from now on; gates use the
    /// new ones from a date on that leaves nobody outside.
    public func rotateGates(name: String, now: Int64) throws(AuthorityError) -> (group: GateGroup, handover: GateHandover) {
        let keys = try keysInUse(of: name)
        guard Set(keys.map(\.generation)).count == 1 else { throw .rotationUnderWay(name: name) }
        let group = try makeGeneration(keys[0].generation + 1, of: name, isEmergency: false, now: now)
        return (group, try database.handover(since: now, issuerSince: gateIssuer(now: now).madeAt, now: now))
    }

    /// Makes new keys for a group of gates that cannot wait, and credentials by value for them, so that phones which
    /// know the gate issuer believe the new keys at once.
    /// - Parameter validSeconds: how long the credentials hold; nil: until every phone has come for the new keys, but
    ///   30 days at least.
    public func replaceGates(name: String, validSeconds: Int64?, now: Int64) throws(AuthorityError)
        -> (group: GateGroup, tokens: GateTokens, handover: GateHandover) {
        let newest = try keysInUse(of: name).map(\.generation).max() ?? 0
        let group = try makeGeneration(newest + 1, of: name, isEmergency: true, now: now)
        let handover = try database.handover(since: now, issuerSince: gateIssuer(now: now).madeAt, now: now)
        let expiresAt = try Self.end(of: validSeconds, or: handover.safeFrom, now: now)
        return (group, try writeTokens(of: group, expiresAt: expiresAt, now: now), handover)
    }

    /// Writes credentials by value for the newest keys of a group, in the place of those that were there.
    public func vouchForGates(name: String, validSeconds: Int64?, now: Int64) throws(AuthorityError)
        -> (group: GateGroup, tokens: GateTokens) {
        let keys = try keysInUse(of: name)
        let newest = keys.map(\.generation).max() ?? 0
        let group = try group(name, of: keys.filter { $0.generation == newest })
        return (group, try writeTokens(of: group, expiresAt: Self.end(of: validSeconds, or: now, now: now), now: now))
    }

    /// Takes all keys of a group but the newest ones from what phones are given. A phone that comes after this refuses
    /// gates that still use them.
    /// - Returns: how many generations are gone.
    public func dropOldKeys(name: String, now: Int64) throws(AuthorityError) -> Int {
        let keys = try keysInUse(of: name)
        guard let newest = keys.max(by: { $0.generation < $1.generation }) else { throw .noGates(name: name) }
        let old = Set(keys.map(\.generation)).subtracting([newest.generation])
        if !newest.isEmergency, !old.isEmpty {
            let handover = try database.handover(since: newest.madeAt, issuerSince: newest.madeAt, now: now)
            guard handover.safeFrom <= now else { throw .oldKeysNeeded(until: handover.safeFrom) }
        }
        try database.transaction { () throws(AuthorityError) in
            for generation in old { try database.dropGateKeys(of: name, generation: generation, now: now) }
        }
        try writeKnownGates(now: now)
        return old.count
    }

    /// Writes the file that phones take (`gates.phone`): the CCS of each gate key that is in use or will be, and the
    /// gate issuer. The database has them, so that a lost or half-written file is no loss.
    func writeKnownGates(now: Int64) throws(AuthorityError) {
        try writeKnownGates(with: try gateIssuer(now: now).issuer)
    }

    func writeKnownGates(with issuer: GateIssuer) throws(AuthorityError) {
        var sequence: [UInt8] = []
        for key in try database.gateKeys() where key.droppedAt == nil { sequence += key.claims }
        sequence += GateListEntry.issuer(issuer).encoded
        try folder.write(AuthorityFolder.knownGates, sequence, mode: 0o644)
    }

    private func keysInUse(of name: String) throws(AuthorityError) -> [GateKeyRow] {
        let name = try SiteName.checked(name)
        let keys = try database.gateKeys(of: name).filter { $0.droppedAt == nil }
        guard !keys.isEmpty else { throw .noGates(name: name) }
        return keys
    }

    /// Makes the keys of one generation. One that was interrupted goes on with the key files that it had made.
    private func makeGeneration(_ generation: Int, of name: String, isEmergency: Bool, now: Int64) throws(AuthorityError) -> GateGroup {
        let place = GateGroup.folder(name, generation: generation)
        for part in ["gates", "gates/\(name)", place] { try folder.makeFolder(part) }
        var names = try namesInUse()
        let signing = try folder.keyMadeOnce("\(place)/\(GateGroup.signingKeyName)", role: .gateSigning, use: .sign) {
            names.welcomes(GateCredential(site: site, key: $0))
        }
        names.add(GateCredential(site: site, key: signing.publicKey))
        let agreement = try folder.keyMadeOnce("\(place)/\(GateGroup.agreementKeyName)", role: .gateAgreement, use: .agree) {
            names.welcomes(GateCredential(site: site, key: $0))
        }
        for key in [signing.publicKey, agreement.publicKey] { try refusePersons(key) }
        let group = GateGroup(name: name, generation: generation, folder: folder.path(of: place),
                              signing: GateCredential(site: site, key: signing.publicKey),
                              agreement: GateCredential(site: site, key: agreement.publicKey))
        _ = try gateIssuer(now: now)
        try database.transaction { () throws(AuthorityError) in
            for (use, credential) in [(KeyUse.sign, group.signing), (.agree, group.agreement)] {
                try database.add(GateKeyRow(name: name, generation: generation, use: use, claims: credential.claims, madeAt: now,
                                            isEmergency: isEmergency))
            }
        }
        try writeKnownGates(now: now)
        return group
    }

    /// The `kid` of every gate key that phones have.
    private func namesInUse() throws(AuthorityError) -> GateKeyNames {
        var names = GateKeyNames()
        for row in try database.gateKeys() where row.droppedAt == nil {
            names.add(GateCredential(site: site, key: try row.key))
        }
        return names
    }

    /// The group as its rows in the database say.
    private func group(_ name: String, of keys: [GateKeyRow]) throws(AuthorityError) -> GateGroup {
        guard let signing = keys.first(where: { $0.use == .sign }), let agreement = keys.first(where: { $0.use == .agree }) else {
            throw .damaged
        }
        return GateGroup(name: name, generation: signing.generation,
                         folder: folder.path(of: GateGroup.folder(name, generation: signing.generation)),
                         signing: GateCredential(site: site, key: try signing.key),
                         agreement: GateCredential(site: site, key: try agreement.key))
    }
}
