import Cryptography
import Glibc
import Threads

/// The office's side of a ceremony: what has to be signed goes out in a folder, and comes back in it.
extension Authority {
    /// Begins a ceremony in a folder, or goes on with the one that is under way.
    /// - Returns: nil if nothing has to be signed.
    public func ceremony(at path: String, _ wanted: CeremonyPlan, now: Int64) throws(AuthorityError) -> CarriedCeremony? {
        var plan = wanted
        try OutputPlace.checkApart(path, from: folder)
        if let repository = wanted.repository {
            let place = try newPlace(repository)
            try place.makeFolders()
            plan.repository = place.path
        }
        let carried = try CarriedCeremony.request(at: path)
        if let carried, !carried.site.utf8.elementsEqual(site.utf8) { throw .repository(.otherCeremony(path: path, site: carried.site)) }
        if let copy = try ceremonyCopy() {
            guard plan.isEmpty || plan == copy.plan else { throw .repository(.ceremonyUnderWay) }
            guard carried == nil || carried == copy.request else { throw .repository(.otherCeremony(path: path, site: site)) }
            if copy.plan.repository == nil { _ = try settledRepository(now: now) }
            return carried == nil ? try CarriedCeremony.begin(copy.request, at: path) : try CarriedCeremony(at: path)
        }
        // What lies there is of one that is over, if it is of this office.
        if let carried {
            guard try isOurs(carried) else { throw .repository(.otherCeremony(path: path, site: site)) }
            try CarriedCeremony(at: path).clear()
        }
        guard let request = try request(plan, now: now) else { return nil }
        try folder.write(CeremonyCopy.file, CeremonyCopy(request: request, plan: plan).bytes, mode: 0o600)
        return try CarriedCeremony.begin(request, at: path)
    }

    /// Takes what was signed, and publishes. Interrupted, it is called once more.
    public func finish(_ ceremony: CarriedCeremony, _ result: CeremonyResult, now: Int64) throws(AuthorityError) -> PublishedRepository? {
        guard let copy = try ceremonyCopy(), copy.request == result.request else { throw .repository(.otherCeremony(path: ceremony.path, site: site)) }
        if copy.plan.repository != nil { try beginRepository(copy.plan, result.drafts, now: now) }
        _ = try settledRepository(now: now)
        for (draft, signatures) in result.signed where try signed(draft.role) != draft.signed {
            try apply(draft, signatures)
            guard draft.role == .root else { continue }
            for role in RepositoryRole.allCases where role.delegator == .root { try adoptKeys(of: role, from: draft.signed, now: now) }
        }
        for (name, key) in result.made { try keep(key, of: name, copy.request) }
        let published = try publishIfSigned(now: now)
        // In this order: without signatures it would seem to begin anew.
        try forgetCeremony()
        try ceremony.clear()
        return published
    }

    /// Gives up the ceremony that is under way, if one is.
    /// - Returns: what of it was signed on that medium; nil if it is on another one. Signatures outlive the ceremony.
    @discardableResult
    public func cancelCeremony(at path: String) throws(AuthorityError) -> [CarriedCeremony.Signed]? {
        var left: [CarriedCeremony.Signed]?
        if let copy = try ceremonyCopy(), let carried = try? CarriedCeremony(at: path), carried.request == copy.request {
            // What a stranger has brought may be no draft at all.
            left = (try? carried.signed()) ?? []
            try carried.clear()
        }
        try forgetCeremony()
        return left
    }

    /// Whether its keys that sign online are kept here.
    private func isOurs(_ request: CeremonyRequest) throws(AuthorityError) -> Bool {
        let wanted = [RepositoryRole.snapshot: request.root?.signed.keys(of: .snapshot).identifiers ?? [],
                      .people: request.targets?.signed.keys(of: .people).identifiers ?? []]
        for (role, identifiers) in wanted {
            for number in try 1...database.roleKeys(role).count + 1 where folder.has("\(Self.rolesFolder)/\(role.rawValue)-\(number).key") {
                let file = try folder.key("\(Self.rolesFolder)/\(role.rawValue)-\(number).key", role: role.keyRole)
                if identifiers.contains(file.publicKey.metadataIdentifier) { return true }
            }
        }
        return false
    }

    private func ceremonyCopy() throws(AuthorityError) -> CeremonyCopy? {
        guard folder.has(CeremonyCopy.file) else { return nil }
        guard let copy = CeremonyCopy(parsing: try folder.read(CeremonyCopy.file, limit: CeremonyCopy.longest)) else {
            throw .repository(.notACeremony(path: folder.path(of: CeremonyCopy.file)))
        }
        return copy
    }

    private func forgetCeremony() throws(AuthorityError) {
        let path = folder.path(of: CeremonyCopy.file)
        guard unlink(path) == 0 || errno == ENOENT else { throw .system(SystemError("remove \(path)", errno)) }
    }

    /// Notes the roles with the keys that were made, once.
    private func beginRepository(_ plan: CeremonyPlan, _ drafts: [Draft], now: Int64) throws(AuthorityError) {
        guard let root = drafts.first?.signed, let path = plan.repository else { throw .damaged }
        if let known = try database.repository()?.path, known == (try? RepositoryFolder.absolute(path)) { return }
        var wanted = RepositoryPlan(path: path)
        wanted.isReplacement = plan.isReplacement
        wanted.validSeconds = plan.validSeconds
        for role in RepositoryRole.allCases where role.isOffline {
            let (identifiers, threshold) = root.keys(of: role)
            wanted.keys[role] = identifiers.compactMap { root.key($0, of: role) }
            wanted.thresholds[role] = threshold
        }
        _ = try makeRepository(wanted, now: now)
    }

    /// By what name the office knows a key from now on: that of its public half.
    private func keep(_ key: PublicKey, of name: String, _ request: CeremonyRequest) throws(AuthorityError) {
        guard let holder = request.holders.first(where: { $0.name == name }) else { return }
        let text: [UInt8]
        do { text = try KeyFile(role: holder.role.keyRole, material: .public(key, .sign)).text() } catch { throw .damaged }
        try folder.makeFolder(Self.rolesFolder)
        try folder.write("\(Self.rolesFolder)/\(name).pub", text, mode: 0o644)
    }
}
