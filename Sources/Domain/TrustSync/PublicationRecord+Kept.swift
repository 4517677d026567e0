import Encoding

extension PublicationRecord {
    /// Reads a record that somebody kept in its encoding; nil if it is none.
    public init?(encoded bytes: [UInt8]) {
        guard let cbor = try? CBOR.decode(bytes), let record = try? PublicationRecord(cbor: cbor) else { return nil }
        self = record
    }
}
