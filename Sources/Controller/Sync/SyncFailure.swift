import ControlProtocol
import Service
import SiteData
import Storage
import Threads

/// Why a synchronisation failed. The site data in use stay, whatever it is.
struct SyncFailure: Error, Equatable, Sendable {
    /// What kind of failure it is.
    enum Kind: Equatable, Sendable {
        /// The repository could not be reached, or broke off. It may be well the next time.
        case unreachable
        /// What came was refused.
        case refused
        /// What would come was refused before, and is not asked for now.
        case postponed
        /// This machine could not go on.
        case local
        /// The gate stops.
        case calledOff
        /// Another run comes first, and this one goes on afterwards where it was.
        case gaveWay
    }

    let kind: Kind
    /// Stable code for operators.
    package let code: String
    /// A sentence for people.
    package let message: String

    init(_ kind: Kind, code: String, message: String) {
        self.kind = kind
        self.code = code
        self.message = message
    }

    init(_ refusal: UpdateRefusal) {
        let kind: Kind = switch refusal.reason {
        case .unavailable, .missingFile, .slowRetrieval: .unreachable
        case .disk, .clockBeforeRoot: .local
        case .noTrustedRoot, .badTrustedRoot, .metadata, .arbitrarySoftware, .rootNotContinued, .rootNotSelfSigned, .rootSkipped, .tooManyRoots,
             .rollback, .roleRemoved, .mixAndMatch, .freeze, .issuedInFuture, .endlessData, .roleNotInSnapshot, .tooManyRoles, .unsafeTargetPath, .noSuchTarget,
             .wrongTargetLength, .wrongTargetHash, .unknownHash: .refused
        }
        self.init(kind, code: refusal.code, message: "\(refusal.role): \(refusal.message)")
    }

    init(_ stop: FetchStop, of name: String) {
        switch stop {
        case .breach(let breach): self.init(.unreachable, code: breach.code, message: "\(name): \(breach.message)")
        case .disk(let error): self.init(StagingError.disk(error))
        case .calledOff: self = .calledOff
        case .gaveWay: self = .gaveWay
        }
    }

    init(_ error: StagingError) { self.init(.local, code: error.code, message: error.message) }

    init(_ error: ImportError) {
        let kind: Kind = if case .storage = error { .local } else { .refused }
        self.init(kind, code: error.code, message: error.message)
    }

    /// What the gate remembers of the repository cannot be kept or read. Without it an old repository would pass for a new one.
    static func memory(_ error: StorageError) -> SyncFailure {
        SyncFailure(.local, code: "sync-memory-failed", message: "What this gate remembers of the repository cannot be read or kept: \(error.message)")
    }

    /// The gate stops.
    static let calledOff = SyncFailure(.calledOff, code: "fetch-cancelled", message: "The gate stops.")

    /// Another run comes first.
    static let gaveWay = SyncFailure(.gaveWay, code: "sync-gave-way", message: "Another run comes first; what was fetched stays.")

    /// An answer that is neither the file nor that there is none.
    static func status(_ status: Int, of name: String) -> SyncFailure {
        SyncFailure(.unreachable, code: "http-status", message: "\(name): the server answers with the status \(status).")
    }
}

/// What happens during a run, for whoever tells people.
enum SyncNews: Equatable, Sendable {
    /// The versions of the repository were lost, and those of the metadata must do.
    case versionsLost
    /// Metadata are verified, with the dates in them.
    case verified(SignedDates)
    /// A timestamp was refused because by this gate's clock nobody can have signed it yet. Its signature holds. UNIX seconds.
    case timestampAhead(Int64)
    /// Changes could not be made to what is in use, or led elsewhere than they should have: the whole is fetched.
    case wholeNeeded(SyncFailure)
    /// What the site decides is in use before a long file that comes with it.
    case siteAhead
    /// The bundles are here, and are being put to use.
    case applying
}

/// What of all runs is worth a record in the journal: a gate without a network fails every quarter of an hour for weeks. Pure; times are monotonic
/// milliseconds.
struct SyncDiary: Equatable, Sendable {
    /// A record.
    enum Entry: Equatable, Sendable {
        /// What came was refused, or could not be used here.
        case refused(code: String)
        /// What was refused before is not asked for: nothing that the journal does not have.
        case postponed(code: String)
        /// The repository cannot be reached: the first time in a row.
        case unreachable(code: String)
        /// It can again.
        case reachable
    }

    /// The same refusal is recorded once in so many milliseconds.
    static let pause: Int64 = 3_600_000

    private var isUnreachable = false
    private var refusals: [String: Int64] = [:]

    /// A run has ended.
    /// - Returns: what to write down, in order.
    mutating func ended(_ failure: SyncFailure?, at now: Int64) -> [Entry] {
        guard let failure else { return reached() }
        switch failure.kind {
        case .calledOff: return []
        case .gaveWay: return reached()
        case .unreachable:
            defer { isUnreachable = true }
            return isUnreachable ? [] : [.unreachable(code: failure.code)]
        case .refused: return reached() + once(.refused(code: failure.code), failure.code, at: now)
        case .postponed: return reached() + once(.postponed(code: failure.code), failure.code, at: now)
        // Nobody was asked, or what came was good.
        case .local: return once(.refused(code: failure.code), failure.code, at: now)
        }
    }

    private mutating func reached() -> [Entry] {
        defer { isUnreachable = false }
        return isUnreachable ? [.reachable] : []
    }

    private mutating func once(_ entry: Entry, _ code: String, at now: Int64) -> [Entry] {
        if let last = refusals[code], now - last < Self.pause { return [] }
        refusals[code] = now
        return [entry]
    }
}

/// When the roles of a repository say that they signed, once they are verified. UNIX seconds.
struct SignedDates: Equatable, Sendable {
    let root: Int64?
    let rootVersion: Int64
    let targets: Int64?
    let targetsVersion: Int64
    let timestamp: Int64

    /// What was signed offline is evidence of the time: as far as nobody vouches for the clock, it raises its floor.
    var floor: SignedFloor? {
        targets.map { SignedFloor(.targets, version: targetsVersion, root: rootVersion, date: $0 * 1000) }
    }

    /// Milliseconds since 1970.
    var rootDate: Int64? { root.map { $0 * 1000 } }
}
