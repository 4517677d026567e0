import Encoding

extension StatusText {
    /// A reader, and what was done to bring it back.
    static func reader(_ reader: JSON) -> [String] {
        func text(_ key: String) -> String { reader[key]?.string ?? "?" }
        let type = reader["type"]?.string == "pn532" ? ", PN532" : ""
        var lines = ["reader  \(text("name")) (lane \(text("lane"))\(type)): \(text("state")): \(text("message"))"]
        let steps = recoveries.compactMap { key, words -> String? in
            guard let count = reader["recovery"]?[key]?.integer, count > 0 else { return nil }
            return "\(words) \(times(count))"
        }
        if !steps.isEmpty { lines.append("        since the start, to bring it back: \(steps.joined(separator: ", "))") }
        if let fault = reader["resetLine"] {
            lines.append("        reset line: \(fault["code"]?.string ?? "?"): \(fault["message"]?.string ?? "?")")
        }
        return lines
    }

    /// The steps from the mildest to the harshest, in the words for what was done.
    private static let recoveries = [
        ("abort", "woken up"), ("reopen", "opened anew"), ("reset-line", "reset by its line"), ("reauthorise", "USB port switched off and on"),
        ("restart", "program started anew")
    ]

    private static func times(_ count: Int64) -> String {
        switch count {
        case 1: "once"
        case 2: "twice"
        case _: "\(count) times"
        }
    }
}
