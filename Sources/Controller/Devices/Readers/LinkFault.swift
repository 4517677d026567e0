/// What stood in the way of an exchange, in the words of whoever drives the reader. Equal when the codes are.
public struct LinkFault: Error, Hashable, Sendable {
    /// Stable, for operators to search for.
    public let code: String
    /// A sentence for people, with the remedy where there is one (T13).
    public let message: String

    public init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    /// What PC/SC said.
    public init(_ error: PCSCError) {
        self.init(code: error.code, message: error.message)
    }

    public static func == (left: LinkFault, right: LinkFault) -> Bool { left.code == right.code }

    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
