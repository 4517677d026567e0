import CLinux

/// A call to the operating system that failed, and the words for its errno.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was attempted, with its object: `open /etc/tapstile/tapstile.toml`.
    public let attempt: String
    /// The errno (positive).
    public let number: Int32

    /// - Parameter number: the errno, positive or negative.
    public init(_ attempt: String, _ number: Int32) {
        self.attempt = attempt
        self.number = number.magnitude > UInt32(Int32.max) ? Int32.max : Int32(number.magnitude)
    }

    /// In the place of an errno: where a file is wanted is a pipe, a device or a socket. Linux has no number for it; its own end at 4095.
    public static let notAFile: Int32 = 4096

    /// Stable code for operators.
    public var code: String {
        number == Self.notAFile ? "not-a-file" : "system-call-failed"
    }
    /// A sentence for people.
    public var message: String { "\(attempt): \(Self.words(for: number))." }
    public var description: String { message }

    /// The C library's English words for an errno, and ours for `notAFile`.
    public static func words(for number: Int32) -> String {
        number == notAFile ? "No file, but a pipe, a device or a socket" : String(cString: clinux_error_text(number))
    }

    /// Passes a non-negative answer on and turns a negative errno into an error.
    public static func check(_ answer: Int32, _ attempt: @autoclosure () -> String) throws(SystemError) -> Int32 {
        guard answer < 0 else { return answer }
        throw SystemError(attempt(), answer)
    }
}
