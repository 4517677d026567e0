import ControlProtocol
import Files
import SiteData
import Storage
import Threads

/// One run of `Update`: does what it asks for, with a folder and a fetcher.
struct TUFRun {
    private var update: Update
    private let folder: MetadataFolder
    private let address: RepositoryAddress
    private let fetcher: any FetchSource

    /// What a call to `Update` has come to.
    private enum Outcome {
        case refreshed(RefreshReport)
        case found(FoundTarget)
        case notFound(TargetPath)
    }

    /// - Parameter now: UNIX seconds.
    init(folder: MetadataFolder, address: RepositoryAddress, fetcher: any FetchSource, at now: Int64) throws(UpdateRefusal) {
        guard let root = try Self.load(.root, limit: UpdateLimits().root, from: folder) else { throw UpdateRefusal(.root, .noTrustedRoot) }
        update = try Update(root: root, startedAt: now)
        (self.folder, self.address, self.fetcher) = (folder, address, fetcher)
    }

    /// Brings the metadata of the four roles up to date.
    mutating func refresh() throws -> RefreshReport {
        guard case .refreshed(let report) = try follow(update.start()) else { preconditionFailure("a refresh ends refreshed or refused: Update") }
        return report
    }

    /// Finds a target, after the refresh.
    mutating func find(_ name: String) throws -> FoundTarget {
        guard let path = TargetPath(name) else { throw UpdateRefusal(.targets, .unsafeTargetPath(name)) }
        switch try follow(update.find(path)) {
        case .found(let target): return target
        case .notFound: throw UpdateRefusal(.targets, .noSuchTarget(name))
        case .refreshed: preconditionFailure("a search ends found or not: Update")
        }
    }

    /// Puts a target into a folder.
    /// - Returns: false where it was there already.
    func download(_ target: FoundTarget, to targets: TargetFolder) throws -> Bool {
        if targets.has(target) { return false }
        var check = TargetCheck(target)
        let part: FileReplacement
        do throws(SystemError) {
            part = try targets.begin(target.path)
        } catch {
            throw UpdateRefusal(target.role, .disk(error.message))
        }
        try fetch(target.request, of: target.role) { bytes in
            try check.add(bytes)
            try part.write(bytes)
        }
        try check.finish()
        try part.finish()
        return true
    }

    // What is asked for -------------------------------------------------------------------------------

    private mutating func follow(_ first: UpdateAction) throws -> Outcome {
        var action = first
        while true {
            switch action {
            case .load(let role, let limit): action = update.loaded(try Self.load(role, limit: limit, from: folder))
            case .fetch(let request): action = answer(request)
            case .keep(let role, let bytes, let forgotten):
                do throws(SystemError) {
                    try folder.keep(role, bytes, forgetting: forgotten)
                } catch {
                    throw UpdateRefusal(role, .disk(error.message))
                }
                action = update.kept()
            case .refreshed(let report): return .refreshed(report)
            case .found(let target): return .found(target)
            case .notFound(let path, _): return .notFound(path)
            case .refused(let refusal): throw refusal
            }
        }
    }

    private static func load(_ role: RoleName, limit: Int, from folder: MetadataFolder) throws(UpdateRefusal) -> [UInt8]? {
        do throws(SystemError) {
            return try folder.load(role, limit: limit)
        } catch {
            throw UpdateRefusal(role, .disk(error.message))
        }
    }

    private mutating func answer(_ request: FetchRequest) -> UpdateAction {
        var content: [UInt8] = []
        if let failure = failure(of: request, { content += $0 }) { return update.notFetched(failure) }
        return update.fetched(content)
    }

    private func fetch(_ request: FetchRequest, of role: RoleName, _ receive: ([UInt8]) throws -> Void) throws {
        var refused: (any Error)?
        let failure = failure(of: request) { bytes in
            do {
                try receive(bytes)
            } catch {
                refused = error
                throw error
            }
        }
        if let refused { throw refused }
        guard let failure else { return }
        throw UpdateRefusal(role, failure.reason(for: request))
    }

    /// Fetches a file. Nil when it is there whole.
    private func failure(of request: FetchRequest, _ receive: ([UInt8]) throws -> Void) -> FetchFailure? {
        do {
            let head = try fetcher.connection.fetch(try address.job(for: request)) { step in
                if case .bytes(let bytes) = step { try receive(bytes) }
            }
            switch head.status {
            case 200: return nil
            case 403, 404: return .missing
            default: return .unavailable("The server answers with status \(head.status).")
            }
        } catch {
            return .of(error)
        }
    }
}
