/// Reads the items of a CBOR sequence (RFC 8742) one by one.
///
/// The work is proportional to the input, the recursion is bounded by `CBOR.maximumDepth`, and no length
/// in the input is believed before the bytes it speaks of are known to be there.
public struct CBORReader: Sendable {
    private let bytes: [UInt8]
    private let rules: CBORRules
    private var position: Int

    /// A reader of `bytes`, beginning at `offset` (0 to `bytes.count`).
    public init(_ bytes: [UInt8], rules: CBORRules = .deterministic, from offset: Int = 0) {
        precondition((0...bytes.count).contains(offset), "A reader starts inside its input")
        self.bytes = bytes
        self.rules = rules
        position = offset
    }

    /// Whether no byte is left.
    public var isAtEnd: Bool { position == bytes.count }

    /// The number of bytes read so far, in whole items.
    public var offset: Int { position }

    /// Reads the next item.
    /// - Throws: `CBORError`; the reader then stays where it was. `truncated` alone can be fixed by more
    ///   input.
    public mutating func next() throws(CBORError) -> CBOR {
        let start = position
        do {
            return try item(depth: 0)
        } catch {
            position = start
            throw error
        }
    }

    /// Reads the next item and gives its bytes as received too, for signatures and hashes over them.
    public mutating func nextRaw() throws(CBORError) -> (item: CBOR, raw: [UInt8]) {
        let start = position
        let item = try next()
        return (item, Array(bytes[start..<position]))
    }
}

// Items of known shape: whoever reads a million of them need not have each as a tree.
extension CBORReader {
    /// Reads an unsigned integer; nil, and nothing is read, if the next item is anything else or is not whole.
    public mutating func nextUnsigned() -> UInt64? { argument(of: .unsigned) }

    /// Reads the head of an array, whose items come next.
    public mutating func nextArrayCount() -> UInt64? { argument(of: .array) }

    /// Reads a byte string.
    public mutating func nextBytes() -> [UInt8]? {
        nextString(.bytes) { Array($0) }
    }

    /// Reads a text string.
    public mutating func nextText() -> String? {
        nextString(.text) { String(validating: $0, as: UTF8.self) }
    }

    /// Reads the next item if it is exactly this one: an item begins with no other.
    /// - Parameter raw: the encoding of one item, deterministic.
    public mutating func skip(_ raw: [UInt8]) -> Bool {
        guard rules == .deterministic, remaining >= raw.count else { return false }
        for place in raw.indices where bytes[position + place] != raw[place] { return false }
        position += raw.count
        return !raw.isEmpty
    }

    /// The bytes from `start` up to the next item: a part of the input that is not copied.
    public func raw(from start: Int) -> ArraySlice<UInt8> { bytes[start..<position] }

    private mutating func nextString<Value>(_ major: CBORMajor, _ value: (ArraySlice<UInt8>) -> Value?) -> Value? {
        let start = position
        guard let count = argument(of: major), count <= UInt64(remaining), let value = value(bytes[position..<position + Int(count)]) else {
            position = start
            return nil
        }
        position += Int(count)
        return value
    }

    private mutating func argument(of major: CBORMajor) -> UInt64? {
        let start = position
        guard start < bytes.count, CBORMajor(initialByte: bytes[start]) == major, let head = try? head() else {
            position = start
            return nil
        }
        return head.argument
    }
}

extension CBORReader {
    /// The initial byte taken apart, with its argument (RFC 8949, 3).
    private struct Head {
        let major: CBORMajor
        /// The five lower bits of the initial byte.
        let information: UInt8
        let argument: UInt64
        /// Where the head starts.
        let start: Int
    }

    private var remaining: Int { bytes.count - position }

    private mutating func item(depth: Int) throws(CBORError) -> CBOR {
        let head = try head()
        switch head.major {
        case .unsigned:
            return .unsigned(head.argument)
        case .negative:
            return .negative(head.argument)
        case .bytes:
            return .bytes(Array(try string(head)))
        case .text:
            guard let text = String(validating: try string(head), as: UTF8.self) else {
                throw CBORError(.invalidText, at: head.start)
            }
            return .text(text)
        case .array:
            return .array(try array(head, depth: try deeper(depth, head)))
        case .map:
            return .map(try map(head, depth: try deeper(depth, head)))
        case .tag:
            return .tagged(head.argument, try item(depth: try deeper(depth, head)))
        case .simple:
            return try simpleOrFloat(head)
        }
    }

    private func deeper(_ depth: Int, _ head: Head) throws(CBORError) -> Int {
        guard depth < CBOR.maximumDepth else { throw CBORError(.tooDeep, at: head.start) }
        return depth + 1
    }

    private mutating func head() throws(CBORError) -> Head {
        let start = position
        guard start < bytes.count else { throw CBORError(.truncated, at: start) }
        let initialByte = bytes[start]
        position += 1
        let major = CBORMajor(initialByte: initialByte)
        let information = initialByte & 0x1F
        switch information {
        case 0...23:
            return Head(major: major, information: information, argument: UInt64(information), start: start)
        case 24...27:
            let argument = try argument(byteCount: 1 << Int(information - 24), start)
            if rules == .deterministic && major != .simple {
                try checkShortest(argument, information, start)
            }
            return Head(major: major, information: information, argument: argument, start: start)
        case 31:
            throw CBORError(mayBeIndefinite(major) ? .indefiniteLength : .reserved, at: start)
        default:
            throw CBORError(.reserved, at: start)
        }
    }

