import Threads

/// A part of a running gate that must not end has ended. The process ends with it, lines at their safe level, so that
/// systemd starts it again: a gate that lives and does not hear is worse.
public struct Breakdown: Error, Equatable, Sendable {
    /// Stable code.
    public let code: String
    /// A sentence for people.
    public let message: String

    /// The control socket is served no more.
    static func control(_ cause: SystemError) -> Breakdown {
        Breakdown(code: "control-loop-ended", message: "The control socket is served no more: \(cause.message)")
    }

    /// Signals are heard no more.
    public static func signals(_ cause: SystemError) -> Breakdown {
        Breakdown(code: "signal-loop-ended", message: "Signals are heard no more: \(cause.message)")
    }

    /// Two are equal when their codes are.
    public static func == (left: Breakdown, right: Breakdown) -> Bool { left.code == right.code }
}
