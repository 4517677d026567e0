import Glibc
import Service

// The signals are blocked before anything else, so that every thread of the process inherits it.
SignalWatch.blockSignals()
ProcessHeap.share()
PrivateMemory.keep()
// The unit of 0.1 says so until systemd has read the new one: a gate that is killed meanwhile may keep no relay energised.
exit(Daemon.run(arguments: CommandLine.arguments.dropFirst().map { $0 == "--lines-at-rest" ? "--lines-at-safe-level" : $0 }))
