import Encoding
import Threads

/// For how long the gate has served since data were verified that are newer than those before, kept in the small file `trust.age`.
///
/// The wall clock alone would call old data fresh on a gate whose clock somebody has put back. What is on the disk runs five minutes ahead, and only
/// an orderly end sets it right: a board whose power is cut every few minutes ages all the same. Times are monotonic milliseconds of this
/// boot, and every thread may ask.
public final class TrustAge: Sendable {
    static let name = "trust.age"
    /// The disk is so many milliseconds ahead; whoever looks after the file writes it that often.
    public static let lead: Int64 = 5 * 60 * 1000

    /// What is counted, once there is anything to count from.
    struct Count: Equatable {
        var mark: TrustMark
        /// When they were issued, and no later than when they were verified first, UNIX seconds: who signs ahead makes nothing fresher.
        var issuedAt: Int64
        /// From when on an office would have signed anew what it signs less often, UNIX seconds; nil where nothing says so.
        var renewal: Int64?
        /// Milliseconds of service before `since`.
        var served: Int64
        /// When this count was taken up, monotonic milliseconds.
        var since: Int64

        func served(at now: Int64) -> Int64 { served + max(0, now - since) }
    }

    private let file: SlotFile
    private let count: Mutex<Count?>

    /// Goes on where the last process ended.
    /// - Throws: if the file cannot be made or read. One that says nothing intact is begun anew.
    public init(directory: String, at now: Int64) throws(StorageError) {
        file = try SlotFile(path: StorageFolder(path: directory).path(of: Self.name))
        count = Mutex(try file.newest().flatMap { Self.read($0, at: now) })
    }

    /// These data are verified. If they are newer than those before, the count begins anew.
    /// - Parameters:
    ///   - now: monotonic milliseconds.
    ///   - clock: UNIX seconds.
    ///   - renewal: from when on an office would have signed anew what it signs less often, UNIX seconds.
    public func verified(_ mark: TrustMark, at now: Int64, clock: Int64 = .max, renewal: Int64? = nil) {
        count.withLock { count in
            if let known = count?.mark, !mark.isNewer(than: known) { return }
            count = Count(mark: mark, issuedAt: min(mark.issuedAt, clock), renewal: renewal, served: 0, since: now)
        }
    }

    /// From when on an office would have signed anew what the data in use depend on, UNIX seconds; nil where nothing says so.
    public func renewal(of publication: TrustPublication) -> Int64? {
        count.withLock { $0.flatMap { $0.mark.source == TrustMark.source(ofRepository: publication.site) ? $0.renewal : nil } }
    }

    /// Milliseconds of service since newer data were verified; 0 before the first.
    public func served(at now: Int64) -> Int64 { count.withLock { $0?.served(at: now) ?? 0 } }

    /// When site data in use were issued, UNIX seconds: those of a repository are as fresh as the timestamp that was verified last and spoke of them.
    /// - Parameter issuedAt: what the data say themselves.
    public func issued(_ issuedAt: Int64, ofRepository site: String) -> Int64 {
        guard let count = count.withLock({ $0 }), count.mark.source == TrustMark.source(ofRepository: site) else { return issuedAt }
        return count.issuedAt
    }

    /// The same of the publication that is in use.
    public func issued(_ publication: TrustPublication) -> Int64 {
        publication.origin == .repository ? issued(publication.issuedAt, ofRepository: publication.site) : publication.issuedAt
    }

    /// Writes the count to the disk, five minutes ahead; to be done as often.
    public func save(at now: Int64) throws(StorageError) { try write(count.withLock { $0 }, servedAt: now, lead: Self.lead) }

    /// Writes what is true at an orderly end.
    public func end(at now: Int64) throws(StorageError) { try write(count.withLock { $0 }, servedAt: now, lead: 0) }

    private func write(_ count: Count?, servedAt now: Int64, lead: Int64) throws(StorageError) {
        guard let count else { return }
        let fields = [CBOR(count.served(at: now) + lead)] + count.mark.fields + [CBOR(count.issuedAt), count.renewal.map { CBOR($0) } ?? .null]
        try file.write(CBOR.array(fields).encoded, synced: true)
    }

    private static func read(_ bytes: [UInt8], at now: Int64) -> Count? {
        guard let items = (try? CBOR.decode(bytes))?.array, let served = items.first?.integer, (0...longest).contains(served),
              let mark = TrustMark(items.dropFirst()) else { return nil }
        // Older programs wrote the mark alone.
        let more = Array(items.dropFirst(5))
        return Count(mark: mark, issuedAt: more.first?.integer ?? mark.issuedAt, renewal: more.last?.integer, served: served, since: now)
    }

    /// A thousand years: no sum with it overflows.
    private static let longest: Int64 = 1000 * 366 * 86_400_000
}
