/// Why a line on the control socket was refused or a request failed.
public struct ControlError: Error, Equatable, Sendable {
    /// Stable code that operators and programs may search for.
    public let code: String
    /// A sentence for people.
    public let message: String

    /// An error with a stable code and a sentence.
    public init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    /// Two errors are equal when their codes are.
    public static func == (left: ControlError, right: ControlError) -> Bool {
        left.code == right.code
    }

    static func malformed(_ message: String) -> ControlError {
        ControlError(code: "request-malformed", message: message)
    }

    /// The other side speaks another version.
    public static let versionUnknown = ControlError(
        code: "version-unknown", message: "This gate speaks version \(ControlVersion.current) of the control messages.")

    /// There is no such lane.
    public static func laneUnknown(_ name: String, known: [String]) -> ControlError {
        ControlError(code: "lane-unknown", message: "There is no lane \(name); there are \(known.joined(separator: ", ")).")
    }

    /// The user behind the socket may not ask for this.
    public static let notPermitted = ControlError(
        code: "not-permitted", message: "Only root and the members of the control socket's group may ask for this.")

    /// The user behind the socket is not root.
    public static let onlyRoot = ControlError(code: "not-permitted", message: "Only root may ask for this.")
}
