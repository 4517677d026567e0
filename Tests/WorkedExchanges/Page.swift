import Encoding

/// docs/worked-exchanges.md: the recording and all that follows from it, as Markdown.
public enum Page {
    /// Bytes in a line.
    private static let lineLength = 32

    /// The whole page.
    /// - Parameter others: the same tap in other suites.
    public static func render(_ recording: Recording, others: Recording) throws -> String {
        let site = try SiteLedger(recording)
        var text = introduction(recording)
        for chapter in site.chapters { text += section(chapter, level: "###", prefix: "") }
        for exchange in recording.exchanges + others.exchanges {
            let ledger = try ExchangeLedger(recording, exchange, site)
            guard ledger.air == exchange.air else { throw Recording.Incomplete() }
            text += heading(exchange)
            let prefix = prefix(exchange)
            for chapter in ledger.chapters { text += section(chapter, level: "###", prefix: prefix) }
        }
        return text
    }

    private static func introduction(_ recording: Recording) -> String {
        """
        # Worked exchanges

        A tap at the lane "\(recording.lane)" of the gate "\(recording.gate)" of the site "\(recording.site)", with the token by value and by
        reference, then by value in the other suites: every byte and every value in between, by
        [phone-protocol.md](phone-protocol.md) and RFC 9528.

        **All keys here are public: for tests of your phone only.** Signatures are random: put this page's in to compare further.

        A value has its name, its length and how it follows from others. `bstr X` is the byte string with the bytes X in CBOR,
        `(a, b)` a sequence, `[a, b]` an array, h'' no bytes.

        ## What all have in common

        The gate's time is \(recording.time), the generation of its site data \(recording.generation).


        """
    }

    private static func prefix(_ exchange: Recording.Exchange) -> String {
        if exchange.suite != 2 { return "Suite \(exchange.suite): " }
        return exchange.isByReference ? "By reference: " : "By value: "
    }

    private static func heading(_ exchange: Recording.Exchange) -> String {
        if exchange.suite != 2 { return "## Suite \(exchange.suite)\n\nThe token by value again, by the same gate and phone.\n\n" }
        return exchange.isByReference
            ? "## The token by reference\n\nThis gate has met the token before: SELECT, EXCHANGE, then OUTCOME.\n\n"
            : "## The token by value\n\nSELECT, EXCHANGE, GET RESPONSE for the rest of message_3, then OUTCOME.\n\n"
    }

    private static func section(_ chapter: WorkedChapter, level: String, prefix: String) -> String {
        var text = "\(level) \(prefix)\(chapter.title)\n\n\(wrapped(chapter.text))\n\n```text\n"
        text += chapter.values.map(block).joined(separator: "\n")
        return text + "```\n\n"
    }

    private static func block(_ value: WorkedValue) -> String {
        let count = value.bytes.count == 1 ? "1 byte" : "\(value.bytes.count) bytes"
        var text = "\(value.name) (\(count))" + (value.rule.isEmpty ? "" : ": \(value.rule)") + "\n"
        if let notation = notation(of: value) { text += "; \(notation)\n" }
        for start in stride(from: 0, to: value.bytes.count, by: lineLength) {
            text += Hex.encode(value.bytes[start..<min(start + lineLength, value.bytes.count)]) + "\n"
        }
        return text
    }

    /// What an item says, where that helps.
    private static func notation(of value: WorkedValue) -> String? {
        guard ["CRED_R", "token_claims", "gate_context", "phone_request", "outcome"].contains(value.name),
              let item = try? CBOR.decode(value.bytes)
        else { return nil }
        return Notation.describe(item)
    }

    /// Lines of at most 118 characters.
    private static func wrapped(_ text: String) -> String {
        var lines: [String] = [], line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + word.count > 117 {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return (lines + [line]).joined(separator: "\n")
    }
}
