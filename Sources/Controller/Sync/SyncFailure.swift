import ControlProtocol
import Storage
import Threads
import TrustSync

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
    let code: String
    /// A sentence for people.
    let message: String

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
