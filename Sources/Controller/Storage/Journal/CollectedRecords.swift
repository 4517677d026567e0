import Encoding

/// Records of the main chain as they were collected, one JSON object a line, walked along line by line: each follows from the one before
/// it, and says what its body says. Pure.
public struct CollectedRecords {
    private var walk = ChainWalk(from: .none)
    private var isBegun = false
    /// The hashes of all records, one after the other.
    private var hashes: [UInt8] = []

    /// The bytes that a line may have: a body in hexadecimal digits, and what people read.
    public static let longestLine = 3 * JournalBody.maximumLength
    private static let hashLength = 32

    /// Nothing was read yet.
    public init() {}

    /// The next line. Answers what stands in it.
    /// - Throws: `journal-record-damaged` if it is none, does not follow, or says something else than its body.
    public mutating func receive(_ line: [UInt8]) throws(StorageError) -> ChainedRecord {
        guard let json = try? JSON.parse(line), let body = Self.bytes(json["body"]), let previous = Self.bytes(json["previous"]),
              let hash = Self.bytes(json["hash"]), previous.count == Self.hashLength, let record = JournalBody.decode(body, hash: hash)
        else {
            throw StorageError(.recordDamaged, "After record \(walk.position.sequence): a line is none of `tapstile journal --bodies`.")
        }
        if !isBegun { begin(record.sequence, previous) }
        let isNext = previous == walk.position.hash
        if let why = walk.step(JournalRows.Row(record), in: .main) ?? Self.why(json, isNot: record, after: previous) {
            throw StorageError(.recordDamaged, "Record \(record.sequence): \(why).")
        }
        guard isNext else { throw StorageError(.recordDamaged, "Record \(record.sequence): it does not follow from what its line says.") }
        hashes += hash
        return ChainedRecord(record: record, previous: previous)
    }

    private mutating func begin(_ sequence: UInt64, _ previous: [UInt8]) {
        isBegun = true
        walk = ChainWalk(from: sequence == 0 ? .none : JournalHead(sequence: sequence - 1, hash: previous))
    }

    private static func why(_ line: JSON, isNot record: JournalRecord, after previous: [UInt8]) -> String? {
        let isSame = line == record.collected(after: previous)
        return isSame ? nil : "its line does not say what its body says"
    }

    /// The checkpoints that were passed since the last call.
    public mutating func drainCheckpoints() -> [KeptCheckpoint] { walk.drainCheckpoints() }

    /// The exchanges that were passed since the last call.
    public mutating func drainTranscripts() -> [KeptTranscript] { walk.drainTranscripts() }

    /// Files that were set aside.
    public var continuations: [JournalContinuation] { walk.continuations }

    /// The oldest record.
    public var first: UInt64 { walk.start.sequence + 1 }

    /// The newest record.
    public var head: JournalHead { walk.position }

    /// What the chain has at a place, as far as it was read.
    public func place(of sequence: UInt64) -> JournalPlace {
        guard sequence >= walk.start.sequence else { return .letGo }
        guard sequence > walk.start.sequence else { return .hash(walk.start.hash) }
        guard sequence <= walk.position.sequence else { return .beyond }
        let start = Int(sequence - walk.start.sequence - 1) * Self.hashLength
        return .hash(Array(hashes[start..<(start + Self.hashLength)]))
    }

    private static func bytes(_ json: JSON?) -> [UInt8]? { json?.string.flatMap { try? Hex.decode($0) } }
}

extension JournalRows.Row {
    /// The row that a record would have.
    fileprivate init(_ record: JournalRecord) {
        self.init(
            sequence: record.sequence, kind: record.entry.kind.rawValue, wall: record.entry.time.wallMilliseconds, lane: record.entry.lane,
            reason: record.entry.reason, body: record.body, hash: record.hash, isTyped: true)
    }
}

/// A record and what it follows from: together they have the record's hash.
public struct ChainedRecord: Hashable, Sendable {
    /// The record.
    public let record: JournalRecord
    /// The hash of the record before it, 32 bytes; all zero before the first.
    public let previous: [UInt8]
}
