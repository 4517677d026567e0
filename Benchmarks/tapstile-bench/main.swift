import Glibc
import Service

// Blocked before anything else, as in the daemon: the threads of a gate inherit it.
SignalWatch.blockSignals()
// As in the daemon too: what is measured here is its memory.
ProcessHeap.share()
exit(Program.run(arguments: Array(CommandLine.arguments.dropFirst())))
