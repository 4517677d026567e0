/// Why a line on the control socket was refused or a request failed.
public struct ControlError: Error, Equatable, Sendable {
    /// Stable code that operators and programs may search for.
    public let code: String
    /// A sentence for people.
    public let message: String
    /// Lines that say more, such as each mistake of a file.
    public let details: [String]

    /// An error with a stable code and a sentence.
    public init(code: String, message: String, details: [String] = []) {
        self.code = code
        self.message = message
        self.details = details
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

    /// The user behind the socket has not the role that this takes.
    public static func notPermitted(toLessThan role: ControlRole) -> ControlError {
        let who = switch role {
        case .observer: "Whoever can open a socket of the gate may ask for this."
        case .maintainer: "Only the groups tapstile and tapstile-operators, at a socket of theirs, and root may ask for this: "
            + "sudo usermod -aG tapstile NAME, and log in again."
        case .operator: "Only the group tapstile-operators, not at the observers' socket, and root may ask for this: "
            + "sudo usermod -aG tapstile-operators NAME, and log in again."
        case .root: "Only root may ask for this, not at the observers' socket."
        }
        return ControlError(code: "not-permitted", message: who)
    }
}
