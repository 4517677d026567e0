import Encoding

/// Warnings, of which only so many are told.
struct ShownSome {
    private static let most = 1_000

    private var first: [String] = []
    private var count = 0

    init() {}

    /// - Parameter count: how many there are in all, where these are the first ones.
    init(_ texts: [String], of count: Int? = nil) {
        first = Array(texts.prefix(Self.most))
        self.count = count ?? texts.count
    }

    mutating func add(_ text: String) {
        count += 1
        if first.count < Self.most { first.append(text) }
    }

    /// Null where there are none.
    var json: JSON {
        if count == 0 { return .null }
        return .array((first + (count > first.count ? ["And \(count - first.count) more."] : [])).map(JSON.string))
    }
}
