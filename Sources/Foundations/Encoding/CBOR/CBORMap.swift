/// The entries of a CBOR map in deterministic order: sorted bytewise by the encodings of their keys
/// (RFC 8949, 4.2.1), each key once.
public struct CBORMap: Hashable, Sendable {
    /// One key and its value.
    public struct Entry: Hashable, Sendable {
        /// The key.
        public let key: CBOR
        /// The value.
        public var value: CBOR

        /// A key with its value.
        public init(key: CBOR, value: CBOR) {
            self.key = key
            self.value = value
        }
    }

    /// The entries in deterministic order.
    public private(set) var entries: [Entry]

    /// A map without entries.
    public init() { entries = [] }

    /// A map of `pairs` in any order; of two pairs with the same key the later counts.
    public init(_ pairs: [(CBOR, CBOR)]) {
        entries = []
        var keyed = pairs.enumerated().map { (place, pair) in
            (encoded: pair.0.encoded, place: place, entry: Entry(key: pair.0, value: pair.1))
        }
        keyed.sort { $0.encoded == $1.encoded ? $0.place < $1.place : precedes($0.encoded, $1.encoded) }
        entries.reserveCapacity(keyed.count)
        for (_, _, entry) in keyed {
            if let last = entries.last, last.key == entry.key { entries.removeLast() }
            entries.append(entry)
        }
    }

    /// Entries that are known to be sorted and without duplicates.
    init(sorted entries: [Entry]) { self.entries = entries }

    /// The number of entries.
    public var count: Int { entries.count }

    /// Whether there is no entry.
    public var isEmpty: Bool { entries.isEmpty }

    /// The keys in deterministic order.
    public var keys: [CBOR] { entries.map(\.key) }

    /// The value under `key`. Setting nil removes the entry.
    public subscript(key: CBOR) -> CBOR? {
        get { entries.first { $0.key == key }?.value }
        set {
            if let place = entries.firstIndex(where: { $0.key == key }) {
                if let newValue { entries[place].value = newValue } else { entries.remove(at: place) }
            } else if let newValue {
                let encoded = key.encoded
                let place = entries.firstIndex { precedes(encoded, $0.key.encoded) } ?? entries.endIndex
                entries.insert(Entry(key: key, value: newValue), at: place)
            }
        }
    }
}

extension CBORMap: ExpressibleByDictionaryLiteral {
    /// A map written in the source; of two entries with one key the later counts.
    public init(dictionaryLiteral elements: (CBOR, CBOR)...) { self.init(elements) }
}

extension CBORMap: RandomAccessCollection {
    /// The first place.
    public var startIndex: Int { entries.startIndex }
    /// The place after the last.
    public var endIndex: Int { entries.endIndex }
    /// The entry at `position`, counted in deterministic order.
    public subscript(position: Int) -> Entry { entries[position] }
}

/// Bytewise lexicographic order, the order of map keys.
func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.lexicographicallyPrecedes(right)
}
