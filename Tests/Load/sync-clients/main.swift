// A crowd of gates that synchronise, for load on a web server: everything of a gate that the server can see, and nothing behind it.
//
//     sync-clients OPTION=VALUE…
//
// They synchronise once for every line of input; how that went is a line of JSON. `CrowdOptions` has the options.

import CommandLineOptions
import Glibc

do {
    try Crowd(CrowdOptions(CommandLine.arguments.dropFirst())).run()
} catch {
    StandardStream.error.write(line: "sync-clients: \(error)")
    exit(1)
}
