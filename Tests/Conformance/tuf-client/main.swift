// The gate's client of a TUF repository, alone: what TUF's conformance suite and Tests/Scenarios/test_71* run.

import CommandLineOptions
import Glibc

private let arguments = Array(CommandLine.arguments.dropFirst())
// Errors are reported in the form that was asked for, also when the arguments are wrong.
exit(Client.syntax.run(arguments, json: arguments.contains("--json"), unknown: "failed") { try Client($0).run().rawValue })
