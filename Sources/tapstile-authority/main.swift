import CommandLineOptions
import Glibc

// The back office of a site. Reads the command line, opens the authority in its folder, does one
// thing and says what it did.

let arguments = Array(CommandLine.arguments.dropFirst())
let wantsJSON = arguments.contains("--json")

exit(AuthoritySyntax.program.run(arguments, json: wantsJSON, unknown: "internal-error") { command in
    switch try AuthorityCommand.run(command) {
    case .done(let report):
        if wantsJSON { StandardStream.output.write(report.json) } else { for line in report.lines { StandardStream.output.write(line: line) } }
        return ExitStatus.success.rawValue
    case .warned(let report):
        StandardStream.output.write(line: wantsJSON ? report.json.text : report.text)
        return ExitStatus.warning.rawValue
    case .written(let status):
        return status.rawValue
    }
})
