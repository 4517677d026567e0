import Encoding
import Files
import Glibc
import Service
import SiteData
import Threads

/// Looks at a repository as a gate does that comes for the first time, with the gate's own code.
public enum RepositoryCheck {
    /// What it found.
    public struct Found: Hashable, Sendable {
        /// The newest version of each role.
        public internal(set) var versions: [RepositoryRole: Int64] = [:]
        /// The state of people.
        public internal(set) var state: SignedState?
        /// The targets with their lengths in bytes.
        public internal(set) var targets: [String: Int64] = [:]
        /// The first moment at which a gate would refuse it, UNIX seconds.
        public internal(set) var expires: Int64 = .max
    }

    /// Goes from a root to every target.
    /// - Parameters:
    ///   - rootPath: the root that gates were given; nil: the first of the repository.
    ///   - readsEverybody: the file with everybody is read too, not only held against its hash.
    ///   - time: for which it is asked, UNIX seconds.
    public static func run(_ path: String, rootAt rootPath: String? = nil, readsEverybody: Bool = true, at time: Int64) throws(AuthorityError) -> Found {
        let place = RepositoryFolder.named(path)
        let root: [UInt8]? = if let rootPath { try RepositoryFolder.read(at: rootPath, limit: 1 << 20) } else { try place.metadata("1.root.json") }
        guard let root else { throw .repository(.unsigned(.root)) }
        var visit = try Visit(place, root: root, at: time)
        return try visit.run(readsEverybody: readsEverybody)
    }

    /// Looks at the metadata alone, without any of the files that it speaks of.
    static func metadata(_ place: RepositoryFolder, at time: Int64) throws(AuthorityError) {
        guard let root = try place.metadata("1.root.json") else { throw .repository(.unsigned(.root)) }
        var visit = try Visit(place, root: root, at: time)
        try visit.lookUp()
    }

    /// What a rehearsal can say of what is not written: whether gates would take what these roles have signed, by its dates.
    static func dates(of roles: [(role: RepositoryRole, signed: JSONObject?)], at time: Int64) throws(AuthorityError) {
        let latest = time + SitePublication.longestIssuedAhead
        for case (let role, let signed?) in roles {
            let reason: UpdateRefusal.Reason? =
                if signed.expires <= time { .freeze(expired: signed.expires) } else if signed.issued > latest { .issuedInFuture(issued: signed.issued, latest: latest) } else { nil }
            if let reason { throw .repository(.rehearsedInVain(.refused(UpdateRefusal(role.roleName, reason)))) }
        }
    }
}

/// One update of a client that keeps nothing.
private struct Visit {
    private let place: RepositoryFolder
    private var update: Update
    private var found = RepositoryCheck.Found()
    /// The file that was asked for last.
    private var asked = ""

    init(_ place: RepositoryFolder, root: [UInt8], at time: Int64) throws(AuthorityError) {
        self.place = place
        do throws(UpdateRefusal) { update = try Update(root: root, startedAt: time, dates: .notAfter(time + SitePublication.longestIssuedAhead)) } catch { throw .repository(.refused(error)) }
    }

    /// Refreshes, and asks the roles that describe targets.
    mutating func lookUp() throws(AuthorityError) {
        _ = try go(update.start())
        for name in [SignedPart.siteData, SignedPart.peopleFull] { _ = try find(name) }
    }

    mutating func run(readsEverybody: Bool) throws(AuthorityError) -> RepositoryCheck.Found {
        guard case .refreshed(let report) = try go(update.start()) else { preconditionFailure("an update begins with a refresh") }
        found.expires = report.expires
        let site = try check(SignedPart.siteData)
        let full = try check(SignedPart.peopleFull)
        guard let people = update.verified(RepositoryRole.people.roleName),
              let state = SignedState(json: people.header.additions[SignedState.member]) else { throw .repository(.unsigned(.people)) }
        let reading = try BundleReading(site: place.read(site, limit: Draft.longest) ?? [], state: state, issued: people.header.additions[SignedPart.issued]?.string)
        if readsEverybody { try reading.read(full, in: place, having: nil) }
        for path in people.targets.keys.map(\.text).sorted() where path != SignedPart.peopleFull {
            try reading.read(check(path), in: place, having: UInt64(path.dropFirst(SignedPart.peopleSince.count)))
        }
        found.state = state
        found.expires = min(found.expires, people.header.expires)
        for role in RepositoryRole.allCases { found.versions[role] = update.versions[role.roleName] }
        return found
    }

