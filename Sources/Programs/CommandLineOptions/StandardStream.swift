import Encoding
import Glibc

/// Standard output and standard error, a whole line at a time, at once: whoever reads at the other
/// end of a pipe sees each line when it is written. All text of all programs but their logs goes through here, as
/// `PrintedText` spells it.
public enum StandardStream: Int32, Sendable {
    /// What was asked for.
    case output = 1
    /// What went wrong.
    case error = 2

    /// Writes a line.
    /// - Returns: false when nobody reads any more (closed pipe) or the disk is full.
    @discardableResult
    public func write(line: String) -> Bool { put(PrintedText.line(line)) }

    /// Writes lines of which this program knows that they are several: its help, a file that is shown. A line end after the last one may be there or not.
    @discardableResult
    public func write(lines: String) -> Bool { put(PrintedText.lines(lines.hasSuffix("\n") ? String(lines.dropLast()) : lines)) }

    /// Writes a value as one line of JSON.
    @discardableResult
    public func write(_ json: JSON) -> Bool { put(PrintedText.json(json)) }

    private func put(_ text: String) -> Bool {
        let bytes = Array(text.utf8) + [0x0A]
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

    /// Says what went wrong: `program: code: sentence` after the lines that say more, or with `json` one object with `code`,
    /// `message` and, if there are any, `details`, on this stream.
    public func report(_ program: String, code: String, message: String, details: [String] = [], json: Bool) {
        if json {
            var error: JSONObject = ["code": .string(code), "message": .string(message)]
            if !details.isEmpty { error["details"] = .array(details.map(JSON.string)) }
            write(["error": .object(error)])
        } else {
            for line in details { write(line: line) }
            write(line: "\(program): \(code): \(message)")
        }
    }
}
