import Credentials
import Cryptography
import Glibc
import SiteData
import SiteRules
import Threads
import Vocabulary

/// Everything a gate believes that can be fetched again: `trust.db`. Taps only read it. A publication is
/// built in a new file, verified, synced, and renamed over the old one.
public final class TrustStore: Sendable {
    static let name = "trust.db"

    /// What answers, and what is remembered besides.
    struct Current {
        var snapshot: TrustSnapshot?
        /// Why there is no snapshot.
        var absence: StorageError
        var floor: TrustFloor?
        /// Why the floor is not in its file.
        var floorFailure: StorageError?
        var setAside: String?
        /// The version of signed data that lie in the folder of a stand-alone gate and are not used.
        var signedVersion: UInt64?
    }

    private static func never(_ origin: SiteDataOrigin?) -> StorageError {
        switch origin {
        case .repository, .publication, nil:
            StorageError(.noSiteData, "This gate has no site data yet: it takes them from the repository of its site, which it has not reached. "
                + "Bring a copy of it: sudo tapstile import FOLDER")
        case .siteFile:
            StorageError(.noSiteData, "This gate has no site data: its site file (trust.site-file) could not be used yet.")
        }
    }

    let folder: StorageFolder
    let fileSystem: String?
    let floorFile: SlotFile
    let current: Monitor<Current>
    /// One import at a time.
    let importing = Monitor(())

    /// Opens the site data in `directory`, which must exist. A bounded part of the file is read, however
    /// many keys it has.
    ///
    /// A damaged file, or one older than this gate has had, is renamed (`trust.db.corrupt-1`, …); a newer
    /// program's is left where it is. Either way the store opens, `status` says what happened, and every
    /// question is answered with `TrustAnswer.absent` until site data are put to use.
    /// - Parameters:
    ///   - site: the gate's site; data of another count as absent. Nil takes any.
    ///   - origin: where the gate takes its data from; those from elsewhere count as absent. Nil takes any.
    public static func open(directory: String, site: String? = nil, origin: SiteDataOrigin? = nil) throws(StorageError) -> TrustStore {
        try open(directory: directory, site: site, origin: origin, fileSystem: nil)
    }

    static func open(directory: String, site: String?, origin: SiteDataOrigin? = nil, fileSystem: String?) throws(StorageError) -> TrustStore {
        let store = try TrustStore(folder: StorageFolder(path: directory), origin: origin, fileSystem: fileSystem)
        try store.load(site: site, origin: origin)
        return store
    }

    private init(folder: StorageFolder, origin: SiteDataOrigin?, fileSystem: String?) throws(StorageError) {
        self.folder = folder
        self.fileSystem = fileSystem
        floorFile = try SlotFile(path: folder.path(of: "trust.floor"))
        let floor = try floorFile.newest().flatMap { TrustFloor($0) }
        current = Monitor(Current(snapshot: nil, absence: Self.never(origin), floor: floor, setAside: nil))
    }

    deinit { close() }

    private func load(site: String?, origin: SiteDataOrigin?) throws(StorageError) {
        guard folder.has(Self.name) else { return }
        do throws(StorageError) {
            let snapshot = try snapshotInFolder()
            if let why = objection(to: snapshot.publication, site: site, origin: origin) {
                snapshot.retire()
                throw why
            }
            let floor = TrustFloor(snapshot.publication, after: current.withLock { $0.floor })
            current.withLock { current in
                current.snapshot = snapshot
                current.floor = floor
            }
            keep(floor)
        } catch {
            switch error.kind {
            // What SQLite calls a mistake of ours is a file whose tables are not what they should be.
            case .corrupt, .schemaDiffers, .statement: try setAside(nil, because: StorageError(.corrupt, error.message))
            case .newerSchema, .noSiteData: current.withLock { $0.absence = error }
            case .diskFull, .readOnly, .busy, .slow, .inputOutput, .cannotOpen, .outOfMemory, .inUse, .queueFull,
                .entryTooLarge, .closed, .recordDamaged:
                throw error
            }
        }
    }

    /// Changes that lie upon another file were overtaken by a whole one.
    private func snapshotInFolder() throws(StorageError) -> TrustSnapshot {
        if folder.has(TrustChangesBuilder.inUse) {
            do throws(StorageError) {
                return try TrustSnapshot(Self.name, changes: TrustChangesBuilder.inUse, in: folder, fileSystem: fileSystem)
            } catch {
                guard error.kind == .noSiteData else { throw error }
                try? folder.remove(TrustChangesBuilder.inUse)
            }
        }
        return try TrustSnapshot(Self.name, in: folder, fileSystem: fileSystem)
    }

