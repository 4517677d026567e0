import Authority
import CommandLineOptions
import Encoding
import Glibc

/// The side of those who hold keys: each does what is to be done with his key now. On a terminal one command serves them one after the other.
struct CeremonyHolders {
    private let path: String
    private let command: ParsedCommand
    private let clock: OfficeClock
    /// Somebody sits there who can be asked.
    private let asks: Bool
    /// What was done, for programs.
    private var facts: [JSON] = []

    init(_ path: String, _ command: ParsedCommand, _ clock: OfficeClock) {
        (self.path, self.command, self.clock) = (path, command, clock)
        asks = isatty(STDIN_FILENO) == 1 && !command.has("json") && !command.has("yes")
    }

    func run() throws -> CommandEnd {
        var session = self
        return try session.go()
    }

    // A person's mistake is told, and the next try is asked for; programs get the error.
    private mutating func go() throws -> CommandEnd {
        let given = command.values("key")
        var hasFailed = false
        do { try serve(given) } catch where asks && !given.isEmpty { hasFailed = report(error) }
        while asks, let step = try CarriedCeremony(at: path).next().first, let key = nextKey(step) {
            do {
                try serve([key])
                hasFailed = false
            } catch { hasFailed = report(error) }
        }
        let report = try CeremonyCommand.report(facts.isEmpty ? "Nothing was done." : "Done.", CarriedCeremony(at: path), command, [("done", .array(facts))])
        guard hasFailed else { return .done(report) }
        report.write(asJSON: command.has("json"))
        return .written(.failure)
    }

    /// - Returns: true, for it was no success.
    private func report(_ error: any Error) -> Bool {
        guard let error = error as? any ReportableError else { return true }
        StandardStream.error.report("tapstile-authority", code: error.code, message: error.message, json: false)
        return true
    }

    /// Asks for the medium of whoever is next; nil to end here.
    private func nextKey(_ step: CarriedCeremony.Step) -> String? {
        StandardStream.output.write(line: "Next: \(CeremonyCommand.line(step, path))")
        StandardStream.output.write(line: "Here and now: put the medium in and write MEDIUM/NAME.key; or nothing, and it goes on with that command later.")
        return readLine().flatMap { $0.isEmpty ? nil : $0 }
    }

    /// First all keys are made: who is first of several can sign only then.
    private mutating func serve(_ keys: [String]) throws {
        let ceremony = try CarriedCeremony(at: path)
        for key in keys {
            guard let brought = try ceremony.bringKey(at: key) else { continue }
            report("\(brought.name)'s key of \(brought.role.rawValue) is \(brought.keyIdentifier): write it down.", [
                ("key", .string(key)), ("role", .string(brought.role.rawValue)), ("keyid", .string(brought.keyIdentifier))
            ])
        }
        for key in keys { try sign(ceremony, key) }
    }

    private mutating func sign(_ ceremony: CarriedCeremony, _ key: String) throws {
        for judged in try ceremony.toSign(withKeyAt: key, roots: command.values("root")) {
            try CeremonyCommands.show(judged, command, clock)
            let signature = try ceremony.sign(judged, withKeyAt: key)
            report("\(key) has signed \(judged.draft.role.rawValue) version \(judged.draft.version).",
                 CeremonyCommands.facts(judged) + [("keyid", .string(signature.keyIdentifier))])
        }
    }

    private mutating func report(_ line: String, _ done: [(String, JSON)]) {
        facts.append(.object(JSONObject(done)))
        if !command.has("json") { StandardStream.output.write(line: line) }
    }
}
