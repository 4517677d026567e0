extension CBOR: Hashable {
    /// Equal exactly when the deterministic encodings are equal.
    public static func == (left: CBOR, right: CBOR) -> Bool {
        switch (left, right) {
        case (.unsigned(let a), .unsigned(let b)): a == b
        case (.negative(let a), .negative(let b)): a == b
        case (.bytes(let a), .bytes(let b)): a == b
        case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
        case (.array(let a), .array(let b)): a == b
        case (.map(let a), .map(let b)): a == b
        case (.tagged(let tagA, let a), .tagged(let tagB, let b)): tagA == tagB && a == b
        case (.simple(let a), .simple(let b)): a == b
        case (.float(let a), .float(let b)): a.bitPattern == b.bitPattern || (a.isNaN && b.isNaN)
        case (.unsigned, _), (.negative, _), (.bytes, _), (.text, _), (.array, _), (.map, _),
            (.tagged, _), (.simple, _), (.float, _):
            false
        }
    }

    /// Feeds the major type and the contents.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .unsigned(let value):
            hasher.combine(0)
            hasher.combine(value)
        case .negative(let value):
            hasher.combine(1)
            hasher.combine(value)
        case .bytes(let value):
            hasher.combine(2)
            hasher.combine(value)
        case .text(let value):
            hasher.combine(3)
            hasher.combine(value)
        case .array(let value):
            hasher.combine(4)
            hasher.combine(value)
        case .map(let value):
            hasher.combine(5)
            hasher.combine(value)
        case .tagged(let tag, let value):
            hasher.combine(6)
            hasher.combine(tag)
            hasher.combine(value)
        case .simple(let value):
            hasher.combine(7)
            hasher.combine(value)
        case .float(let value):
            hasher.combine(8)
            hasher.combine(value.isNaN ? Double.nan.bitPattern : value.bitPattern)
        }
    }
}
