import Credentials
import Encoding

/// Reads a bundle piece by piece, with bounded memory. Length and hash of the file are checked by whoever fetched it, before.
///
/// Items are given out before the last one is known to be good: the caller keeps them apart and uses none of them until `finish` has
/// answered.
public struct BundleReader: Sendable {
    private let expectation: BundleExpectation
    private var stream = RecordStream()
    private var state: State = .header

    private enum State: Sendable {
        /// The header has not been seen whole yet.
        case header
        /// The header is good; items are being read.
        case items(Progress)
        /// The bundle was refused, or was read to its end.
        case over
    }

    fileprivate struct Progress: Sendable {
        let header: BundleHeader
        var counts = PublicationCounts()
        var admission = RecordAdmission()
        var last: RecordKey?
    }

    /// A reader for one bundle.
    public init(expecting expectation: BundleExpectation) { self.expectation = expectation }

    /// The header, once it is good; nil before, and after the end.
    public var header: BundleHeader? {
        if case .items(let progress) = state { progress.header } else { nil }
    }

    /// Takes the next bytes, any number of them; the answer is the items that are complete now. After an error the reader refuses everything.
    public mutating func feed(_ bytes: [UInt8]) throws(BundleError) -> [BundleItem] { try entries(bytes).map(\.item) }

    /// Does the same, for whoever needs of the items what was worked out when they were read.
    public mutating func entries(_ bytes: [UInt8]) throws(BundleError) -> [BundleEntry] {
        var progress: Progress?
        switch state {
        case .header: progress = nil
        case .items(let reading): progress = reading
        case .over: throw .finished
        }
        state = .over
        let portion = stream.read(bytes)
        var items = portion.items[...]
        if progress == nil, let first = items.popFirst() { progress = Progress(header: try header(first.cbor)) }
        var entries: [BundleEntry] = []
        entries.reserveCapacity(items.count)
        for item in items {
            // Read in its place: what is held twice would be copied with every record.
            if let entry = try progress?.read(item, expectation) { entries.append(entry) }
        }
        if let fault = portion.fault { throw Self.error(fault) }
        state = progress.map { .items($0) } ?? .header
        return entries
    }

    /// The input has ended: the header of a bundle that is whole.
    public mutating func finish() throws(BundleError) -> BundleHeader {
        let current = state
        state = .over
        switch current {
        case .header: throw .truncated
        case .items(let progress):
            guard stream.isBetweenItems else { throw .truncated }
            guard progress.header.from != nil || progress.counts == progress.header.counts else { throw .wrongCounts }
            return progress.header
        case .over: throw .finished
        }
    }

    private func header(_ cbor: CBOR) throws(BundleError) -> BundleHeader {
        let header = try BundleHeader(cbor: cbor)
        try expectation.check(header)
        return header
    }

    private static func error(_ fault: PublicationError) -> BundleError {
        if case .malformedRecord(let offset) = fault { .malformed(offset: offset) } else { .records(fault) }
    }
}

extension BundleReader.Progress {
    mutating func read(_ item: RecordStream.Item, _ expectation: BundleExpectation) throws(BundleError) -> BundleEntry {
        let read = try bundleItem(item)
        let key = read.key
        guard last.map({ $0 < key }) ?? true else { throw .unsorted(offset: item.offset) }
        last = key
        if case .put(let record) = read { try admit(record, item, expectation) }
        return BundleEntry(item: read, key: key, form: item.form.dropFirst(header.from == nil ? 0 : BundleItem.putLength))
    }

    private func bundleItem(_ item: RecordStream.Item) throws(BundleError) -> BundleItem {
        try header.part.check(kind: kind(of: item), needs: header.needs, at: item.offset)
        do throws(PublicationRecord.Fault) {
            return header.from == nil ? .put(try item.record()) : try BundleItem(change: item.cbor)
        } catch {
            // Which kinds there are was seen to above.
            throw .malformed(offset: item.offset)
        }
    }

    /// The number of the kind of which an item speaks, if it has the shape of one.
    private func kind(of item: RecordStream.Item) -> UInt64? {
        switch item.content {
        // Changes are no records by themselves.
        case .record(let record): return header.from == nil ? record.kind : nil
        case .other(let cbor):
            guard header.from != nil else { return cbor.array?.first?.unsignedInteger }
            guard let fields = cbor.array, fields.count > 1 else { return nil }
            return fields[0] == 1 ? fields[1].unsignedInteger : fields[1].array?.first?.unsignedInteger
        }
    }

    private mutating func admit(
        _ record: PublicationRecord, _ item: RecordStream.Item, _ expectation: BundleExpectation
    ) throws(BundleError) {
        counts.count(record)
        do throws(PublicationError) { try admission.admit(record, length: item.length) } catch { throw .records(error) }
        guard let people = expectation.people else { return }
        do throws(CeilingExcess) {
            try people.ceiling.check(record, issuedAt: people.issuedAt)
        } catch {
            throw .scopeExceeded(error, offset: item.offset)
        }
    }
}

extension BundlePart {
    /// Whether a record of that kind may stand in this part.
    /// - Parameter kind: nil: it is no record at all.
    func check(kind: UInt64?, needs: String, at offset: UInt64) throws(BundleError) {
        guard let kind, kind > 0 else { throw .malformed(offset: offset) }
        guard kind <= PublicationRecord.Kind.last else { throw .needsNewer(needs) }
        guard !kinds.contains(kind) else { return }
        switch self {
        case .site: throw .malformed(offset: offset)
        case .people: throw .peopleOverreach(kind: kind)
        }
    }
}
