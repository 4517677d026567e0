import Authority
import CommandLineOptions
import Glibc

// The back office of a site. Reads the command line, opens the authority in its folder, does one
// thing and says what it did.

let arguments = Array(CommandLine.arguments.dropFirst())
let wantsJSON = arguments.contains("--json")

func fail(_ code: String, _ message: String, _ status: ExitStatus) -> Never {
    StandardStream.error.report(AuthoritySyntax.program.name, code: code, message: message, json: wantsJSON)
    exit(status.rawValue)
}

do {
    switch try AuthoritySyntax.program.read(arguments) {
    case .text(let text):
        StandardStream.output.write(line: text)
    case .run(let command):
        if let report = try AuthorityCommand.run(command) {
            StandardStream.output.write(line: wantsJSON ? report.json.text : report.text)
        }
    }
} catch let error as CommandLineError {
    fail(error.code, error.message, .usage)
} catch let error as AuthorityError {
    fail(error.code, error.message, .failure)
} catch {
    fail("internal-error", "\(error)", .failure)
}
