import Authority
import CommandLineOptions
import Credentials
import Encoding

enum ListCommand {
    private enum List: String, CaseIterable {
        case gates, issuers, people, tokens, enrolled, cards, revocations, memberships

        /// The options that choose among its lines.
        var filters: [String] {
            switch self {
            case .gates, .issuers: []
            case .people: ["subject", "without-phone"]
            case .tokens, .enrolled: ["subject", "key", "expiring"]
            case .cards: ["subject", "expiring"]
            case .revocations: ["subject", "key"]
            case .memberships: ["subject"]
            }
        }
    }

    static func run(_ command: ParsedCommand, _ authority: Authority, now: Int64) throws {
        let name = command.operand(0) ?? ""
        guard let list = List(rawValue: name) else {
            throw CommandLineError.unknownCommand("list \(name)", known: List.allCases.map { "list \($0.rawValue)" })
        }
        var lines = LineList(isJSON: command.has("json"), filter: try ListFilter(command, known: list.filters, now: now))
        switch list {
        case .gates:
            for key in try authority.gateKeys() { lines.write(key.facts) }
        case .issuers:
            for issuer in try authority.issuers() { lines.write(issuer.facts) }
        case .people:
            for person in try authority.people(now: now) where !command.has("without-phone") || person.phones == 0 {
                lines.write(person.facts, .init(subjects: [person.subject]))
            }
        case .tokens:
            let states = try authority.heldStates(now: now)
            try authority.forEachToken { lines.write($0.facts + states.state(of: $0).facts, .init(subjects: [$0.subject], thumbprint: $0.thumbprint, expires: $0.expiresAt)) }
        case .enrolled:
            let states = try authority.heldStates(now: now)
            try authority.forEachEnrolled { key, time in
                lines.write(key.facts + [("enrolled", text(time))] + states.state(of: key).facts(isHeldBack: states.isHeldBack(key)), .init(subjects: [key.subject], thumbprint: key.key.thumbprint, expires: key.expiresAt))
            }
        case .cards:
            let states = try authority.heldStates(now: now)
            try authority.forEachUIDOnlyCard { card, time in
                lines.write(card.facts + [("enrolled", text(time))] + states.state(of: card).facts(isHeldBack: states.isHeldBack(card)), .init(subjects: [card.subject], expires: card.expiresAt))
            }
        case .revocations:
            let holders = try authority.holdersOfRevoked()
            try authority.forEachRevocation { revocation, time in
                let of = holders[revocation]?.sorted() ?? []
                lines.write(revocation.facts + [("of", of.isEmpty ? .null : .array(of.map(JSON.string))), ("revoked", text(time))], revocation.line(of: of))
            }
        case .memberships:
            let states = try authority.heldStates(now: now)
            try authority.forEachMembership {
                lines.write([("group", .string($0.group)), ("subject", .string($0.subject))] + mark(states.isHeldBack($0)), .init(subjects: [$0.subject]))
            }
        }
        if lines.filter.isEmpty, let subject = command.value("subject") { try authority.refuseNobody(subject) }
        if let rest = lines.filter.rest { StandardStream.error.write(line: rest) }
    }
}

/// Gates do not have it, and it is no mistake of whoever looks.
private func mark(_ isHeldBack: Bool) -> [(String, JSON)] { isHeldBack ? [("heldBack", .bool(true))] : [] }

/// Writes one line for each thing.
private struct LineList {
    let isJSON: Bool
    var filter: ListFilter

    /// - Parameter line: what the line is about, to filter it by.
    mutating func write(_ facts: @autoclosure () -> [(String, JSON)], _ line: ListFilter.Line = .init()) {
        guard filter.wants(line) else { return }
        let facts = facts()
        if isJSON {
            StandardStream.output.write(.object(JSONObject(facts)))
        } else {
            let words = facts.filter { !$0.1.isNull }.map { name, value in "\(name)=\(value.string.map(PrintedText.word) ?? value.text)" }
            StandardStream.output.write(line: words.joined(separator: "  "))
        }
    }
}

extension Revocation {
    fileprivate func line(of holders: [String]) -> ListFilter.Line {
        switch self {
        case .subject(let subject), .suspended(let subject): .init(subjects: [subject])
        case .key(let thumbprint): .init(subjects: holders, thumbprint: thumbprint)
        case .token, .issued, .issuer: .init(subjects: holders)
        }
    }
}

extension ListedPerson {
    fileprivate var facts: [(String, JSON)] { [("subject", .string(subject)), ("phones", JSON(phones)), ("cards", JSON(cards))] + state.facts }
}

extension HeldState {
    fileprivate var facts: [(String, JSON)] { [("state", .string(rawValue))] }

    fileprivate func facts(isHeldBack: Bool) -> [(String, JSON)] { facts + mark(isHeldBack) }
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
         ("signs", .bool(isInUse)), ("elsewhere", .bool(isElsewhere)), ("off", .bool(isOff)), ("ceiling", ceiling.map { .string($0.shownMessages) } ?? .null),
         ("queue", queue.map(JSON.string) ?? .null), ("dropped", text(droppedAt))] + mark(isElsewhere && ceiling == nil)
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