    /// Answers what the update asks for, until it is done with what it was asked for.
    private mutating func go(_ first: UpdateAction) throws(AuthorityError) -> UpdateAction {
        var action = first
        while true {
            switch action {
            case .load: action = update.loaded(nil)
            case .fetch(let request):
                asked = "metadata/\(request.name)"
                let bytes = try place.read("metadata/\(request.name)", limit: Int(clamping: request.limit))
                action = bytes.map { update.fetched($0) } ?? update.notFetched(.missing)
            case .keep: action = update.kept()
            case .refused(let refusal): throw .repository(refused(refusal))
            case .refreshed, .found, .notFound: return action
            }
        }
    }

    /// Whoever has to put it right is told which file it is, where a file is at fault.
    private func refused(_ refusal: UpdateRefusal) -> RepositoryError {
        switch refusal.reason {
        case .badTrustedRoot, .metadata, .arbitrarySoftware, .rootNotContinued, .rootNotSelfSigned, .rootSkipped, .rollback, .mixAndMatch, .endlessData:
            .refusedFile(path: place.path(asked), refusal)
        case .noTrustedRoot, .tooManyRoots, .roleRemoved, .freeze, .issuedInFuture, .clockBeforeRoot, .slowRetrieval, .missingFile, .unavailable, .roleNotInSnapshot,
             .tooManyRoles, .unsafeTargetPath, .noSuchTarget, .wrongTargetLength, .wrongTargetHash, .unknownHash, .disk:
            .refused(refusal)
        }
    }

    private mutating func find(_ name: String) throws(AuthorityError) -> FoundTarget {
        guard let path = TargetPath(name) else { throw .repository(.refused(UpdateRefusal(.targets, .unsafeTargetPath(name)))) }
        guard case .found(let target) = try go(update.find(path)) else {
            throw .repository(.refused(UpdateRefusal(.targets, .noSuchTarget(name))))
        }
        return target
    }

    /// - Returns: the name of the file in the repository.
    private mutating func check(_ name: String) throws(AuthorityError) -> String {
        let target = try find(name)
        try read(target)
        found.targets[name] = target.file.length
        return "targets/\(target.request.name)"
    }

    /// Length and hash, piece by piece.
    private func read(_ target: FoundTarget) throws(AuthorityError) {
        guard let file = try place.open("targets/\(target.request.name)") else {
            throw .repository(.refused(UpdateRefusal(target.role, .missingFile(target.request.name))))
        }
        var check = TargetCheck(target)
        do {
            while case let piece = try file.read(upTo: 65_536), !piece.isEmpty { try check.add(piece) }
            try check.finish()
        } catch let error as UpdateRefusal {
            throw .repository(.refusedFile(path: place.path("targets/\(target.request.name)"), error))
        } catch let error as SystemError {
            throw .system(error)
        } catch {
            preconditionFailure("a file or its check fails, nothing else")
        }
    }
}

/// What gates look at in the files: form, order, and that nobody is given more than the ceiling allows.
struct BundleReading {
    private let site: String
    private let state: SignedState
    private let ceiling: Ceiling
    private let issuedAt: Int64

    /// - Parameter issuedAt: when it would be signed, UNIX seconds.
    init(_ site: String, _ state: SignedState, _ ceiling: Ceiling, issuedAt: Int64) {
        (self.site, self.state, self.ceiling, self.issuedAt) = (site, state, ceiling, issuedAt)
    }

    /// Reads the site's part.
    init(site bytes: [UInt8], state: SignedState, issued: String?) throws(AuthorityError) {
        site = SiteContents.site(in: bytes) ?? ""
        self.state = state
        issuedAt = issued.flatMap(UTCText.readSeconds) ?? 0
        var reader = BundleReader(expecting: BundleExpectation(site: site, epoch: state.epoch))
        var ceiling = Ceiling.standard
        do throws(BundleError) {
            for case .put(.ceiling(let found)) in try reader.feed(bytes) { ceiling = found }
            _ = try reader.finish()
        } catch {
            throw .repository(.bundle(error))
        }
        self.ceiling = ceiling
    }

    /// Reads a file of people.
    /// - Parameter having: the version from which changes lead on; nil: it has everybody.
    func read(_ name: String, in place: RepositoryFolder, having: UInt64?) throws(AuthorityError) {
        guard let file = try place.open(name) else { throw .system(SystemError("open \(place.path(name))", ENOENT)) }
        var reader = BundleReader(expecting: BundleExpectation(site: site, state: state, having: having, ceiling: ceiling, issuedAt: issuedAt))
        do {
            while case let piece = try file.read(upTo: 65_536), !piece.isEmpty { _ = try reader.feed(piece) }
            _ = try reader.finish()
        } catch let error as BundleError {
            throw .repository(.bundle(error))
        } catch let error as SystemError {
            throw .system(error)
        } catch {
            preconditionFailure("a file or its reader fails, nothing else")
        }
    }
}
