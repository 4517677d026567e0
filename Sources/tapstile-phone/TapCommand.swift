import CommandLineOptions
import Conversations
import PhoneTool
import Service
import Threads
import VirtualPhone

/// Presents the phone and waits.
struct TapCommand {
    private let command: ParsedCommand
    private let identity: PhoneIdentity
    private let settings: PhoneSettings
    private let misbehaviour: Misbehaviour?
    private let port: UInt16
    private let timeoutMilliseconds: Int?

    private static let usualTimeout = 10000

    init(_ command: ParsedCommand) throws {
        self.command = command
        identity = try PhoneIdentity(
            keyPath: command.required("key"), gatesPath: command.required("gates"),
            presenting: Self.files(command), allowingOtherKey: command.has("any-key"))
        settings = try PhoneSettings(command, key: identity.key)
        misbehaviour = try command.value("misbehave").map { text throws(PhoneToolError) in try Misbehaviour(text) }
        let first = try command.integer("port", in: 1...65528) ?? Int(VirtualCard.defaultPort)
        port = UInt16(first + (try command.integer("slot", in: 1...8) ?? 1) - 1)
        let timeout = try command.integer("timeout", in: 0...86_400_000)
        timeoutMilliseconds = timeout ?? (command.has("hold") ? nil : Self.usualTimeout)
    }

    private static func files(_ command: ParsedCommand) throws(CommandLineError) -> PresentedFiles {
        if command.has("ccs") || command.has("enrolled-kid") {
            try command.refuse(["by-reference"], beside: command.has("ccs") ? "ccs" : "enrolled-kid")
            let option = try command.exactlyOne(of: ["ccs", "enrolled-kid"])
            let path = try command.required(option)
            let token = command.value("token")
            return option == "ccs" ? .claims(path: path, token: token) : .keyIdentifier(path: path, token: token)
        }
        guard let path = command.value("token") else { throw .oneOptionNeeded(["token", "ccs", "enrolled-kid"]) }
        return command.has("by-reference") ? .tokenReference(path: path) : .token(path: path)
    }

    /// Answers with the verdict of the last conversation.
    func run() throws -> TapVerdict {
        let card = TapCard(OnTouchCard(OnTouchPhone(identity: identity, settings: settings)), misbehaviour: misbehaviour)
        let signals = try SignalWatch { signal in if signal == .stop { card.stop(.interrupted) } }
        defer { signals.stop() }
        let onReader = VirtualCard(port: port, misbehaviour: misbehaviour?.card, onEvent: card.take, handler: card.receive)
        do throws(VirtualCardError) { try onReader.insert() } catch { throw PhoneToolError.card(error) }
        defer { onReader.remove() }
        return wait(for: card)
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
        let report = TapReport(record)
        StandardStream.output.write(line: command.has("json") ? report.json.text : report.text)
    }
}
