import ControlProtocol
import Encoding
import SiteData
import Storage
import Threads

/// Where the files of a repository come from in one run: two addresses, and whoever fetches. For one thread.
final class RepositorySource {
    /// A small file, as it was asked for.
    enum Answer: Equatable {
        /// The file, and the tag of this version of it.
        case file([UInt8], tag: String?)
        /// It is the one whose tag was shown.
        case unchanged
        /// There is none.
        case missing
    }

    /// How far a large file is.
    struct Progress: Equatable, Sendable {
        let file: String
        let received: Int64
        let length: Int64
    }

    /// However small a file is, so long it may take. Milliseconds.
    private static let leastMilliseconds: Int64 = 60_000

    private let addresses: RepositoryAddresses
    private let origin: SyncOrigin
    private let fetcher: Fetcher
    private let onProgress: (Progress) -> Void
    private let givesWay: () -> Bool
    /// Whether the target that was asked for last went on where it was.
    private(set) var isResumed = false
    /// Files asked for.
    private(set) var requests = 0
    /// Bytes of files that came, without what HTTP and TLS add.
    private(set) var bytes: Int64 = 0

    /// - Parameter givesWay: whether another run comes first; asked while a file is fetched. What has come of a target stays.
    init(_ addresses: RepositoryAddresses, from origin: SyncOrigin = .server, by fetcher: Fetcher, givesWay: @escaping () -> Bool = { false },
         onProgress: @escaping (Progress) -> Void = { _ in }) {
        self.addresses = addresses
        self.origin = origin
        self.fetcher = fetcher
        self.givesWay = givesWay
        self.onProgress = onProgress
    }

    /// Where a file lies.
    func url(of request: FetchRequest) -> String { addresses.url(of: request) }

    /// Fetches a file that is held whole.
    /// - Parameter tag: of the version that is there already.
    func get(_ request: FetchRequest, unlike tag: String? = nil) throws(SyncFailure) -> Answer {
        let job = try job(request, most: request.limit, tag: tag)
        var piled: [UInt8] = []
        let head = try fetch(job, request.name, begin: { _ in }, receive: { piled += $0 })
        switch head.status {
        case 200: return .file(piled, tag: head.etag)
        case 304: return .unchanged
        case 403, 404: return .missing
        default: throw origin.failure(status: head.status, of: request.name)
        }
    }

    /// Fetches what is missing of a target, and holds all of it against what was signed.
    func get(_ target: FoundTarget, into file: StagedFile) throws(SyncFailure) {
        if !file.isComplete { try complete(file, target) }
        do throws(UpdateRefusal) {
            try check(file, target)
        } catch {
            // Whatever it is, no byte of it is worth keeping.
            file.remove()
            throw SyncFailure(error)
        }
    }

    private func complete(_ file: StagedFile, _ target: FoundTarget) throws(SyncFailure) {
        let request = target.request
        let offset = file.count
        isResumed = offset > 0
        let head = try fetch(try job(request, most: file.length, offset: offset), request.name, begin: { [self] head throws(SystemError) in
            guard head.status == 200, offset > 0 else { return }
            isResumed = false
            try file.beginAnew()
        }, receive: { [self] piece throws(SystemError) in
            try file.append(piece)
            onProgress(Progress(file: request.name, received: file.count, length: file.length))
        })
        switch head.status {
        case 200, 206: return
        case 403, 404: throw SyncFailure(UpdateRefusal(target.role, .missingFile(request.name)))
        // The rest that was asked for is beyond the end of the server's file: what is here is no part of it.
        case 416:
            file.remove()
            throw origin.failure(status: head.status, of: request.name)
        default: throw origin.failure(status: head.status, of: request.name)
        }
    }

    private func check(_ file: StagedFile, _ target: FoundTarget) throws(UpdateRefusal) {
        var check = TargetCheck(target)
        if let failure = try file.read({ piece throws(UpdateRefusal) in try check.add(piece) }) { throw UpdateRefusal(target.role, .disk(failure.message)) }
        try check.finish()
    }

    private func job(_ request: FetchRequest, most: Int64, tag: String? = nil, offset: Int64 = 0) throws(SyncFailure) -> FetchJob {
        let seconds = most / max(1, addresses.minimumRate)
        let milliseconds = min(FetchJob.mostMilliseconds, max(Self.leastMilliseconds, min(seconds, FetchJob.mostMilliseconds / 1000) * 1000))
        do throws(FrameError) {
            return try FetchJob(url: url(of: request), mostBytes: most, milliseconds: milliseconds, minimumRate: addresses.minimumRate, etag: tag, offset: offset)
        } catch {
            throw SyncFailure(.refused, code: "address-refused", message: "\(request.name) cannot be asked for: \(error.message)")
        }
    }

    private func fetch(_ job: FetchJob, _ name: String, begin: (FetchHead) throws(SystemError) -> Void,
                       receive: ([UInt8]) throws(SystemError) -> Void) throws(SyncFailure) -> FetchHead {
        requests += 1
        do throws(FetchStop) {
            return try fetcher.fetch(job, begin: begin, receive: { [self] piece throws(SystemError) in
                bytes += Int64(piece.count)
                try receive(piece)
            }, givesWay: givesWay)
        } catch {
            throw origin.failure(error, of: name)
        }
    }
}

/// Where the files of a run come from. What they are held against is the same.
enum SyncOrigin: Equatable, Sendable {
    /// The repository's server, by `tapstile-net`.
    case server
    /// A folder that somebody brought, by `tapstile import`.
    case folder

    /// Why a file was not had.
    func failure(_ stop: FetchStop, of name: String) -> SyncFailure {
        if self == .folder, case .breach(let breach) = stop { return Self.folder(breach, name) }
        if self == .folder, stop == .gaveWay {
            return SyncFailure(.unreachable, code: "folder-slow", message: "\(name): The folder took so long that the server had to wait "
                + "\(SyncPlan.folderPatience / 60_000) minutes for its turn, which it has now. Copy the folder to a faster place, and bring that.")
        }
        return SyncFailure(stop, of: name)
    }

    /// An answer that is neither the file nor that there is none.
    func failure(status: Int, of name: String) -> SyncFailure {
        self == .server ? .status(status, of: name) : Self.folder(.outOfTurn("the status \(status)"), name)
    }

    private static func folder(_ breach: FetchBreach, _ name: String) -> SyncFailure {
        let fault = FolderFault(breach)
        return SyncFailure(.unreachable, code: fault.code, message: "\(name): \(fault.message)")
    }
}
