import Encoding

/// Makes a bundle, and refuses whatever gates would refuse. The header is known first: what it says is kept by whoever keeps the records.
public struct BundleWriter: Sendable {
    /// The header, to be written before everything else.
    public let head: [UInt8]
    private let header: BundleHeader
    private let ceiling: Ceiling?
    private let issuedAt: Int64
    private var counts = PublicationCounts()
    private var admission = RecordAdmission(siteKey: nil)
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