    private func objection(to publication: TrustPublication, site: String?, origin: SiteDataOrigin?) -> StorageError? {
        if let origin, publication.origin != origin { return otherOrigin(publication, expected: origin) }
        if let site, publication.site != site {
            return StorageError(.noSiteData, "The site data are those of the site \(publication.site).")
        }
        guard let floor = current.withLock({ $0.floor }), floor.concerns(site: publication.site, publication.origin),
              floor.isAbove(epoch: publication.repository?.epoch ?? 0, version: publication.version)
        else { return nil }
        return StorageError(
            .corrupt, "The site data have version \(publication.version), this gate has had \(floor.version).")
    }

    /// Which people may pass never depends on what lay in the folder when the configuration was changed.
    private func otherOrigin(_ publication: TrustPublication, expected: SiteDataOrigin) -> StorageError {
        switch expected {
        case .siteFile:
            current.withLock { $0.signedVersion = publication.version }
            return StorageError(.noSiteData, signedDataThere(publication.version).message)
        case .repository, .publication:
            return StorageError(.noSiteData, "The site data in the state folder come from elsewhere; this gate takes those of its site's repository. "
                + "Bring a copy of it: sudo tapstile import FOLDER")
        }
    }

    private func signedDataThere(_ version: UInt64) -> ImportError {
        .signedDataThere(version: version, path: folder.path(of: Self.name))
    }

    // Reading ------------------------------------------------------------------------------------

    /// Looks up what verification must know. Some microseconds; any thread. Without site data the answer
    /// is `TrustAnswer.absent`, with which verification grants nothing.
    /// - Throws: what may pass, such as `input-output-error`; the gate grants nothing then either.
    public func answer(_ question: TrustQuestion) throws(StorageError) -> TrustAnswer {
        try read { (reader) throws(StorageError) in try reader.answer(question) } ?? .absent
    }

    /// The credentials of the site's gates, as phones get them.
    public func gateCredentials() throws(StorageError) -> [[UInt8]] {
        try read { (reader) throws(StorageError) in try reader.gateCredentials() } ?? []
    }

    /// What the site decided about time and places, of the publication in use; nothing without site data. Who asks about
    /// groups too may meet the next publication in between: `generation` tells.
    public var rules: SiteRules { current.withLock { $0.snapshot?.rules } ?? SiteRules() }

    /// What the site has people be shown for something, by language (A4); nothing where it does not say.
    public func messages(for name: String) -> [String: String] { current.withLock { $0.snapshot?.messages[name] } ?? [:] }

    /// What there is at this moment.
    public var status: TrustStatus {
        current.withLock { current in
            let state = current.snapshot.map { TrustStatus.State.ready($0.publication) } ?? .absent(current.absence)
            return TrustStatus(state: state, clockFloor: current.floor?.issuedAt, clockFloorVersion: current.floor?.version, setAside: current.setAside,
                floorFailure: current.floorFailure)
        }
    }

    /// Counts the publications applied; 0 before the first. What is cached is bound to it (V9).
    public var generation: UInt64 { current.withLock { $0.snapshot?.publication.generation ?? 0 } }

    /// Nil without site data, also if they are found damaged just now.
    private func read<Result>(
        _ body: (TrustReader) throws(StorageError) -> Result
    ) throws(StorageError) -> Result? {
        while let snapshot = current.withLock({ $0.snapshot }) {
            do {
                // Nil: replaced since we looked; the next round finds the new one.
                if let result = try snapshot.read(body) { return result }
            } catch {
                guard error.kind == .corrupt else { throw error }
                // If the file cannot even be renamed, the next start finds the damage again.
                try? setAside(snapshot, because: error)
            }
        }
        return nil
    }

    /// Renames a file that must not be used. Of several taps that find damage, one does it.
    func setAside(_ damaged: TrustSnapshot?, as word: String = "corrupt", because reason: StorageError) throws(StorageError) {
        let isOurs = current.withLock { current -> Bool in
            guard current.snapshot === damaged else { return false }
            current.snapshot = nil
            current.absence = reason
            return true
        }
        guard isOurs else { return }
        damaged?.retire()
        guard folder.has(Self.name) else { return }
        if folder.has(TrustChangesBuilder.inUse) { _ = try folder.setAside(TrustChangesBuilder.inUse, because: word) }
        let name = try folder.setAside(Self.name, because: word)
        current.withLock { $0.setAside = name }
    }

    // Applying -----------------------------------------------------------------------------------

