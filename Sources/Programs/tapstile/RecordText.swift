import Encoding

/// One journal record as a line for people.
enum RecordText {
    /// `     17 2026-01-31T08:00:00.123Z outcome main entry granted subject=ada`; a value with blanks stands in quotation marks.
    static func line(_ record: JSON) -> String {
        let sequence = String(record["sequence"]?.integer ?? 0)
        var words = [String(repeating: " ", count: max(0, 7 - sequence.count)) + sequence]
        for key in ["time", "kind", "lane", "reader", "reason"] {
            if let word = record[key]?.string { words.append(word) }
        }
        if let subject = record["subject"]?.string { words.append("subject=\(PrintedText.word(subject))") }
        if let credential = record["credential"]?.string { words.append("credential=\(credential.prefix(16))") }
        if let what = record["detail"]?["what"]?.string { words.append(what) }
        words += details.compactMap { key in record["detail"]?[key].flatMap(word).map { "\(key)=\(PrintedText.word($0))" } }
        if let clock = record["clock"]?.string, clock != "synchronised" { words.append("clock=\(clock)") }
        if let machine = record["machine"]?.string { words.append("machine=\(machine)") }
        return words.joined(separator: " ")
    }

    /// What a line has of the details, in this order: what was asked for, passages, inputs, modes, checkpoints, and who asked.
    private static let details = [
        "assurance", "command", "input", "state", "finding", "mode", "source", "direction", "action", "output", "on", "until", "refused", "fault",
        "armed", "zone", "by", "from", "to", "outcome", "version", "main", "unproven", "through", "uncollected", "overwritten", "count", "user", "process"]

    private static func word(_ value: JSON) -> String? {
        value.string ?? value.integer.map { "\($0)" } ?? value.bool.map { $0 ? "yes" : "no" }
    }
}
