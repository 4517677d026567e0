import CommandLineOptions
import Encoding
import PhoneTool

/// Gets new tokens. One that fails keeps no other from being renewed.
enum RenewCommand {
    static func run(_ command: ParsedCommand) throws -> ExitStatus {
        let choice = try WalletChoice(command)
        let accesses = try command.exactlyOne(of: ["all", "site", "access"]) == "all" ? redeemed(choice.wallet) : choice.accesses(at: WalletChoice.now())
        let redemption = Redemption(wallet: choice.wallet, way: HTTPSWay(command), now: WalletChoice.now)
        var status = ExitStatus.success
        for access in accesses {
            do throws(PhoneToolError) {
                let outcome = try redemption.renew(access, isForced: command.has("now"))
                AccessReport(access, try access.state(), at: WalletChoice.now()).write(
                    outcome.rawValue, outcome == .received ? "Renewed." : "Not due.", asJSON: command.has("json"))
            } catch {
                status = .failure
                StandardStream.error.report("tapstile-phone", code: error.code, message: "\(access.name): \(error.message)", json: command.has("json"))
            }
        }
        return status
    }

    /// What is damaged is tried, so that somebody hears of it; what waits for being redeemed is not meant.
    private static func redeemed(_ wallet: Wallet) throws -> [WalletAccess] {
        try wallet.accesses().filter { access in
            if case .pending? = try? access.state() { false } else { true }
        }
    }
}
