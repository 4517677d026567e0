import CLinux
import Files
import Glibc
import Threads

/// A connection to the daemon's control socket, for one thread.
public final class ControlClient {
    private let descriptor: FileDescriptor
    private var input: LineBuffer
    private var piece = [UInt8](repeating: 0, count: 16 * 1024)
    private var isAtEnd = false

    /// Connects.
    /// - Parameter lineBytes: the longest line taken from the daemon.
    public init(path: String, lineBytes: Int = 4 << 20) throws(ControlClientError) {
        input = LineBuffer(limit: lineBytes)
        let answer = clinux_unix_socket(Int32(CLINUX_STREAM), 1)
        guard answer >= 0 else { throw .failed(SystemError("socket", answer)) }
        descriptor = FileDescriptor(owning: answer)
        switch clinux_unix_connect(descriptor.raw, path) {
        case 0: break
        case -ENOENT, -ECONNREFUSED: throw .notRunning(path: path)
        case -EACCES, -EPERM: throw .notPermitted(path: path)
        case let other: throw .failed(SystemError("connect \(path)", other))
        }
    }

    /// Whether the daemon has hung up. What it said before that can be read still, and is the better answer.
    private static func meansGone(_ answer: Int) -> Bool { answer == -Int(EPIPE) || answer == -Int(ECONNRESET) }

    /// Sends a line; its end is added. Waits while the daemon does not take it. To a daemon that has hung up nothing is sent: `receive`
    /// has what it said, such as that all places are taken, and then the end.
    /// - Parameter file: an open file that travels with the line; it stays the caller's.
    public func send(_ line: [UInt8], file: Int32? = nil) throws(ControlClientError) {
        let bytes = line + [UInt8(ascii: "\n")]
        var offset = 0
        if let file {
            // With the first byte, so that it is there before the line is whole.
            offset = clinux_send_with_file(descriptor.raw, bytes, 1, file)
            if Self.meansGone(offset) { return }
            guard offset > 0 else { throw .failed(SystemError("send a file", Int32(offset))) }
        }
        while offset < bytes.count {
            let count = bytes[offset...].withUnsafeBytes { clinux_send(descriptor.raw, $0.baseAddress, $0.count) }
            if Self.meansGone(count) { return }
            guard count > 0 else { throw .failed(SystemError("send", Int32(count))) }
            offset += count
        }
    }

    /// The next line, nil when the daemon has closed the connection.
    /// - Parameter milliseconds: how long to wait for it; nil waits for ever.
    public func receive(withinMilliseconds milliseconds: Int64? = nil) throws(ControlClientError) -> [UInt8]? {
        let deadline = milliseconds.map { MonotonicTime.milliseconds + $0 }
        while true {
            switch input.next() {
            case .line(let line)?: return line
            case .overlong?: throw .overlong
            case nil: break
            }
            if isAtEnd { return nil }
            try wait(until: deadline)
        }
    }

    private func wait(until deadline: Int64?) throws(ControlClientError) {
        if let deadline {
            let rest = max(0, deadline - MonotonicTime.milliseconds)
            let events = clinux_poll(descriptor.raw, UInt32(CLINUX_READABLE), Int32(clamping: rest))
            guard events != 0 else {
                if rest == 0 { throw .timedOut }
                return
            }
        }
        let count = clinux_receive(descriptor.raw, &piece, piece.count)
        guard count >= 0 || count == -Int(ECONNRESET) else { throw .failed(SystemError("receive", Int32(count))) }
        isAtEnd = count <= 0
        input.append(piece[..<max(0, count)])
    }
}

/// Why a program cannot talk to the daemon.
public enum ControlClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Nobody answers there.
    case notRunning(path: String)
    /// This user may not connect.
    case notPermitted(path: String)
    case timedOut
    /// The daemon sent a line longer than allowed.
    case overlong
    case failed(SystemError)

    /// Stable code for operators.
    public var code: String {
        switch self {
        case .notRunning: "not-running"
        case .notPermitted: "not-permitted"
        case .timedOut: "no-answer"
        case .overlong: "answer-too-long"
        case .failed: "control-socket-failed"
        }
    }

    /// A sentence for people.
    public var message: String {
        switch self {
        case .notRunning(let path): "tapstiled does not run: nobody answers at \(path). Start it with systemctl start tapstiled."
        case .notPermitted(let path): "You may not use \(path): only root and the members of its group may (docs/installing.md, Who may do what)."
        case .timedOut: "tapstiled did not answer in time."
        case .overlong: "tapstiled sent a line that is too long."
        case .failed(let error): error.message
        }
    }

    public var description: String { message }
}
