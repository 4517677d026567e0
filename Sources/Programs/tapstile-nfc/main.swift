import Glibc
import Service

// The signals are blocked before anything else, so that every thread of the process inherits it: no call of libnfc is interrupted.
SignalWatch.blockSignals()
ProcessHeap.share()
exit(ReaderProgram.run(arguments: Array(CommandLine.arguments.dropFirst())))
