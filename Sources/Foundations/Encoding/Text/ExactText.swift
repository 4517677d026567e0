/// A text that is compared byte by byte. Swift's own strings are equal when Unicode says that they are, so
/// that one name in two spellings would be one key of a dictionary here and two for everybody else.
public struct ExactText: Hashable, Sendable {
    /// The text.
    public let text: String

    /// A text.
    public init(_ text: String) { self.text = text }

    /// Equal when the bytes of UTF-8 are.
    public static func == (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// Feeds the bytes of UTF-8.
    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension ExactText: CustomStringConvertible {
    /// The text itself.
    public var description: String { text }
}
