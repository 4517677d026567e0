import CommandLineOptions
import Glibc
import PhoneTool
import Service

// The virtual phone as a program. Reads the command line, makes a key or presents the phone at the
// virtual reader, and says what came of it.

SignalWatch.blockSignals()
let arguments = Array(CommandLine.arguments.dropFirst())
let wantsJSON = arguments.contains("--json")

func fail(_ code: String, _ message: String, _ status: ExitStatus) -> Never {
    StandardStream.error.report(PhoneSyntax.program.name, code: code, message: message, json: wantsJSON)
    exit(status.rawValue)
}

do {
    switch try PhoneSyntax.program.read(arguments) {
    case .text(let text):
        StandardStream.output.write(line: text)
    case .run(let command):
        switch PhoneVerb(rawValue: command.name) {
        case .key?: try KeyCommand.run(command)
        case .tap?: exit(try TapCommand(command).run().exitStatus)
        case nil: fail("unknown-command", "There is no such command.", .usage)
        }
    }
} catch let error as CommandLineError {
    fail(error.code, error.message, .usage)
} catch let error as PhoneToolError {
    fail(error.code, error.message, .failure)
} catch {
    fail("internal-error", "\(error)", .failure)
}
