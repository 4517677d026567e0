import CommandLineOptions
import PhoneTool
import VirtualPhone

extension PhoneIdentity {
    /// The identity that the options of `tap` give.
    init(_ command: ParsedCommand) throws {
        let first: [MembershipFiles]
        if let option = WalletChoice.option(of: command) {
            try command.refuse(["key", "gates", "token", "ccs", "enrolled-kid"], beside: option)
            first = try WalletChoice(command).accesses(at: WalletChoice.now()).map { $0.membershipFiles(byReference: command.has("by-reference")) }
        } else {
            try command.refuse(["keys"], besideNot: "site")
            first = [try MembershipFiles(
                keyPath: command.required("key"), gatesPath: command.required("gates"), presenting: Self.files(command))]
        }
        try self.init(first + Self.also(command), allowingOtherKey: command.has("any-key"))
    }

    private static func also(_ command: ParsedCommand) throws(CommandLineError) -> [MembershipFiles] {
        var memberships: [MembershipFiles] = []
        for text in command.values("also") {
            guard let files = MembershipFiles(text) else {
                throw .badValue(option: "also", value: text, wanted: "a list such as \(MembershipFiles.form)")
            }
            memberships.append(files)
        }
        return memberships
    }

    private static func files(_ command: ParsedCommand) throws(CommandLineError) -> PresentedFiles {
        if command.has("ccs") || command.has("enrolled-kid") {
            try command.refuse(["by-reference"], beside: command.has("ccs") ? "ccs" : "enrolled-kid")
            let option = try command.exactlyOne(of: ["ccs", "enrolled-kid"])
            let path = try command.required(option)
            let token = command.value("token")
            return option == "ccs" ? .claims(path: path, token: token) : .keyIdentifier(path: path, token: token)
        }
        guard let path = command.value("token") else { throw .oneOptionNeeded(["token", "ccs", "enrolled-kid"]) }
        return command.has("by-reference") ? .tokenReference(path: path) : .token(path: path)
    }
}
