import CSystemd
import Glibc

/// Writes lines to their real targets. Used by the log's own thread only.
struct LogSink: Sendable {
    /// Standard error leads into the journal (systemd sets JOURNAL_STREAM for a unit).
    let underSystemd: Bool
    /// A journal runs on this machine.
    let journalRuns: Bool

    /// Looks at the surroundings.
    static func standard() -> LogSink {
        LogSink(underSystemd: getenv("JOURNAL_STREAM") != nil,
                journalRuns: access("/run/systemd/journal/socket", W_OK) == 0)
    }

    func write(_ entry: LogEntry) {
        switch entry.target {
        case .journal where journalRuns: writeToJournal(entry)
        case .journal, .standardError: writeToStandardError(entry)
        }
    }

    private func writeToStandardError(_ entry: LogEntry) {
        let line = Array((underSystemd ? LogText.prefixed(entry) : LogText.timed(entry)).utf8)
        var offset = 0
        while offset < line.count {
            let count = line.withUnsafeBytes { Glibc.write(2, $0.baseAddress?.advanced(by: offset), $0.count - offset) }
            if count > 0 {
                offset += count
            } else if errno != EINTR {
                return // nobody reads it: a line less is all that may happen
            }
        }
    }

    private func writeToJournal(_ entry: LogEntry) {
        let fields = ["MESSAGE=\(entry.room): \(entry.text)", "PRIORITY=\(entry.level.rawValue)", "TAPSTILE_ROOM=\(entry.room)"]
        let lengths = fields.map(\.utf8.count)
        var bytes = fields.flatMap { Array($0.utf8) }
        bytes.withUnsafeMutableBytes { all in
            var vectors: [iovec] = []
            var offset = 0
            for length in lengths {
                vectors.append(iovec(iov_base: all.baseAddress?.advanced(by: offset), iov_len: length))
                offset += length
            }
            _ = sd_journal_sendv(vectors, Int32(vectors.count))
        }
    }
}
