import Authority
import CommandLineOptions
import Credentials
import Encoding

enum ListCommand {
    private enum List: String, CaseIterable {
        case gates, issuers, tokens, enrolled, cards, revocations, memberships
    }

    static func run(_ command: ParsedCommand, _ authority: Authority) throws {
        let name = command.operand(0) ?? ""
        guard let list = List(rawValue: name) else {
            throw CommandLineError.unknownCommand("list \(name)", known: List.allCases.map { "list \($0.rawValue)" })
        }
        let lines = LineList(isJSON: command.has("json"))
        switch list {
        case .gates:
            for key in try authority.gateKeys() { lines.write(key.facts) }
        case .issuers:
            for issuer in try authority.issuers() { lines.write(issuer.facts) }
        case .tokens:
            try authority.forEachToken { lines.write($0.facts) }
        case .enrolled:
            try authority.forEachEnrolled { key, time in lines.write(key.facts + [("enrolled", text(time))]) }
        case .cards:
            try authority.forEachPlainCard { card, time in lines.write(card.facts + [("enrolled", text(time))]) }
        case .revocations:
            try authority.forEachRevocation { revocation, time in lines.write(revocation.facts + [("revoked", text(time))]) }
        case .memberships:
            try authority.forEachMembership { lines.write([("group", .string($0.group)), ("subject", .string($0.subject))]) }
        }
    }
}

/// Writes one line for each thing.
private struct LineList {
    let isJSON: Bool

    func write(_ facts: [(String, JSON)]) {
        if isJSON {
            StandardStream.output.write(.object(JSONObject(facts)))
        } else {
            let words = facts.filter { !$0.1.isNull }.map { name, value in "\(name)=\(value.string.map(PrintedText.word) ?? value.text)" }
            StandardStream.output.write(line: words.joined(separator: "  "))
        }
    }
}

extension ListedGateKey {
    fileprivate var facts: [(String, JSON)] {
        [("group", .string(group)), ("generation", .integer(Int64(generation))), ("use", .string(use.rawValue)),
         ("thumbprint", .string(Hex.encode(key.thumbprint))), ("made", text(madeAt)), ("emergency", .bool(isEmergency)),
         ("dropped", text(droppedAt)), ("credential", .string(Hex.encode(claims)))]
    }
}

extension ListedIssuer {
    fileprivate var facts: [(String, JSON)] {
        [("issuer", .string(name)), ("generation", .integer(generation)), ("thumbprint", .string(Hex.encode(key.thumbprint))), ("made", text(madeAt)),
         ("signs", .bool(isInUse)), ("dropped", text(droppedAt))]
    }
}

extension IssuedToken {
    fileprivate var facts: [(String, JSON)] {
        [("token", .string(identifier.description)), ("issuer", .string(issuer)), ("cti", .string(Hex.encode(cti))),
         ("subject", .string(subject)), ("thumbprint", .string(Hex.encode(thumbprint))), ("notBefore", text(notBefore)),
         ("expires", text(expiresAt)), ("issued", text(issuedAt))]
    }
}

extension EnrolledKey {
    fileprivate var facts: [(String, JSON)] {
        [("subject", .string(subject)), ("kid", .string(Hex.encode(keyIdentifier))),
         ("thumbprint", .string(Hex.encode(key.thumbprint))), ("use", .string(use.rawValue)),
         ("audience", .array(audiences.map(JSON.string))), ("scope", .array(scope.map(JSON.string))),
         ("userVerified", .bool(userVerification)), ("notBefore", text(notBefore)), ("expires", text(expiresAt))]
    }
}
