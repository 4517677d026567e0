import BroughtFolder
import CommandLineOptions
import Configuration
import Controller
import Glibc
import Lines
import PhoneTool
import Service
import VirtualPhone

// One tap without any hardware, for a build that cannot be installed here (another processor): a whole gate
// as its configuration says, with simulated lines, and a phone in the same process.
//
//     one-tap CONFIGURATION READER FOLDER PHONE-KEY GATES TOKEN
//
// Says what the phone learned and how the relay moved. Succeeds when the gate granted and the relay is
// de-energised again; 3 when it did not grant.

SignalWatch.blockSignals()

func tap(_ arguments: [String]) throws -> Bool {
    let loaded = try ConfigurationFile.load(path: arguments[0])
    let logs = try LogOutput(LogSettings(loaded.configuration.log))
    let controller = try Controller(loaded, path: arguments[0], logs: logs)
    let relay = RelayWatch()
    controller.listen(relay.handle)
    try controller.start(withReaders: false)
    defer {
        controller.stop()
        logs.stop()
    }
    // An emulated processor takes its time.
    try BroughtFolder.bring(arguments[2], to: controller, limit: 600)
    let identity = try PhoneIdentity(keyPath: arguments[3], gatesPath: arguments[4], presenting: .token(path: arguments[5]),
                                     allowingOtherKey: true)
    let phone = PhoneInProcess(identity)
    _ = controller.present(phone, at: arguments[1])
    for line in TapReport(phone.record).lines { StandardStream.output.write(line: line) }
    guard phone.record.verdict == .granted else { return false }
    relay.waitForPulse()
    StandardStream.output.write(line: "relay: energised, then de-energised")
    return true
}

guard CommandLine.arguments.count == 7 else {
    StandardStream.error.write(line: "usage: one-tap CONFIGURATION READER FOLDER PHONE-KEY GATES TOKEN")
    exit(2)
}
do {
    exit(try tap(Array(CommandLine.arguments.dropFirst())) ? 0 : 3)
} catch {
    StandardStream.error.write(line: "one-tap: \(error)")
    exit(1)
}
