/// The members of a JSON object in canonical order: sorted by the UTF-16 code units of their keys
/// (RFC 8785, 3.2.3), each key once.
public struct JSONObject: Hashable, Sendable {
    /// One key and its value.
    public struct Member: Hashable, Sendable {
        /// The key.
        public let key: String
        /// The value.
        public var value: JSON

        /// A key with its value.
        public init(key: String, value: JSON) {
            self.key = key
            self.value = value
        }

        /// Equal when the bytes of the keys are, and the values.
        public static func == (left: Member, right: Member) -> Bool {
            isSameKey(left.key, right.key) && left.value == right.value
        }
    }

    /// The members in canonical order.
    public private(set) var members: [Member]

    /// An object without members.
    public init() { members = [] }

    /// An object of `pairs` in any order; of two pairs with the same key the later counts.
    public init(_ pairs: [(String, JSON)]) {
        members = []
        for member in Self.sorted(pairs.map { Member(key: $0.0, value: $0.1) }) {
            if let last = members.last, isSameKey(last.key, member.key) { members.removeLast() }
            members.append(member)
        }
    }

    /// An object of members in the order of the input, or the first key that is there twice.
    static func unique(_ members: [Member]) -> Result<JSONObject, DuplicateKey> {
        var object = JSONObject()
        object.members = sorted(members)
        for (left, right) in zip(object.members, object.members.dropFirst())
        where isSameKey(left.key, right.key) {
            return .failure(DuplicateKey(key: left.key))
        }
        return .success(object)
    }

    /// A key that an object has twice.
    struct DuplicateKey: Error {
        let key: String
    }

    /// Equal keys keep their order, which `sort` promises only in practice.
    private static func sorted(_ members: [Member]) -> [Member] {
        members.enumerated().sorted { left, right in
            isSameKey(left.element.key, right.element.key)
                ? left.offset < right.offset
                : left.element.key.utf16.lexicographicallyPrecedes(right.element.key.utf16)
        }.map(\.element)
    }

    /// The number of members.
    public var count: Int { members.count }

    /// The keys in canonical order.
    public var keys: [String] { members.map(\.key) }

    /// The value under `key`. Setting nil removes the member.
    public subscript(key: String) -> JSON? {
        get { members.first { isSameKey($0.key, key) }?.value }
        set {
            if let place = members.firstIndex(where: { isSameKey($0.key, key) }) {
                if let newValue { members[place].value = newValue } else { members.remove(at: place) }
            } else if let newValue {
                let place = members.firstIndex { key.utf16.lexicographicallyPrecedes($0.key.utf16) }
                members.insert(Member(key: key, value: newValue), at: place ?? members.endIndex)
            }
        }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// An object written in the source; of two members with one key the later counts.
    public init(dictionaryLiteral elements: (String, JSON)...) { self.init(elements) }
}

extension JSONObject: RandomAccessCollection {
    /// The first place.
    public var startIndex: Int { members.startIndex }
    /// The place after the last.
    public var endIndex: Int { members.endIndex }
    /// The member at `position`, counted in canonical order.
    public subscript(position: Int) -> Member { members[position] }
}

/// Byte by byte: Unicode knows several spellings of one key, JSON does not.
private func isSameKey(_ left: String, _ right: String) -> Bool {
    left.utf8.elementsEqual(right.utf8)
}
