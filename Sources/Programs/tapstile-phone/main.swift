import CommandLineOptions
import Glibc
import Service

// The virtual phone as a program. Reads the command line, makes a key, redeems an invitation or presents the phone at the
// virtual reader or over Bluetooth, and says what came of it.

SignalWatch.blockSignals()
PrivateMemory.keep()
let arguments = Array(CommandLine.arguments.dropFirst())

exit(PhoneSyntax.program.run(arguments, json: arguments.contains("--json"), unknown: "internal-error") { command in
    switch PhoneVerb(rawValue: command.name) {
    case .key?:
        try KeyCommand.run(command)
        return ExitStatus.success.rawValue
    case .tap? where command.has(BluetoothTapCommand.option):
        return try BluetoothTapCommand(command).run().exitStatus
    case .tap?:
        return try TapCommand(command).run().exitStatus
    case .scan?:
        try ScanCommand(command).run()
        return ExitStatus.success.rawValue
    case .reader?:
        try ReaderCommand(command).run()
        return ExitStatus.success.rawValue
    case .redeem?:
        Interruption.endsAtOnce()
        try RedeemCommand.run(command)
        return ExitStatus.success.rawValue
    case .renew?:
        Interruption.endsAtOnce()
        return try RenewCommand.run(command).rawValue
    case .list?:
        try ListCommand.run(command)
        return ExitStatus.success.rawValue
    case .delete?:
        try DeleteCommand.run(command)
        return ExitStatus.success.rawValue
    case nil:
        throw CommandLineError.unknownCommand(command.name, known: [])
    }
})
