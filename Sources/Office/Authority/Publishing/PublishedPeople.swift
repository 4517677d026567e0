import Cryptography
import Encoding
import Files
import Glibc
import SiteData
import Threads

/// What a repository has of people, one record after another in the order of keys: the file with everybody, and upon it what has changed since. Only
/// the changes are in memory.
final class PublishedPeople {
    private var whole: BundleItems
    private var changes: ArraySlice<BundleItem> = []

    /// - Parameters:
    ///   - people: what people's keys signed.
    ///   - ceiling: the most that people may be given.
    init(_ place: RepositoryFolder, _ people: JSONObject, site: String, ceiling: Ceiling) throws(AuthorityError) {
        let state = SignedState(json: people[SignedState.member])
        let files = (people["targets"]?.object ?? JSONObject()).compactMap { SignedPart.File($0.key, $0.value) }
        guard let state, let full = files.first(where: { $0.path == SignedPart.peopleFull }) else { throw .repository(.unsigned(.people)) }
        let issued = people.issued
        whole = try BundleItems(full, in: place, BundleExpectation(site: site, state: state, having: nil, ceiling: ceiling, issuedAt: issued))
        guard let version = try whole.version(), version < state.version else { return }
        guard let since = files.first(where: { $0.path == SignedPart.people(since: Int64(clamping: version)) }) else { throw .repository(.unsigned(.people)) }
        var items = try BundleItems(since, in: place, BundleExpectation(site: site, state: state, having: version, ceiling: ceiling, issuedAt: issued))
        while let item = try items.next() { changes.append(item) }
    }

    /// The next record; nil when there is none any more.
    func next() throws(AuthorityError) -> (key: RecordKey, record: PublicationRecord)? {
        while let item = try nextItem() {
            if case .put(let record) = item { return (item.key, record) }
        }
        return nil
    }

    /// A change takes the place of what it changes.
    private func nextItem() throws(AuthorityError) -> BundleItem? {
        guard let changed = changes.first else { return try whole.next() }
        if let told = try whole.peek() {
            guard changed.key <= told.key else { return try whole.next() }
            if changed.key == told.key { _ = try whole.next() }
        }
        return changes.removeFirst()
    }
}

/// The items of one bundle, which is as it was signed.
private struct BundleItems {
    private let file: FileDescriptor
    private var reader: BundleReader
    private var read: ArraySlice<BundleItem> = []
    private var header: BundleHeader?
    private var isOver = false

    init(_ part: SignedPart.File, in place: RepositoryFolder, _ expectation: BundleExpectation) throws(AuthorityError) {
        let name = "targets/\(part.fileName)"
        guard let checked = try place.open(name), let file = try place.open(name) else {
            throw .repository(.refused(UpdateRefusal(RepositoryRole.people.roleName, .missingFile(part.fileName))))
        }
        self.file = file
        var digest = HashStream.sha256
        var count = 0
        do throws(SystemError) {
            while case let piece = try checked.read(upTo: 65_536), !piece.isEmpty {
                digest.update(piece)
                count += piece.count
            }
        } catch {
            throw .system(error)
        }
        guard count == part.length, digest.finish() == part.hash else {
            throw .repository(.refusedFile(path: place.path(name), UpdateRefusal(RepositoryRole.people.roleName, .wrongTargetHash)))
        }
        reader = BundleReader(expecting: expectation)
    }

    /// The version to which it leads.
    mutating func version() throws(AuthorityError) -> UInt64? {
        _ = try peek()
        return header?.version
    }

    mutating func next() throws(AuthorityError) -> BundleItem? {
        guard try peek() != nil else { return nil }
        return read.removeFirst()
    }

    /// The next item, which stays.
    mutating func peek() throws(AuthorityError) -> BundleItem? {
        do {
            while read.isEmpty, !isOver {
                let piece = try file.read(upTo: 65_536)
                isOver = piece.isEmpty
                if isOver { header = try reader.finish() } else { read = try reader.feed(piece)[...] }
                if let known = reader.header { header = known }
            }
            return read.first
        } catch let error as BundleError {
            throw .repository(.bundle(error))
        } catch let error as SystemError {
            throw .system(error)
        } catch {
            preconditionFailure("a file or its reader fails, nothing else")
        }
    }
}
