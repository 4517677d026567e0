/// Why a gate cannot start, or cannot take over another configuration.
public struct StartError: Error, Equatable, Sendable {
    /// Stable code.
    public let code: String
    /// A sentence for people that names the remedy.
    public let message: String

    /// An error with a stable code and a sentence.
    public init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    /// Two errors are equal when their codes are.
    public static func == (left: StartError, right: StartError) -> Bool {
        left.code == right.code
    }
}
