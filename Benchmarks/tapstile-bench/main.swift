import Glibc
import Service

// Blocked before anything else, as in the daemon: the threads of a gate inherit it.
SignalWatch.blockSignals()
exit(Program.run(arguments: Array(CommandLine.arguments.dropFirst())))
