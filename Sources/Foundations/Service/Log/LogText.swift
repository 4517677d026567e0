import Encoding

/// The forms of a log line.
enum LogText {
    /// Longer lines are cut: whatever a stranger sends must not fill the log.
    static let maximumLength = 2000

    /// One line, in which nothing can forge a second one.
    static func line(_ text: String) -> String {
        PrintedText.line(String(text.unicodeScalars.prefix(maximumLength)))
    }

    /// For standard error under systemd: the prefix of sd-daemon(3).
    static func prefixed(_ entry: LogEntry) -> String {
        "<\(entry.level.rawValue)>\(entry.room): \(entry.text)\n"
    }

    /// For a terminal: `2025-01-31T08:30:00.123Z warning readers: …`.
    static func timed(_ entry: LogEntry) -> String {
        "\(UTCText.make(milliseconds: entry.milliseconds)) \(entry.level.name) \(entry.room): \(entry.text)\n"
    }
}
