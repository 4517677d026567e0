import Cryptography
import Encoding
import Files
import SiteData
import Threads

/// What keys offline sign: it is drafted here, carried to them, signed there, and accepted here.
extension Authority {
    /// What the next root, or the next targets, shall say.
    public func draft(_ role: RepositoryRole, now: Int64) throws(AuthorityError) -> Draft {
        if !isLookedThrough { try database.checkSoundness() }
        let (place, epoch) = try settledRepository(now: now)
        if role == .root { return try rootDraft(CeremonyPlan(), now: now) }
        guard let root = try newest(.root) else { throw .repository(.unsigned(.root)) }
        return try targetsDraft(place, epoch: epoch, under: root, now: now)
    }

    /// - Parameter plan: who comes, whose keys are to be made, and the identifiers of keys that go.
    func rootDraft(_ plan: CeremonyPlan, now: Int64) throws(AuthorityError) -> Draft {
        var thresholds: [RepositoryRole: Int] = [:]
        var keys: [RoleKey] = []
        for role in RepositoryRole.allCases where role.delegator == .root {
            let own = try database.roleKeys(role).filter { $0.until == nil && !plan.removed.contains($0.identifier) }
            let before = try database.role(role).threshold
            thresholds[role] = plan.thresholds[role] ?? before
            try Self.check(role, holders: plan.holders[role] ?? [], beside: own, threshold: thresholds[role] ?? 1)
            keys += own
        }
        // Gates take roots one by one: none may be left out.
        let version = (try signed(.root)?.version ?? 0) + 1
        let span = SignedPart.Span(version: version, issuedAt: now, validSeconds: try database.role(.root).validSeconds)
        return Draft(site: site, role: .root, signed: SignedPart.root(span, keys: keys, thresholds: thresholds), inForce: try newest(.root))
    }

    func targetsDraft(_ place: RepositoryFolder, epoch: Int64, under root: JSON, now: Int64) throws(AuthorityError) -> Draft {
        let kept = try database.siteData()
        let data = try siteData(epoch: epoch, now: now)
        let people = try database.roleKeys(.people).filter { $0.until == nil }
        let threshold = try database.role(.people).threshold
        try Self.check(.people, people, threshold: threshold)
        let span = SignedPart.Span(version: try nextVersion(.targets, place), issuedAt: now, validSeconds: try database.role(.targets).validSeconds)
        let file = SignedPart.File(path: SignedPart.siteData, length: data.bytes.count, hash: SHA256.hash(data.bytes))
        let inForce = try newest(.targets)
        return Draft(site: site, role: .targets, signed: SignedPart.targets(span, site: file, people: people, threshold: threshold),
                     inForce: inForce, rootFile: root, siteData: data.bytes, siteDataBefore: inForce.flatMap { _ in kept?.bytes })
    }

    /// The newest file of a role, with its signatures.
    func newest(_ role: RepositoryRole) throws(AuthorityError) -> JSON? {
        guard let bytes = try database.metadata(role) else { return nil }
        guard let file = try? JSON.parse(bytes) else { throw .damaged }
        return file
    }

    /// Reads a draft.
    public static func draft(at path: String) throws(AuthorityError) -> Draft {
        guard let draft = Draft(parsing: try read(path, limit: Draft.longest)) else { throw .repository(.notADraft(path: path)) }
        return draft
    }

    /// Reads the signature of a draft.
    public static func signature(of draft: Draft, at path: String) throws(AuthorityError) -> DraftSignature {
        guard let signature = DraftSignature(parsing: try read(path, limit: DraftSignature.longest)) else {
            throw .repository(.notASignature(path: path))
        }
        guard signature.draft == draft.identifier else { throw .repository(.otherDraft(path: path)) }
        return signature
    }

    static func read(_ path: String, limit: Int) throws(AuthorityError) -> [UInt8] {
        do throws(SystemError) { return try SmallFile.read(path, limit: limit) } catch { throw .system(error) }
    }

    /// Takes a draft with its signatures: counts them as gates do, and publishes what was signed.
    /// - Returns: what was published; nil if targets have to be signed first.
    public func accept(_ draft: Draft, _ signatures: [DraftSignature], now: Int64) throws(AuthorityError) -> PublishedRepository? {
        _ = try settledRepository(now: now)
        try apply(draft, signatures)
        return try publishIfSigned(now: now)
    }

