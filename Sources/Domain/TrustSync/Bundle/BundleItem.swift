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
