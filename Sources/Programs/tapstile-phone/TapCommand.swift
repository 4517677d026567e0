import CommandLineOptions
import PhoneProtocol
import PhoneTool
import Service
import Threads
import VirtualPhone

/// Presents the phone at the virtual reader and waits.
struct TapCommand {
    private let command: ParsedCommand
    private let identity: PhoneIdentity
    private let settings: PhoneSettings
    private let words: [String: String]
    private let misbehaviour: Misbehaviour?
    private let port: UInt16
    private let timeoutMilliseconds: Int?
    private let times: Int
    private let awayMilliseconds: Int

    private static let usualTimeout = 10000
    /// A gate takes a phone that was away for 300 ms for one that is presented anew (T9), and the virtual
    /// reader looks every 400 ms.
    private static let usualAbsence = 800

    init(_ command: ParsedCommand) throws {
        self.command = command
        try command.refuse(BluetoothTapCommand.options, besideNot: BluetoothTapCommand.option)
        identity = try PhoneIdentity(command)
        settings = try PhoneSettings(command, signs: identity.signs)
        words = try WalletChoice.terms(command)?.words(in: settings.language) ?? [:]
        misbehaviour = try command.value("misbehave").map { text throws(PhoneToolError) in try Misbehaviour(text) }
        let firstPort = try command.integer("port", in: 1...65528) ?? Int(VirtualCard.defaultPort)
        port = UInt16(firstPort + (try command.integer("slot", in: 1...8) ?? 1) - 1)
        let timeout = try command.integer("timeout", in: 0...86_400_000)
        timeoutMilliseconds = timeout ?? (command.has("hold") ? nil : Self.usualTimeout)
        if command.has("hold") { try command.refuse(["times"], beside: "hold") }
        times = try command.integer("times", in: 1...1_000_000) ?? 1
        awayMilliseconds = try command.integer("gap-ms", in: 0...86_400_000) ?? Self.usualAbsence
    }

    /// Answers with the verdict of the last conversation.
    func run() throws -> TapVerdict {
        let presented = Monitor(Presented())
        let signals = try SignalWatch { signal in
            guard signal == .stop else { return }
            presented.change { presented in
                presented.isStopped = true
                presented.card?.stop(.interrupted)
            }
        }
        defer { signals.stop() }
        var verdict = try present(presented)
        for _ in 1..<times {
            if stayAway(presented) { break }
            verdict = try present(presented)
        }
        return verdict
    }

    /// What the signals' thread has to know.
    private struct Presented: Sendable {
        var card: TapCard?
        var isStopped = false
    }

    /// Puts the phone on the reader, waits for its result and takes it away.
    private func present(_ presented: Monitor<Presented>) throws -> TapVerdict {
        let card = TapCard(PhoneCard(NFCPhone(identity: identity, settings: settings)), misbehaviour: misbehaviour)
        presented.withLock { presented in
            presented.card = card
            if presented.isStopped { card.stop(.interrupted) }
        }
        let onReader = VirtualCard(port: port, misbehaviour: misbehaviour?.card, onEvent: card.handle, handler: card.receive)
        do throws(VirtualCardError) { try onReader.insert() } catch { throw PhoneToolError.card(error) }
        defer { onReader.remove() }
        return wait(for: card)
    }

    /// The pause before the phone is presented again. True when a person stopped the program.
    private func stayAway(_ presented: Monitor<Presented>) -> Bool {
        let until = MonotonicTime.nanoseconds + Int64(awayMilliseconds) * 1_000_000
        return presented.wait(untilNanoseconds: until) { $0.isStopped ? true : nil } ?? false
    }

    private func wait(for card: TapCard) -> TapVerdict {
        let deadline = timeoutMilliseconds.map { MonotonicTime.nanoseconds + Int64($0) * 1_000_000 }
        var last: TapRecord?
        while true {
            switch card.wait(untilNanoseconds: deadline) {
            case .ended(let record):
                report(record)
                if !command.has("hold") || record.verdict == .granted { return record.verdict }
                last = record
            case .stopped, .timeout:
                if let last { return last.verdict }
                report(card.unfinished)
                return card.unfinished.verdict
            }
        }
    }

    private func report(_ record: TapRecord) {
        let report = TapReport(record, words: words)
        if command.has("json") { StandardStream.output.write(report.json) } else { for line in report.lines { StandardStream.output.write(line: line) } }
    }
}
