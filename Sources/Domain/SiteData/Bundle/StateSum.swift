import Credentials
import Cryptography
import Encoding
import SiteRules

/// Says which records a site has, whatever way it came to them, and changes with one of them by itself: LtHash with 1,024 lanes of 16 bits
/// (Lewi, Kim, Maykov, Weis: "Securing Update Propagation with Homomorphic Hashing", 2019).
///
/// Nothing is believed because of it: every bundle is signed. It finds a mistake in making or applying changes, a row that was
/// damaged, and an office that gave two states one version. A record that was added 2^16 times counts as none; keys are unique, so that
/// none is added twice.
public struct StateSum: Hashable, Sendable {
    /// The bytes of a digest.
    public static let digestLength = SHA256.length
    private static let lanes = StateElement.length / 2
    private static let label = "tapstile-state-1"

    private var lanes: [UInt16]

    /// The sum of no records.
    public init() { lanes = [UInt16](repeating: 0, count: Self.lanes) }

    /// Reads a sum back; nil if it has not 2,048 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == StateElement.length else { return nil }
        lanes = (0..<Self.lanes).map { UInt16(bytes[2 * $0]) | UInt16(bytes[2 * $0 + 1]) << 8 }
    }

    /// 2,048 bytes, each lane little-endian.
    public var bytes: [UInt8] { lanes.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] } }

    /// Counts a record in.
    public mutating func add(_ record: PublicationRecord) { add(StateElement(record)) }

    /// Takes a record out that was counted in.
    public mutating func subtract(_ record: PublicationRecord) { subtract(StateElement(record)) }

    /// Counts an element in.
    public mutating func add(_ element: StateElement) { element.bytes.withUnsafeBytes { add(element: $0) } }

    /// Takes an element out.
    public mutating func subtract(_ element: StateElement) { element.bytes.withUnsafeBytes { change(by: $0) { $0 &- $1 } } }

    /// Counts an element in.
    /// - Parameter element: its 2,048 bytes.
    mutating func add(element: UnsafeRawBufferPointer) { change(by: element) { $0 &+ $1 } }

    private mutating func change(by element: UnsafeRawBufferPointer, _ combine: (UInt16, UInt16) -> UInt16) {
        precondition(element.count == StateElement.length, "elements have one length")
        lanes.withUnsafeMutableBufferPointer { lanes in
            // Checked sums of places would keep the compiler from taking many lanes at once.
            for lane in 0..<Self.lanes {
                let value = UInt16(littleEndian: element.loadUnaligned(fromByteOffset: 2 &* lane, as: UInt16.self))
                lanes[lane] = combine(lanes[lane], value)
            }
        }
    }

    /// What a header and the online role's metadata say of a state.
    /// - Parameter counts: how many records were counted in.
    public func digest(site: String, counts: PublicationCounts) -> [UInt8] {
        SHA256.hash(CBOR.array([.text(Self.label), .text(site), counts.list, .bytes(bytes)]).encoded)
    }
}

/// What one record adds to the sum of a state: 2,048 bytes that nobody can choose, the key stream of ChaCha20 under a hash of the record.
public struct StateElement: Hashable, Sendable {
    /// The bytes of an element and of a sum.
    public static let length = 2048
    /// Keeps these hashes from ever being those of something else.
    static let label = Array("tapstile-element-1".utf8)

    let bytes: [UInt8]

    /// One that was made elsewhere.
    init(bytes: [UInt8]) { self.bytes = bytes }

    /// The element of a record.
    public init(_ record: PublicationRecord) {
        guard case .rule(.membership(let membership)) = record else {
            self.init(form: record.encoded)
            return
        }
        self.init(group: membership.group, person: PersonDigest(subject: membership.subject).bytes)
    }

    /// The element of a membership, as a gate knows it: it does not keep whose.
    /// - Parameter person: the bytes of a `PersonDigest`.
    public init(group: String, person: [UInt8]) {
        self.init(form: Self.form(group: group, person: person))
    }

    static func form(group: String, person: [UInt8]) -> [UInt8] {
        var writer = CBORWriter()
        writer.appendArrayHead(count: 3)
        writer.append(.unsigned(SiteRecord.kinds.upperBound))
        writer.append(.text(group))
        writer.append(.bytes(person))
        return writer.bytes
    }

    /// The element of a record of another kind than a membership, by its one form in CBOR.
    public init(form: [UInt8]) {
        bytes = ChaCha20.keyStream(key: SHA256.hash(Self.label + form), count: Self.length)
    }
}
