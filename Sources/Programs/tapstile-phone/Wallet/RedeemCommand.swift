import CommandLineOptions
import Encoding
import PhoneTool

/// Redeems the link of an invitation.
enum RedeemCommand {
    static func run(_ command: ParsedCommand) throws {
        let wallet = try WalletChoice(command).wallet
        let redemption = Redemption(wallet: wallet, way: HTTPSWay(command), now: WalletChoice.now)
        let (access, outcome) = try redeem(command, wallet, redemption)
        AccessReport(access, try access.state(), at: WalletChoice.now()).write(
            outcome.rawValue, outcome == .received ? "Redeemed." : "Was redeemed before.", asJSON: command.has("json"))
    }

    private static func redeem(_ command: ParsedCommand, _ wallet: Wallet, _ redemption: Redemption) throws -> (WalletAccess, Redemption.Outcome) {
        if let name = command.value("access") {
            try command.refuse(["key"], beside: "access")
            guard command.operand(0) == nil else { throw CommandLineError.operandNotWanted("LINK") }
            return try redemption.resume(try wallet.access(named: name))
        }
        guard let text = command.operand(0) == "-" ? readLine() : command.operand(0) else { throw CommandLineError.operandMissing("LINK") }
        let link: InvitationLink
        do throws(InvitedFault) { link = try InvitationLink(text) } catch { throw PhoneToolError.invited(error) }
        return try redemption.redeem(link, keyPath: command.value("key"))
    }
}
