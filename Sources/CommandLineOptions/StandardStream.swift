import Encoding
import Glibc

/// Standard output and standard error, a whole line at a time, at once: whoever reads at the other
/// end of a pipe sees each line when it is written.
public enum StandardStream: Int32, Sendable {
    /// What was asked for.
    case output = 1
    /// What went wrong.
    case error = 2

    /// Writes a line.
    /// - Returns: false when nobody reads any more (closed pipe) or the disk is full.
    @discardableResult
    public func write(line: String) -> Bool {
        let bytes = Array(line.utf8) + [0x0A]
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { all in
                Glibc.write(rawValue, UnsafeRawBufferPointer(rebasing: all[done...]).baseAddress, all.count - done)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    /// Writes a value as one line of JSON.
    @discardableResult
    public func write(_ json: JSON) -> Bool { write(line: json.text) }

    /// Says what went wrong: `program: code: sentence`, or with `json` one object with `code` and
    /// `message`, on this stream.
    public func report(_ program: String, code: String, message: String, json: Bool) {
        if json {
            write(["error": ["code": .string(code), "message": .string(message)]])
        } else {
            write(line: "\(program): \(code): \(message)")
        }
    }
}
