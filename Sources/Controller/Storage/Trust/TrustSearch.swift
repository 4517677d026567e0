import Credentials
import SiteData

/// Finds somebody in the site data, for whoever asks about a person. Taps know what they look for and have an index for it; this reads through
/// everybody, on connections of its own, so that no tap waits for a reader. Of one state of the data; for one thread.
public final class TrustSearch {
    private let reader: TrustReader

    /// The credentials that name somebody.
    public struct Named: Equatable, Sendable {
        /// Enrolled keys, by their thumbprints.
        public var keys: [[UInt8]] = []
        /// UID-only cards.
        public var cards: [UIDOnlyCardNumber] = []
        /// Whether there are more than were asked for.
        public var isMore = false
    }

    /// A revocation in force, and since when as far as the data tell: they name no time for any of them.
    public struct Revoked: Equatable, Sendable {
        /// What was revoked.
        public let revocation: Revocation
        /// Whether the site itself revoked it, offline, and people who change their list cannot take it back.
        public let isOfSite: Bool
        /// The publication that brought it at the latest.
        public let by: TrustPublication
        /// One that did not have it yet; nil: nobody can say.
        public let after: TrustPublication?
    }

    init(_ reader: TrustReader) { self.reader = reader }

    /// The publication that the state is.
    public var publication: TrustPublication { reader.publication }

    /// What names a person: byte for byte, as verification compares names.
    public func credentials(of subject: String, most: Int) throws(StorageError) -> Named {
        var found = Named()
        try visit("SELECT thumbprint FROM enrolled WHERE subject = ?1", binding: { $0.bind(subject, at: 1) }) { (row, isInWhole) throws(StorageError) in
            let thumbprint = row.bytes(0)
            if isInWhole, try isGone(RecordKey.Kind.enrolled, thumbprint) { return true }
            found.keys.append(thumbprint)
            return found.keys.count <= most
        }
        try visit("SELECT uid FROM plain_card WHERE subject = ?1", binding: { $0.bind(subject, at: 1) }) { (row, isInWhole) throws(StorageError) in
            guard let number = try? UIDOnlyCardNumber(row.bytes(0)) else { return true }
            if isInWhole, try isGone(RecordKey.Kind.uidOnlyCard, number.bytes) { return true }
            found.cards.append(number)
            return found.cards.count <= most
        }
        found.isMore = found.keys.count + found.cards.count > most
        found.keys.removeLast(max(0, found.keys.count - most))
        found.cards.removeLast(max(0, found.keys.count + found.cards.count - most))
        return found
    }

    /// Enrolled keys whose thumbprint begins so, or whose `kid` is that.
    public func keys(named bytes: [UInt8], most: Int) throws(StorageError) -> Named {
        var found = Named()
        let query = """
            SELECT thumbprint FROM enrolled
            WHERE kid = ?1 OR (print BETWEEN ?2 AND ?3 AND substr(thumbprint, 1, length(?1)) = ?1)
            """
        let range = Self.prints(beginning: bytes)
        try visit(query, binding: { row in
            row.bind(bytes, at: 1)
            row.bind(range.lowerBound, at: 2)
            row.bind(range.upperBound, at: 3)
        }, each: { (row, isInWhole) throws(StorageError) in
            let thumbprint = row.bytes(0)
            if isInWhole, try isGone(RecordKey.Kind.enrolled, thumbprint) { return true }
            found.keys.append(thumbprint)
            return found.keys.count <= most
        })
        found.isMore = found.keys.count > most
        found.keys.removeLast(max(0, found.keys.count - most))
        return found
    }

    /// Tells the name of everybody, in no order, some of them more than once, until the answer is false.
    public func names(_ receive: (String) -> Bool) throws(StorageError) {
        for query in ["SELECT subject FROM enrolled", "SELECT subject FROM plain_card"] {
            try visit(query, binding: { _ in }, each: { (row, _) throws(StorageError) in receive(row.text(0)) })
        }
    }

    /// Which of these are in force.
    public func inForce(_ asked: [Revocation]) throws(StorageError) -> [Revoked] {
        var found: [Revoked] = []
        for revocation in asked { if let revoked = try revoked(revocation) { found.append(revoked) } }
        return found
    }

    private func revoked(_ revocation: Revocation) throws(StorageError) -> Revoked? {
        let row = RevocationRow(revocation)
        let below = reader.whole.facts.publication
        if reader.isRevokedBySite([row]) { return Revoked(revocation: revocation, isOfSite: true, by: publication, after: nil) }
        if try reader.whole.containsAny([row]), try !isGone(RecordKey.Kind.revocation, row.key) {
            return Revoked(revocation: revocation, isOfSite: false, by: below, after: nil)
        }
        guard try reader.changes?.containsAny([row]) == true else { return nil }
        return Revoked(revocation: revocation, isOfSite: false, by: publication, after: below)
    }

    private func isGone(_ kind: UInt64, _ value: [UInt8]) throws(StorageError) -> Bool { try reader.changes?.isGone(kind, value) ?? false }

    /// Goes through rows of the changes and of the file below, until `each` says that it is enough.
    private func visit(_ query: String, binding: (SQLiteStatement) -> Void,
                       each: (_ row: SQLiteStatement, _ isInWhole: Bool) throws(StorageError) -> Bool) throws(StorageError) {
        for tables in [reader.changes, reader.whole] {
            guard let tables, tables.has(query) else { continue }
            let row = try tables.connection.prepare(query)
            binding(row)
            defer { row.reset() }
            while try row.step() {
                guard try each(row, tables === reader.whole) else { return }
            }
        }
    }

    /// What is indexed of the thumbprints that begin so.
    private static func prints(beginning bytes: [UInt8]) -> ClosedRange<Int64> {
        let missing = max(0, 8 - bytes.count)
        let first = TrustTables.prefix(of: bytes + [UInt8](repeating: 0, count: missing))
        let last = TrustTables.prefix(of: bytes + [UInt8](repeating: .max, count: missing))
        return first...last
    }
}

extension TrustTables {
    /// A file that could not be brought up to date yet knows of no cards.
    fileprivate func has(_ query: String) -> Bool { !query.contains("plain_card") || hasCardTable }
}

extension TrustStore {
    /// A search of the state in use; nil without site data. Opens files, so that it is nothing for a tap.
    public func search() throws(StorageError) -> TrustSearch? {
        for _ in 0..<Self.mostLooks {
            guard current.withLock({ $0.snapshot }) != nil else { return nil }
            let changes = folder.has(TrustChangesBuilder.inUse) ? folder.path(of: TrustChangesBuilder.inUse) : nil
            do throws(StorageError) {
                return TrustSearch(try TrustReader(path: folder.path(of: Self.name), changesPath: changes, like: nil, fileSystem: fileSystem))
            } catch {
                // One of the two was replaced between the look at the one and at the other.
                guard error.kind == .noSiteData || error.kind == .cannotOpen else { throw error }
            }
        }
        return nil
    }

    private static let mostLooks = 8
}
