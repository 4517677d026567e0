import Glibc
import Service

// The signals are blocked before anything else, so that every thread of the process inherits it, also those in which libcurl looks up names.
SignalWatch.blockSignals()
ProcessHeap.share()
PrivateMemory.keep()
exit(NetProgram.run(arguments: Array(CommandLine.arguments.dropFirst())))
