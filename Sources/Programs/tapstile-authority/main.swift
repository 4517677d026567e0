import CommandLineOptions
import Glibc
import Service

// The back office of a site. Reads the command line, opens the authority in its folder, does one
// thing and says what it did.

let arguments = Array(CommandLine.arguments.dropFirst())
// What is published is everybody's, whatever mask the operator's shell has; what is not has a mode of its own.
umask(0o022)
PrivateMemory.keep()

let wantsJSON = arguments.contains("--json")

exit(AuthoritySyntax.program.run(arguments, json: wantsJSON, unknown: "internal-error") { command in
    switch try AuthorityCommand.run(command) {
    case .done(let report):
        report.write(asJSON: wantsJSON)
        return ExitStatus.success.rawValue
    case .warned(let report):
        report.write(asJSON: wantsJSON)
        return ExitStatus.warning.rawValue
    case .written(let status):
        return status.rawValue
    }
})
