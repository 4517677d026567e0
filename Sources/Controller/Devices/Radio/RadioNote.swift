/// Something an operator may want to find in the log; nothing that anybody must act upon.
public struct RadioNote: Hashable, Sendable {
    /// Stable, for operators to search for.
    public let code: String
    public let message: String

    public init(code: String, message: String) {
        self.code = code
        self.message = message
    }
}
