import CommandLineOptions
import Configuration
import Service

/// The benchmark from its arguments to its exit status: 0 when every bar is met, 1 when one is
/// missed or something could not be measured, 2 when the arguments are wrong.
enum Program {
    private static let syntax = ProgramSyntax(
        "tapstile-bench", "Measures a gate; one JSON object a line (docs/benchmarks.md).",
        options: [
            .value("dir", "FOLDER", "where the gate's state goes: a real disk (default $TMPDIR or /tmp)"),
            .value("cache", "FOLDER", "where the site's data are kept between runs (default .build/bench)"),
            .value("programs", "FOLDER", "where tapstiled and tapstile-bench are (default: beside this program)"),
            .value("pcscd", "SCRIPT", "starts the private pcscd (default Tests/Support/private-pcscd)"),
            .value("enrolled", "N", "enrolled keys (default 1000000; with fewer the bars mean little)"),
            .value("revocations", "N", "revocations (default 100000)"),
            .value("memberships", "N", "members of a group of which a rule speaks (default 1000000)"),
            .value("taps", "N", "taps of each kind for the decision time (default 2000)"),
            .value("endurance", "N", "taps for the memory (default 10000)"),
            .value("soak", "N", "taps with many ends, for what a gate holds after them; measures nothing else"),
            .value("warm-up", "N", "taps before those of the soak (default 120000, fewer before a short one)"),
            .value("kills", "N", "so often the program of a PN532 is killed under taps; measures nothing else"),
            .value("polling", "MINUTES", "so long a PN532 looks for phones, in a hundredth of the time; measures nothing else"),
            .flag("short", "a little of each part, to see that it works: few keys and taps, no bar is judged"),
            .value("only", "PART", isRepeatable: true, "daemon, decision, reader, endurance, import, indicators, load, ble, reader-chip, sync, office or air")
        ])

    static func run(arguments: [String]) -> Int32 {
        do {
            if arguments.first == "--gate", arguments.count == 3 {
                try GateProcess.run(configuration: arguments[1], readerName: arguments[2])
                return ExitStatus.success.rawValue
            }
            if arguments.first == "--chip-reader", arguments.count == 3, let scale = Int(arguments[2]) {
                try ReaderProcess.run(socket: arguments[1], scale: scale)
                return ExitStatus.success.rawValue
            }
            if arguments.first == "--apply", arguments.count == 3 {
                try SyncProcess.run(state: arguments[1], bundles: arguments[2])
                return ExitStatus.success.rawValue
            }
            switch try syntax.read(arguments) {
            case .text(let text):
                StandardStream.output.write(lines: text)
                return ExitStatus.success.rawValue
            case .run(let command):
                return try measure(BenchOptions(command))
            }
        } catch let error as CommandLineError {
            return fail(error.message, .usage)
        } catch let error as BenchError {
            return fail(error.message, .failure)
        } catch let error as InvalidConfiguration {
            return fail(error.issues.map(\.description).joined(separator: "\n"), .failure)
        } catch {
            return fail("\(error)", .failure)
        }
    }

    private static func measure(_ options: BenchOptions) throws -> Int32 {
        let report = Report(options.extent)
        try Suite(options: options, report: report).run()
        guard !report.missedBars.isEmpty else { return ExitStatus.success.rawValue }
        report.note("bars missed: \(report.missedBars.joined(separator: ", "))")
        return ExitStatus.failure.rawValue
    }

    private static func fail(_ message: String, _ status: ExitStatus) -> Int32 {
        StandardStream.error.write(line: "tapstile-bench: \(message)")
        return status.rawValue
    }
}
