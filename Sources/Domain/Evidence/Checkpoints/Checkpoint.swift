import Credentials
import Encoding
import Vocabulary

/// What a gate says of its journal at one moment: how far both chains reach (docs/journal.md).
public struct Checkpoint: Hashable, Sendable {
    /// The site's identifier.
    public let site: String
    /// The gate's identifier.
    public let gate: String
    /// The gate's clock, UNIX milliseconds.
    public let milliseconds: Int64
    /// How far that clock was to be believed.
    public let clock: ClockTrust
    /// The chain of what was proven and of what the gate did.
    public let main: ChainExtent
    /// The chain of what nobody proved.
    public let unproven: ChainExtent

    /// A checkpoint.
    public init(site: String, gate: String, milliseconds: Int64, clock: ClockTrust, main: ChainExtent, unproven: ChainExtent) {
        self.site = site
        self.gate = gate
        self.milliseconds = milliseconds
        self.clock = clock
        self.main = main
        self.unproven = unproven
    }

    /// The longest identifier of a site or gate that is read, in bytes.
    static let longestName = 128
    /// The second one says how many records the rings keep.
    private static let formats: ClosedRange<UInt64> = 1...2
    private var format: UInt64 { main.keeps == nil || unproven.keeps == nil ? 1 : 2 }
    /// Times that a clock may show: up to the end of the year 9999.
    private static let times: ClosedRange<Int64> = 0...253_402_300_799_999

    private enum Label: UInt64 {
        case format = 0, site, gate, wall, clock, main, unproven

        var key: CBOR { .unsigned(rawValue) }
    }

    /// The payload that is signed: deterministic CBOR.
    var payload: [UInt8] {
        CBOR.map(CBORMap([
            (Label.format.key, .unsigned(format)), (Label.site.key, .text(site)), (Label.gate.key, .text(gate)),
            (Label.wall.key, CBOR(milliseconds)), (Label.clock.key, clock.cbor),
            (Label.main.key, Self.item(main, format)), (Label.unproven.key, Self.item(unproven, format))
        ])).encoded
    }

    /// Reads a payload in its one form.
    init(payload bytes: [UInt8]) throws(CheckpointError) {
        guard let map = try? CBOR.decode(bytes).map, let format = map[Label.format.key]?.unsignedInteger else { throw .malformed }
        guard Self.formats.contains(format) else { throw .versionUnknown }
        guard map.count == 7, let site = map[Label.site.key]?.text, let gate = map[Label.gate.key]?.text,
              [site, gate].allSatisfy({ $0.utf8.count <= Self.longestName }),
              let wall = map[Label.wall.key]?.integer, Self.times.contains(wall),
              let clock = map[Label.clock.key].flatMap({ ClockTrust($0) }),
              let main = map[Label.main.key].flatMap({ Self.extent($0, format) }),
              let unproven = map[Label.unproven.key].flatMap({ Self.extent($0, format) })
        else { throw .malformed }
        self.init(site: site, gate: gate, milliseconds: wall, clock: clock, main: main, unproven: unproven)
    }

    // [first, sequence, hash], and in format 2 how many records are kept -----------------------------

    private static func item(_ extent: ChainExtent, _ format: UInt64) -> CBOR {
        let keeps = format == 1 ? [] : extent.keeps.map { [CBOR.unsigned($0)] } ?? []
        return .array([.unsigned(extent.first), .unsigned(extent.sequence), .bytes(extent.hash)] + keeps)
    }

    private static func extent(_ item: CBOR, _ format: UInt64) -> ChainExtent? {
        guard let parts = item.array, parts.count == (format == 1 ? 3 : 4), let first = parts[0].unsignedInteger,
              let sequence = parts[1].unsignedInteger, let hash = parts[2].bytes, hash.count == ChainExtent.hashLength,
              Int64(exactly: sequence) != nil, first >= 1, first <= sequence + 1
        else { return nil }
        guard format > 1 else { return ChainExtent(first: first, sequence: sequence, hash: hash) }
        guard let keeps = parts[3].unsignedInteger, Int64(exactly: keeps) != nil, keeps >= 1 else { return nil }
        return ChainExtent(first: first, sequence: sequence, hash: hash, keeps: keeps)
    }
}

/// Why bytes are no signed checkpoint.
public enum CheckpointError: Error, Hashable, Sendable {
    /// They are something else, or damaged.
    case malformed
    /// A newer program wrote them.
    case versionUnknown
    /// It cannot be signed: the key is no P-256 key, or a name is too long.
    case unsignable

    /// Stable code.
    public var code: String {
        switch self {
        case .malformed: "checkpoint-malformed"
        case .versionUnknown: "checkpoint-version-unknown"
        case .unsignable: "checkpoint-unsignable"
        }
    }

    /// One English sentence for people.
    public var message: String {
        switch self {
        case .malformed: "The bytes are not what `tapstile journal checkpoint --out` writes, or they are damaged or cut short."
        case .versionUnknown: "The checkpoint was written by a newer program; use that one to check it."
        case .unsignable: "The checkpoint cannot be signed."
        }
    }
}
