@testable import Service
import Testing
import Threads
import Waits

@Suite("The log (O6)")
struct LogTests {
    /// Keeps what is written, and can be held up.
    final class Paper: Sendable {
        let entries = Mutex<[LogEntry]>([])
        let gate = Monitor(true)
        let waiting = Monitor(0)

        func write(_ entry: LogEntry) {
            waiting.change { $0 += 1 }
            gate.hold("the paper") { !$0 }
            entries.withLock { $0.append(entry) }
        }

        var texts: [String] { entries.withLock { $0.map(\.text) } }
    }

    func output(_ paper: Paper, _ settings: LogSettings = LogSettings()) throws -> LogOutput {
        try LogOutput(settings) { paper.write($0) }
    }

    @Test("Each room has its level and its target, also after a reload")
    func rooms() throws {
        let paper = Paper()
        let output = try output(paper, LogSettings(standard: .init(level: .warning, target: .standardError), rooms: [
            "readers": .init(level: .debug, target: .journal), "gate": .init(level: .off, target: .journal)
        ]))
        let (readers, gate, clock) = (output.log("readers"), output.log("gate"), output.log("clock"))
        readers.debug("seen")
        gate.error("not seen")
        clock.info("not seen")
        clock.warning("seen too")
        output.apply(LogSettings(standard: .init(level: .error, target: .journal)))
        readers.warning("not seen")
        clock.error("seen three")
        output.stop()
        #expect(paper.texts == ["seen", "seen too", "seen three"])
        #expect(paper.entries.withLock { $0.map(\.target) } == [.journal, .standardError, .journal])
        #expect(paper.entries.withLock { $0.map(\.level) } == [.debug, .warning, .error])
    }

    @Test("No stop waits for a journald that takes nothing")
    func heldUp() throws {
        let paper = Paper()
        let output = try output(paper)
        paper.gate.change { $0 = false }
        output.log("gate").error("stuck")
        try paper.waiting.wait(for: "the line on its way") { $0 > 0 ? () : nil }
        output.stop(withinMilliseconds: 1)
        #expect(paper.texts == [])
        paper.gate.change { $0 = true }
        output.flush()
        #expect(paper.texts == ["stuck"])
    }

    @Test("What is not written is not even put into words")
    func lazy() throws {
        let output = try output(Paper())
        let asked = Mutex(0)
        func word() -> String {
            asked.withLock { $0 += 1 }
            return "word"
        }
        output.log("gate").debug(word())
        #expect(asked.withLock { $0 } == 0)
        output.log("gate").info(word())
        #expect(asked.withLock { $0 } == 1)
        output.stop()
    }

    @Test("A target that hangs holds nobody up; what was dropped is counted")
    func hanging() throws {
        let paper = Paper()
        let output = try output(paper)
        let log = output.log("gate")
        paper.gate.change { $0 = false }
        log.info("first")
        try paper.waiting.wait(for: "the first line") { $0 == 1 ? () : nil }
        for number in 0..<(LogOutput.queueLimit + 7) { log.info("line \(number)") }
        paper.gate.change { $0 = true }
        output.stop()
        let texts = paper.texts
        #expect(texts.count == 1 + LogOutput.queueLimit + 1)
        #expect(texts.last == "7 log lines were dropped because they came faster than they could be written.")
        #expect(texts[LogOutput.queueLimit] == "line \(LogOutput.queueLimit - 1)")
    }

    @Test("flush waits until all is written")
    func flush() throws {
        let paper = Paper()
        let output = try output(paper)
        for number in 0..<100 { output.log("gate").info("\(number)") }
        output.flush()
        #expect(paper.texts == (0..<100).map(String.init))
        output.stop()
        output.log("gate").info("too late")
        #expect(paper.texts.count == 100)
    }

    @Test("Nothing that is said can forge a second line, and no line is endless")
    func forging() {
        #expect(LogText.line("a\nb\u{1B}[31m\u{7F}\u{202E}é") == "a\\u{a}b\\u{1b}[31m\\u{7f}\\u{202e}é")
        #expect(LogText.line(String(repeating: "x", count: 5000)).count == LogText.maximumLength)
    }

    @Test("The two forms on standard error")
    func forms() {
        let entry = LogEntry(room: "gate", level: .warning, target: .standardError, milliseconds: 0, text: "closed")
        #expect(LogText.prefixed(entry) == "<4>gate: closed\n")
        #expect(LogText.timed(entry) == "1970-01-01T00:00:00.000Z warning gate: closed\n")
    }

    @Test("Levels have names and an order")
    func levels() {
        #expect(LogLevel.allCases.map(\.name) == ["off", "error", "warning", "notice", "info", "debug"])
        #expect(LogLevel.allCases.allSatisfy { LogLevel(name: $0.name) == $0 })
        #expect(LogLevel(name: "loud") == nil)
        #expect(LogLevel.error < .debug)
    }

    @Test("A redacted value shows itself in no way")
    func redacted() {
        struct Holder { let secret: Redacted<String> }
        let secret = Redacted("key material")
        for text in ["\(secret)", String(describing: secret), String(reflecting: secret), "\(Holder(secret: secret))"] {
            #expect(!text.contains("key material"))
        }
        var dumped = ""
        dump(secret, to: &dumped)
        #expect(!dumped.contains("key material"))
        #expect(secret.value == "key material")
    }

    @Test("A short identifier is a beginning, never the whole", arguments: [
        ([], "…"), ([0xAB], "…"), ([0xAB, 0xCD], "ab…"), ([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], "01020304…")
    ] as [([UInt8], String)])
    func shortBytes(bytes: [UInt8], text: String) {
        #expect(ShortIdentifier(bytes).description == text)
    }

    @Test("The same for texts", arguments: [("", "…"), ("a", "…"), ("anna", "an…"), ("anna.berg@example", "anna…")])
    func shortTexts(identifier: String, text: String) {
        #expect(ShortIdentifier(identifier).description == text)
    }
}
