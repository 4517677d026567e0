import Authority
import CommandLineOptions
import Encoding

enum GateCommand {
    static func run(_ command: ParsedCommand, _ authority: Authority, now: Int64) throws -> Report {
        let group = try authority.makeGates(name: command.required("name"), now: now)
        return Report("Made the keys of a group of gates.", [
            ("name", .string(group.name)),
            ("signingKey", .string("\(group.folder)/\(GateGroup.signingKeyName)")),
            ("agreementKey", .string("\(group.folder)/\(GateGroup.agreementKeyName)")),
            ("forPhones", .string(authority.knownGatesPath)),
            ("signingCredential", .string(Hex.encode(group.signing.claims))),
            ("agreementCredential", .string(Hex.encode(group.agreement.claims)))
        ])
    }
}