    private mutating func argument(byteCount: Int, _ start: Int) throws(CBORError) -> UInt64 {
        guard byteCount <= remaining else { throw CBORError(.truncated, at: start) }
        var value: UInt64 = 0
        for byte in bytes[position..<position + byteCount] { value = value << 8 | UInt64(byte) }
        position += byteCount
        return value
    }

    private func checkShortest(_ argument: UInt64, _ information: UInt8, _ start: Int) throws(CBORError) {
        let least: UInt64 =
            switch information {
            case 24: 24
            case 25: 0x100
            case 26: 0x1_0000
            default: 0x1_0000_0000
            }
        guard argument >= least else { throw CBORError(.notShortest, at: start) }
    }

    private func mayBeIndefinite(_ major: CBORMajor) -> Bool {
        switch major {
        case .bytes, .text, .array, .map, .simple: true
        case .unsigned, .negative, .tag: false
        }
    }

    private mutating func string(_ head: Head) throws(CBORError) -> ArraySlice<UInt8> {
        guard head.argument <= UInt64(remaining) else { throw CBORError(.truncated, at: head.start) }
        let end = position + Int(head.argument)
        defer { position = end }
        return bytes[position..<end]
    }
}

extension CBORReader {
    /// Room is reserved for at most so many elements ahead: what a count promises is not yet there.
    private static let reservedElements = 32

    private mutating func array(_ head: Head, depth: Int) throws(CBORError) -> [CBOR] {
        // Every element takes a byte at least.
        guard head.argument <= UInt64(remaining) else { throw CBORError(.truncated, at: head.start) }
        let count = Int(head.argument)
        var items: [CBOR] = []
        items.reserveCapacity(min(count, Self.reservedElements))
        for _ in 0..<count { items.append(try item(depth: depth)) }
        return items
    }

    private mutating func map(_ head: Head, depth: Int) throws(CBORError) -> CBORMap {
        // Every entry takes two bytes at least.
        guard head.argument <= UInt64(remaining / 2) else { throw CBORError(.truncated, at: head.start) }
        let count = Int(head.argument)
        switch rules {
        case .deterministic: return try sortedMap(count, depth: depth)
        case .wellFormed: return try anyMap(count, depth: depth)
        }
    }

    /// Here a key's bytes are its deterministic encoding, so neighbours in the input tell both order and
    /// duplicates.
    private mutating func sortedMap(_ count: Int, depth: Int) throws(CBORError) -> CBORMap {
        var entries: [CBORMap.Entry] = []
        entries.reserveCapacity(min(count, Self.reservedElements))
        var previous: Range<Int>?
        for _ in 0..<count {
            let start = position
            let key = try item(depth: depth)
            let current = start..<position
            if let previous, !bytes[previous].lexicographicallyPrecedes(bytes[current]) {
                let same = bytes[previous] == bytes[current]
                throw CBORError(same ? .duplicateKey : .unsortedKeys, at: start)
            }
            previous = current
            entries.append(CBORMap.Entry(key: key, value: try item(depth: depth)))
        }
        return CBORMap(sorted: entries)
    }

    private mutating func anyMap(_ count: Int, depth: Int) throws(CBORError) -> CBORMap {
        var entries: [CBORMap.Entry] = []
        var starts: [Int] = []
        entries.reserveCapacity(min(count, Self.reservedElements))
        starts.reserveCapacity(min(count, Self.reservedElements))
        // A key of one byte has no other form. Most maps have no other keys, and in order: then nothing is to be sorted.
        var latest = -1
        var isInOrder = true
        for _ in 0..<count {
            let start = position
            let key = try item(depth: depth)
            isInOrder = isInOrder && position == start + 1 && latest < Int(bytes[start])
            latest = Int(bytes[start])
            entries.append(CBORMap.Entry(key: key, value: try item(depth: depth)))
            starts.append(start)
        }
        if isInOrder { return CBORMap(sorted: entries) }
        return try sortedMap(of: entries, starts)
    }

    /// - Parameter starts: where each entry began.
    private func sortedMap(of entries: [CBORMap.Entry], _ starts: [Int]) throws(CBORError) -> CBORMap {
        var found = zip(entries, starts).map { entry, start in (encoded: entry.key.encoded, start: start, entry: entry) }
        found.sort { precedes($0.encoded, $1.encoded) }
        for (left, right) in zip(found, found.dropFirst()) where left.encoded == right.encoded {
            throw CBORError(.duplicateKey, at: max(left.start, right.start))
        }
        return CBORMap(sorted: found.map(\.entry))
    }

    private func simpleOrFloat(_ head: Head) throws(CBORError) -> CBOR {
        let float: CBORFloat
        switch head.information {
        case 24:
            guard head.argument >= 32 else { throw CBORError(.reserved, at: head.start) }
            return .simple(UInt8(truncatingIfNeeded: head.argument))
        case 25: float = .half(UInt16(truncatingIfNeeded: head.argument))
        case 26: float = .single(UInt32(truncatingIfNeeded: head.argument))
        case 27: float = .double(head.argument)
        default: return .simple(head.information)
        }
        if rules == .deterministic && CBORFloat.shortest(float.value) != float {
            throw CBORError(.notShortest, at: head.start)
        }
        return .float(float.value)
    }
}
