import CommandLineOptions
import Glibc
import PhoneTool

/// Which part of the wallet a command means: `--keys`, and `--access` or `--site`.
struct WalletChoice {
    let wallet: Wallet
    private let command: ParsedCommand

    private static let options = ["site", "access"]

    init(_ command: ParsedCommand) throws {
        self.command = command
        wallet = Wallet(path: try command.value("keys") ?? Wallet.usualPath())
    }

    /// The option by which a command means something in the wallet; nil where it means none of it.
    static func option(of command: ParsedCommand) -> String? { options.first(where: command.has) }

    /// UNIX seconds.
    static func now() -> Int64 { Int64(Glibc.time(nil)) }

    /// The accesses that are meant, the best first.
    func accesses(at now: Int64) throws -> [WalletAccess] {
        switch try command.exactlyOne(of: Self.options) {
        case "site": return try wallet.accesses(ofSite: command.required("site"), at: now)
        default:
            let access = try wallet.access(named: command.required("access"))
            _ = try access.kept()
            return [access]
        }
    }

    /// What the site told the phone that is shown; nil where nothing of the wallet is.
    static func terms(_ command: ParsedCommand) throws -> AccessTerms? {
        guard option(of: command) != nil else { return nil }
        return try WalletChoice(command).accesses(at: now()).first?.kept().terms
    }
}

extension HTTPSWay {
    /// As the options say.
    init(_ command: ParsedCommand) {
        self.init(authorities: command.value("ca"), agent: "tapstile-phone/\(ProductVersion.current)")
    }
}
