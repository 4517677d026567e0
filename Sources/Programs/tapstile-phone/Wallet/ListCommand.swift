import CommandLineOptions
import Encoding
import PhoneTool

/// Shows what the wallet has.
enum ListCommand {
    static func run(_ command: ParsedCommand) throws {
        let wallet = try WalletChoice(command).wallet
        let accesses = try wallet.accesses()
        if accesses.isEmpty, !command.has("json") { StandardStream.output.write(line: "\(wallet.path) has nothing.") }
        for access in accesses {
            AccessReport(access, try? access.state(), at: WalletChoice.now()).write(nil, nil, asJSON: command.has("json"))
        }
    }
}

/// Takes something out of the wallet.
enum DeleteCommand {
    static func run(_ command: ParsedCommand) throws {
        let choice = try WalletChoice(command)
        let isOne = try command.exactlyOne(of: ["site", "access"]) == "access"
        // One that waits, or is damaged, can be deleted by its name.
        let accesses = isOne ? [try choice.wallet.access(named: command.required("access"))] : try choice.accesses(at: WalletChoice.now())
        for access in accesses {
            try WalletPlace(access).remove()
            if command.has("json") {
                StandardStream.output.write(["access": .string(access.name), "result": "deleted"])
            } else {
                StandardStream.output.write(line: "Deleted \(access.name), with its key.")
            }
        }
        try choice.wallet.sweep()
    }
}
