import Cryptography
import Encoding

/// What the records that concern one zone come to, or those that concern the whole site: their sum and how many there are.
public struct ZoneSum: Hashable, Sendable {
    /// The sum.
    public private(set) var sum: StateSum
    /// The records.
    public private(set) var counts: PublicationCounts
    private static let label = "tapstile-zone-1"

    /// That of no records.
    public init() { (sum, counts) = (StateSum(), PublicationCounts()) }

    mutating func add(_ record: PublicationRecord, _ element: StateElement) {
        sum.add(element)
        counts.count(record)
    }

    mutating func subtract(_ record: PublicationRecord, _ element: StateElement) {
        sum.subtract(element)
        counts.uncount(record)
    }

    mutating func subtract(_ key: RecordKey, _ element: StateElement) {
        sum.subtract(element)
        counts.uncount(key)
    }

    /// What the header of changes says of a zone.
    public func digest(site: String, zone: String) -> [UInt8] {
        SHA256.hash(CBOR.array([.text(Self.label), .text(site), .text(zone), counts.list, .bytes(sum.bytes)]).encoded)
    }

    /// As it is kept.
    public var encoded: [UInt8] { cbor.encoded }

    /// Reads back what `encoded` wrote; nil if it is anything else.
    public init?(encoded: [UInt8]) {
        guard let cbor = try? CBOR.decode(encoded) else { return nil }
        self.init(cbor: cbor)
    }

    var cbor: CBOR { [counts.list, .bytes(sum.bytes)] }

    init?(cbor: CBOR) {
        guard let fields = cbor.array, fields.count == 2, let counts = PublicationCounts(list: fields[0]),
              let sum = fields[1].bytes.flatMap({ StateSum(bytes: $0) }) else { return nil }
        self.sum = sum
        self.counts = counts
    }
}
