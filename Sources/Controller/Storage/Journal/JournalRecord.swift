import Credentials
import Encoding
import Vocabulary

/// One record as it stands in the journal.
public struct JournalRecord: Hashable, Sendable {
    /// The chain it is in.
    public let partition: JournalPartition
    /// Its place in that chain, from 1, without gaps.
    public let sequence: UInt64
    /// The boot during which it was written (16 bytes, from the caller of `Journal.open`).
    public let boot: [UInt8]
    /// What it tells.
    public let entry: JournalEntry
    /// In an outcome of the main chain: the attempt it closes, so that the chain speaks for itself.
    public let attempt: JournalEntry?
    /// The deterministic CBOR that the hash covers.
    public let body: [UInt8]
    /// SHA-256(previous hash || body).
    public let hash: [UInt8]
}

extension JournalRecord {
    /// The record as `tapstile journal --json` shows it.
    public var json: JSON {
        var fields = self.fields
        if !entry.evidence.isEmpty { fields["evidence"] = .string(Hex.encode(entry.evidence)) }
        return .object(fields)
    }

    /// The record as it is collected: the body has all of it, the other fields are for whoever looks through the file.
    /// - Parameter previous: the hash that it follows from.
    public func collected(after previous: [UInt8]) -> JSON {
        var fields = self.fields
        fields["previous"] = .string(Hex.encode(previous))
        fields["body"] = .string(Hex.encode(body))
        return .object(fields)
    }

    private var fields: JSONObject {
        var fields: JSONObject = [
            "sequence": .integer(Int64(clamping: sequence)), "kind": .string(entry.kind.rawValue),
            "time": .string(UTCText.make(milliseconds: entry.time.wallMilliseconds)),
            "clock": .string(entry.time.trust.word), "hash": .string(Hex.encode(hash))]
        fields["monotonic"] = .integer(entry.time.monotonicMilliseconds)
        fields["boot"] = .string(Hex.encode(boot))
        fields["machine"] = entry.time.machineMilliseconds.map { .string(UTCText.make(milliseconds: $0)) }
        fields["lane"] = entry.lane.map { .string($0) }
        fields["reader"] = entry.reader.map { .string($0) }
        fields["carrier"] = entry.carrier.map { .string($0.rawValue) }
        fields["subject"] = entry.subject.map { .string($0) }
        fields["credential"] = entry.credential.map { .string(Hex.encode($0)) }
        fields["reason"] = entry.reason.map { .string($0) }
        fields["transcript"] = entry.transcriptHash.map { .string(Hex.encode($0)) }
        fields["attempt"] = entry.attempt.map { .integer(Int64(clamping: $0)) }
        if let began = attempt { fields["began"] = .string(UTCText.make(milliseconds: began.time.wallMilliseconds)) }
        let detail = JSONObject(entry.detail.map { ($0.key, Self.json(of: $0.value)) })
        if !detail.isEmpty { fields["detail"] = .object(detail) }
        return fields
    }

    /// Details are small values; whatever has no form of its own in JSON is shown as hex of its CBOR.
    private static func json(of value: CBOR) -> JSON {
        if let text = value.text { return .string(text) }
        if let integer = value.integer { return .integer(integer) }
        if let bool = value.bool { return .bool(bool) }
        return .string(Hex.encode(value.encoded))
    }
}
