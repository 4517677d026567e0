import Credentials
import Encoding
import Vocabulary

/// The deterministic CBOR of a record: what the hash covers. A map from small integers, listed here;
/// numbers are never given a second meaning.
enum JournalBody {
    /// The bytes a body may have; evidence is a token and a signature, well below.
    static let maximumLength = 16_384

    enum Label: UInt64 {
        case format = 0, partition, sequence, boot, kind
        case wall, clock, monotonic
        case lane, reader, carrier, transcriptHash, attempt
        case subject, credential, reason, isProven, evidence, detail, attemptBody

        var key: CBOR { .unsigned(rawValue) }
    }

    /// The machine's own reading stands among the details: programs that know no such label read the record all the same.
    private static let machineDetail = "machine-clock"

    /// The only format so far.
    private static let format: UInt64 = 1

    /// - Parameter attemptBody: the body of the attempt that an outcome closes.
    static func encode(
        _ entry: JournalEntry, partition: JournalPartition, sequence: UInt64, boot: [UInt8], attemptBody: [UInt8]?
    ) -> [UInt8] {
        var pairs: [(CBOR, CBOR)] = [
            (Label.format.key, .unsigned(format)),
            (Label.partition.key, .text(partition.rawValue)),
            (Label.sequence.key, .unsigned(sequence)),
            (Label.boot.key, .bytes(boot)),
            (Label.kind.key, .text(entry.kind.rawValue)),
            (Label.wall.key, CBOR(entry.time.wallMilliseconds)),
            (Label.clock.key, entry.time.trust.cbor),
            (Label.monotonic.key, CBOR(entry.time.monotonicMilliseconds)),
            (Label.isProven.key, CBOR(entry.isProven))
        ]
        func add(_ label: Label, _ value: CBOR?) {
            if let value { pairs.append((label.key, value)) }
        }
        add(.lane, entry.lane.map { .text($0) })
        add(.reader, entry.reader.map { .text($0) })
        add(.carrier, entry.carrier.map { .text($0.rawValue) })
        add(.transcriptHash, entry.transcriptHash.map { .bytes($0) })
        add(.attempt, entry.attempt.map { .unsigned($0) })
        add(.subject, entry.subject.map { .text($0) })
        add(.credential, entry.credential.map { .bytes($0) })
        add(.reason, entry.reason.map { .text($0) })
        add(.evidence, entry.evidence.isEmpty ? nil : .bytes(entry.evidence))
        var detail = entry.detail
        if let machine = entry.time.machineMilliseconds { detail[machineDetail] = CBOR(machine) }
        add(.detail, detail.isEmpty ? nil : .map(CBORMap(detail.map { (.text($0.key), $0.value) })))
        add(.attemptBody, attemptBody.map { .bytes($0) })
        return CBOR.map(CBORMap(pairs)).encoded
    }

    /// Reads a body back. Nil if it is no body of ours.
    static func decode(_ body: [UInt8], hash: [UInt8]) -> JournalRecord? {
        guard let fields = fields(of: body),
              let partition = fields[.partition]?.text.flatMap(JournalPartition.init(rawValue:)),
              let sequence = fields[.sequence]?.unsignedInteger,
              let boot = fields[.boot]?.bytes,
              let entry = entry(of: fields)
        else { return nil }
        let attempt = fields[.attemptBody]?.bytes.flatMap { Self.fields(of: $0) }.flatMap { Self.entry(of: $0) }
        return JournalRecord(
            partition: partition, sequence: sequence, boot: boot, entry: entry, attempt: attempt, body: body, hash: hash)
    }

    private static func fields(of body: [UInt8]) -> [Label: CBOR]? {
        guard let map = (try? CBOR.decode(body))?.map else { return nil }
        var fields: [Label: CBOR] = [:]
        for pair in map.entries {
            guard let number = pair.key.unsignedInteger, let label = Label(rawValue: number) else { return nil }
            fields[label] = pair.value
        }
        return fields[.format]?.unsignedInteger == format ? fields : nil
    }

    private static func entry(of fields: [Label: CBOR]) -> JournalEntry? {
        guard let kind = fields[.kind]?.text.flatMap(JournalKind.init(rawValue:)),
              let wall = fields[.wall]?.integer,
              let trust = fields[.clock].flatMap({ ClockTrust($0) }),
              let monotonic = fields[.monotonic]?.integer,
              let isProven = fields[.isProven]?.bool
        else { return nil }
        var time = JournalTime(wallMilliseconds: wall, trust: trust, monotonicMilliseconds: monotonic)
        var detail: [String: CBOR] = [:]
        for pair in fields[.detail]?.map?.entries ?? [] {
            guard let name = pair.key.text else { return nil }
            detail[name] = pair.value
        }
        time.machineMilliseconds = detail.removeValue(forKey: machineDetail)?.integer
        return JournalEntry(
            kind: kind, time: time, lane: fields[.lane]?.text, reader: fields[.reader]?.text,
            carrier: fields[.carrier]?.text.flatMap(Carrier.init(rawValue:)),
            transcriptHash: fields[.transcriptHash]?.bytes, attempt: fields[.attempt]?.unsignedInteger,
            subject: fields[.subject]?.text, credential: fields[.credential]?.bytes, reason: fields[.reason]?.text,
            isProven: isProven, evidence: fields[.evidence]?.bytes ?? [], detail: detail)
    }
}

extension JournalEntry {
    /// About how many bytes its body will have, without making it: decides whether it is taken.
    var approximateLength: Int {
        let texts = [lane, reader, subject, reason].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
        let blobs = [transcriptHash, credential].reduce(evidence.count) { $0 + ($1?.count ?? 0) }
        let details = detail.isEmpty ? 0 : CBOR.map(CBORMap(detail.map { (.text($0.key), $0.value) })).encoded.count
        return 128 + texts + blobs + details
    }
}
