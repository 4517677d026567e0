import Glibc
import Service

// The signals are blocked before anything else, so that every thread of the process inherits it.
SignalWatch.blockSignals()
ProcessHeap.share()
PrivateMemory.keep()
exit(Daemon.run(arguments: Array(CommandLine.arguments.dropFirst())))