    /// Publishes if everything that keys offline sign is there; else writes what there is.
    func publishIfSigned(now: Int64) throws(AuthorityError) -> PublishedRepository? {
        let place = try repository().folder
        try place.makeFolders()
        let hasTargets = try database.metadata(.targets) != nil
        if hasTargets, try !targetsAreSigned() { _ = try renew(.targets, now: now) }
        guard hasTargets, try targetsAreSigned() else {
            try bringUp(place)
            return nil
        }
        return try publish(now: now)
    }

    /// Keeps what was signed, if gates would take it.
    func apply(_ draft: Draft, _ signatures: [DraftSignature]) throws(AuthorityError) {
        try checkPlace(of: draft)
        var file = MetadataFile(draft.signed)
        for signature in signatures {
            guard draft.signers.contains(signature.keyIdentifier) else { throw .repository(.stranger(keyIdentifier: signature.keyIdentifier)) }
            file.add(MetadataFile.Signature(keyIdentifier: signature.keyIdentifier, bytes: signature.bytes))
        }
        try count(file, for: draft)
        try database.transaction { () throws(AuthorityError) in
            try database.keep(draft.role, version: draft.version, file.bytes)
            if let data = draft.siteData { try database.keep(siteData: data, version: SiteContents.version(in: data)) }
        }
    }

    /// Nothing may have been signed since it was drafted.
    private func checkPlace(of draft: Draft) throws(AuthorityError) {
        let newest = try signed(draft.role)
        let root = try signed(.root)
        let isNext = draft.role == .root ? draft.version == (newest?.version ?? 0) + 1 : draft.version > newest?.version ?? 0
        guard draft.site.utf8.elementsEqual(site.utf8), isNext, draft.before == newest, draft.role == .root || draft.root == root else {
            throw .repository(.draftOutdated(draft.role, version: (newest?.version ?? 0) + 1))
        }
    }

    /// Counts the signatures with what gates count them with.
    private func count(_ file: MetadataFile, for draft: Draft) throws(AuthorityError) {
        var judges: [[UInt8]] = []
        if let root = try database.metadata(.root) { judges.append(root) }
        if draft.role == .root { judges.append(file.bytes) }
        do throws(MetadataFault) {
            let metadata = try SignedMetadata(file.bytes)
            if draft.role == .root { _ = try RootMetadata(metadata) } else { _ = try TargetsMetadata(metadata) }
            for judge in judges {
                let count = try SignatureCount(of: metadata, for: draft.role.roleName, by: SignedMetadata(judge))
                guard let count, count.isReached else { throw MetadataFault.field("signatures") }
            }
        } catch {
            try refuse(file, for: draft, judges, error)
        }
    }

    /// Says which count was too small, or what is wrong with the metadata.
    private func refuse(_ file: MetadataFile, for draft: Draft, _ judges: [[UInt8]], _ fault: MetadataFault) throws(AuthorityError) -> Never {
        for judge in judges {
            if let metadata = try? SignedMetadata(file.bytes), let by = try? SignedMetadata(judge),
               let count = try? SignatureCount(of: metadata, for: draft.role.roleName, by: by), !count.isReached {
                throw .repository(.thresholdNotMet(draft.role, count))
            }
        }
        throw .repository(.metadata(path: "\(draft.version).\(draft.role.rawValue).json", fault))
    }

    /// Drafts, signs and takes what the keys in the folder can sign by themselves, if they can.
    /// - Returns: whether they could.
    func renew(_ role: RepositoryRole, now: Int64) throws(AuthorityError) -> Bool {
        let draft = try draft(role, now: now)
        var file = MetadataFile(draft.signed)
        for key in try signingKeys(role, among: draft.signers) { try file.sign(with: key) }
        for judge in draft.judges {
            let wanted = judge.keys(of: role)
            guard file.signatures.filter({ wanted.identifiers.contains($0.keyIdentifier) }).count >= wanted.threshold else { return false }
        }
        try apply(draft, file.signatures.map { DraftSignature(draft: draft.identifier, keyIdentifier: $0.keyIdentifier, bytes: $0.bytes) })
        return true
    }
}