    /// Uses what a site's own file says from then on, on a gate without an authority; taps go on meanwhile. Its version is
    /// this gate's count. On any error the data in use stay.
    /// - Parameters:
    ///   - records: what the file says.
    ///   - site: the gate's site.
    ///   - clock: the time; it is written down and proves nothing.
    /// - Returns: nil when these are the data in use.
    public func apply(siteFile records: [PublicationRecord], site: String, clock: ClockReading) throws(ImportError) -> TrustPublication? {
        try importing.withLock { (_) throws(ImportError) in
            try storing { () throws(StorageError) in try floorFile.lock() }
            defer { floorFile.unlock() }
            let now = current.withLock { $0 }
            if let version = now.signedVersion { throw signedDataThere(version) }
            let publication = publication(of: records, site: site, after: now, at: clock)
            if let inUse = now.snapshot?.publication, inUse.isSame(as: publication) { return nil }
            do throws(ImportError) {
                try build(records, publication)
                try install(publication, .whole, after: now.floor)
                return publication
            } catch {
                try? TrustFileBuilder.discard(in: folder)
                throw error
            }
        }
    }

    private func publication(of records: [PublicationRecord], site: String, after current: Current, at clock: ClockReading) -> TrustPublication {
        var digest = HashStream.sha256
        var counts = PublicationCounts()
        for record in records {
            digest.update(record.encoded)
            counts.count(record)
        }
        let version = current.floor.flatMap { $0.concerns(site: site, .siteFile) ? $0.version : nil } ?? 0
        let issuedAt = min(max(0, clock.seconds), SitePublication.latestTime)
        return TrustPublication(
            site: site, version: version + 1, issuedAt: issuedAt, expiresAt: SitePublication.latestTime, bodyHash: digest.finish(),
            counts: counts, generation: (current.floor?.generation ?? 0) + 1, appliedAt: clock.seconds, origin: .siteFile)
    }

    private func build(_ records: [PublicationRecord], _ publication: TrustPublication) throws(ImportError) {
        let builder = try storing { () throws(StorageError) in try TrustFileBuilder(in: folder, fileSystem: fileSystem) }
        for record in records { try builder.add(record) }
        try storing { () throws(StorageError) in try builder.finish(publication) }
        try builder.refusePersonsOfOtherRoles()
    }

    /// Which of the two files was built anew.
    enum NewFile { case whole, changes }

    /// The new file takes the old one's name and place. From its renaming on it is what the next start finds,
    /// so nothing that fails after that keeps the old data in use.
    func install(_ publication: TrustPublication, _ file: NewFile, after floor: TrustFloor?, keys: KeyMark? = nil) throws(ImportError) {
        try storing { () throws(StorageError) in
            // Opened before it is renamed: it must answer before the old one goes.
            let snapshot: TrustSnapshot
            switch file {
            case .whole:
                snapshot = try TrustSnapshot(TrustFileBuilder.name, in: folder, fileSystem: fileSystem)
                try keepNewerSchema()
                // Whatever was left of changing the old one must not be taken for the new one's.
                try folder.remove(Self.name + "-journal")
                try folder.rename(TrustFileBuilder.name, to: Self.name)
            case .changes:
                snapshot = try TrustSnapshot(Self.name, changes: TrustChangesBuilder.name, in: folder, fileSystem: fileSystem)
                try folder.rename(TrustChangesBuilder.name, to: TrustChangesBuilder.inUse)
            }
            let next = TrustFloor(publication, after: floor, keys: keys)
            let old = current.withLock { current -> TrustSnapshot? in
                defer {
                    current.snapshot = snapshot
                    current.floor = next
                }
                return current.snapshot
            }
            old?.retire()
            keep(next)
            // Changes upon the old file are none of the new one's; the next start would pass over them.
            if file == .whole { try? folder.remove(TrustChangesBuilder.inUse) }
        }
    }

    /// Writes the floor to its file, once the data it speaks of are there for good: a floor above them
    /// would have the next start set them aside. What fails is told in status and tried again at the next
    /// start and import; until then the data themselves and the floor in memory allow no way back.
    private func keep(_ floor: TrustFloor) {
        var failure: StorageError?
        do throws(StorageError) {
            try folder.sync()
            if try floorFile.newest() != floor.encoded { try floorFile.write(floor.encoded, synced: true) }
        } catch {
            failure = error
        }
        current.withLock { $0.floorFailure = failure }
    }

    /// A newer program's file is not ours to overwrite.
    private func keepNewerSchema() throws(StorageError) {
        guard current.withLock({ $0.snapshot == nil && $0.absence.kind == .newerSchema }), folder.has(Self.name)
        else { return }
        let name = try folder.setAside(Self.name, because: "newer")
        current.withLock { $0.setAside = name }
    }

    func storing<Result>(_ body: () throws(StorageError) -> Result) throws(ImportError) -> Result {
        do throws(StorageError) { return try body() } catch { throw .storage(error) }
    }

    /// Closes the files. Later questions are answered with `TrustAnswer.absent`.
    public func close() {
        let old = current.withLock { current -> TrustSnapshot? in
            defer {
                current.snapshot = nil
                current.absence = StorageError(.closed, "The site data have been closed.")
            }
            return current.snapshot
        }
        old?.retire()
    }
}
