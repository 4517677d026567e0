import Encoding

/// One item of a bundle after its header.
public enum BundleItem: Hashable, Sendable {
    /// The record is so at the bundle's version, in the place of what its key had before. In whole bundles the record by itself, in
    /// bundles of changes `[0, record]`.
    case put(PublicationRecord)
    /// There is no record of that key any more: `[1, kind, key]`, in bundles of changes only.
    case gone(RecordKey)

    /// The bytes that stand before the record in a bundle of changes.
    static let putLength = 2

    /// Which record it speaks of.
    public var key: RecordKey {
        switch self {
        case .put(let record): RecordKey(record)
        case .gone(let key): key
        }
    }

    /// Reads an item of a bundle of changes.
    init(change: CBOR) throws(PublicationRecord.Fault) {
        guard let fields = change.array, let tag = fields.first?.unsignedInteger else { throw .malformed }
        switch (tag, fields.count) {
        case (0, 2):
            self = .put(try PublicationRecord(cbor: fields[1]))
        case (1, 3):
            guard let kind = fields[1].unsignedInteger, let bytes = fields[2].bytes else { throw .malformed }
            self = .gone(try RecordKey(goneOf: kind, bytes))
        default:
            throw .malformed
        }
    }

    /// Reads what `encoded` wrote as a change; nil for anything else.
    package init?(encodedChange bytes: [UInt8]) {
        guard let cbor = try? CBOR.decode(bytes), let item = try? BundleItem(change: cbor) else { return nil }
        self = item
    }

    /// The item as it stands in a bundle.
    /// - Parameter isChange: whether the bundle is one of changes.
    package func encoded(isChange: Bool) -> [UInt8] {
        var writer = CBORWriter()
        switch self {
        case .put(let record):
            if isChange { writer.appendArrayHead(count: 2); writer.append(.unsigned(0)) }
            writer.append(raw: record.encoded)
        case .gone(let key):
            writer.append([1, .unsigned(key.kind), .bytes(key.bytes)])
        }
        return writer.bytes
    }
}

/// An item of a bundle with what its reader found out about it: to work that out again takes as long as to read the item.
public struct BundleEntry: Sendable {
    /// What it says.
    public let item: BundleItem
    /// Which record it speaks of.
    public let key: RecordKey
    /// Of what is put: the record as it stands in the bundle, which is its one form.
    let form: ArraySlice<UInt8>
}

/// Makes a bundle, and refuses whatever gates would refuse. The header is known first: what it says is kept by whoever keeps the records.
public struct BundleWriter: Sendable {
    /// The header, to be written before everything else.
    public let head: [UInt8]
    private let header: BundleHeader
    private let ceiling: Ceiling?
    private let issuedAt: Int64
    private var counts = PublicationCounts()
    private var admission = RecordAdmission()
    private var last: RecordKey?
    private var offset: UInt64

    /// A bundle without items.
    /// - Parameters:
    ///   - ceiling: what people may be given at most; nil for the site's part.
    ///   - issuedAt: when the list of people is issued, UNIX seconds.
    public init(_ header: BundleHeader, ceiling: Ceiling? = nil, issuedAt: Int64 = 0) {
        self.header = header
        self.ceiling = ceiling
        self.issuedAt = issuedAt
        head = header.cbor.encoded
        offset = UInt64(head.count)
    }

    /// Adds an item, in the order of keys; the answer is what to append to the file.
    public mutating func add(_ item: BundleItem) throws(BundleError) -> [UInt8] {
        let key = item.key
        try header.part.check(kind: key.kind, needs: header.needs, at: offset)
        guard last.map({ $0 < key }) ?? true else { throw .unsorted(offset: offset) }
        last = key
        let encoded = item.encoded(isChange: header.from != nil)
        switch item {
        case .put(let record): try admit(record, length: encoded.count)
        case .gone: guard header.from != nil else { throw .wrongPart }
        }
        offset += UInt64(encoded.count)
        return encoded
    }

    private mutating func admit(_ record: PublicationRecord, length: Int) throws(BundleError) {
        guard length <= SitePublication.longestRecord else { throw .records(.recordTooLong(offset: offset)) }
        counts.count(record)
        do throws(PublicationError) { try admission.admit(record, length: length) } catch { throw .records(error) }
        guard let ceiling else { return }
        do throws(CeilingExcess) {
            try ceiling.check(record, issuedAt: issuedAt)
        } catch {
            throw .scopeExceeded(error, offset: offset)
        }
    }

    /// All items were added.
    /// - Throws: `wrongCounts` if the header says something else of a whole bundle.
    public func finish() throws(BundleError) {
        guard header.from != nil || counts == header.counts else { throw .wrongCounts }
    }
}
