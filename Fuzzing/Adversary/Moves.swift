import Credentials
import Encoding
import PhoneProtocol

extension Run {
    private static let mostSteps = 30
    private static let mostGates = 4

    /// Plays the run: most of the time messages go where they belong, and now and then they do not.
    func play() throws {
        let noise = dice.pick([4, 10, 25, 50])
        for _ in 0...dice.below(2) { addPhone() }
        if dice.happens(50) { rememberYesterday() }
        try openGate()
        if dice.happens(50) { try openGate() }
        for _ in 0..<Self.mostSteps {
            count.steps += 1
            guard let gate = nextGate() else {
                guard gates.count < Self.mostGates, dice.happens(40) else { return }
                try openGate()
                continue
            }
            if dice.happens(noise) { try disturb(gate) } else { try forward(gate) }
        }
    }

    /// Tokens that were shown by value yesterday.
    private func rememberYesterday() {
        for (site, home) in phones.flatMap({ $0.person.homes.sorted { $0.key < $1.key } }) {
            guard let token = home.token else { continue }
            trust[site].tokens.remember(token, verifiedIn: trust[site].generation)
        }
    }

    private func nextGate() -> Int? {
        let open = gates.indices.filter { gates[$0].pending != nil && !abandoned.contains($0) }
        return open.isEmpty ? nil : dice.pick(open)
    }

    private func addPhone() {
        let person = dice.pick(town.people)
        let suites = dice.pick([[2], [3], [5], [6], [3, 2], [6, 5, 2], [0, 2]])
        phones.append(Phone(person, PhoneSettings(
            gateSigns: dice.happens(75), suites: suites, carrier: dice.happens(85) ? .nfc : .ble, time: Town.begin,
            lane: dice.happens(95) ? nil : "south", command: dice.happens(90) ? nil : "arm", partCount: dice.pick([250, 250, 100, 70]))))
        log("\(person.name) is there, \(phones[phones.count - 1].settings.carrier)")
    }

    /// Another conversation begins, mostly where the phone can be understood.
    private func openGate() throws {
        let partner = anyPartner()
        var site = dice.happens(90) ? 0 : 1
        var places = town.sites[site].places
        if case .phone(let phone) = partner, dice.happens(85) {
            site = phone.person.anyHome(&dice)?.site ?? site
            places = town.sites[site].places.filter { $0.carrier == phone.settings.carrier }
        }
        guard !places.isEmpty else { return }
        let place = dice.pick(places)
        let methods = dice.happens(80) ? EDHOCMethod.allCases : dice.pick([[.bothSign], [.bothAgree]])
        let few: [[CipherSuite]] = [[.suite2, .suite3], [.suite6, .suite3], [.suite5, .suite2], [.suite2], [.suite3], [.suite5]]
        let suites = dice.happens(65) ? CipherSuite.ofGates : dice.pick(few)
        gates.append(try Turnstile(self, site: site, lane: place.lane, carrier: place.carrier, methods: methods, suites: suites,
                                   isByValue: dice.happens(25), wantsSecondFactor: dice.happens(20)))
        partners.append(partner)
        log("gate \(gates.count - 1): \(town.sites[site].name) \(place.lane) \(place.carrier)")
    }

    private func anyPartner() -> Partner {
        switch dice.below(12) {
        case 0: .own(OwnPhone(town.eve.phone(&dice)))
        case 1: .liar(Liar(dice.pick(EDHOCMethod.allCases), instead: dice.pick(town.people)))
        default: .phone(dice.pick(phones))
        }
    }

    /// A gate's command reaches its partner and the response comes back.
    private func forward(_ index: Int) throws {
        guard let command = gates[index].pending else { return }
        log("gate \(index) is answered")
        let response = try partners[index].receive(command, in: self)
        sent.append(command)
        keep(response)
        try gates[index].receive(response, in: self)
    }

    func keep(_ response: [UInt8]) { answered.append(response) }

    private func anyResponse() -> [UInt8] {
        let pool = dice.happens(50) || answered.isEmpty ? past.responses : answered
        return pool.isEmpty ? [0x90, 0x00] : dice.pick(pool)
    }

    private func anyCommand() -> [UInt8] {
        let pool = dice.happens(50) || sent.isEmpty ? past.commands : sent
        return pool.isEmpty ? [] : dice.pick(pool)
    }

    private func disturb(_ index: Int) throws {
        guard let command = gates[index].pending else { return }
        switch dice.below(16) {
        case 0:
            let phone = dice.pick(phones)
            log("gate \(index) is answered by \(phone.person.name)")
            let response = try phone.receive(command, in: self)
            keep(response)
            try gates[index].receive(response, in: self)
        case 1:
            log("gate \(index) is given a recorded response")
            try gates[index].receive(anyResponse(), in: self)
        case 2:
            log("gate \(index)'s command is altered")
            let response = try partners[index].receive(dice.alter(command), in: self)
            keep(response)
            try gates[index].receive(response, in: self)
        case 3:
            log("the response to gate \(index) is altered")
            let response = try partners[index].receive(command, in: self)
            keep(response)
            try gates[index].receive(dice.alter(response), in: self)
        case 4:
            log("gate \(index) gets another partner")
            partners[index] = anyPartner()
        case 5:
            log("gate \(index)'s command arrives twice")
            let first = try partners[index].receive(command, in: self)
            let second = try partners[index].receive(command, in: self)
            keep(first)
            keep(second)
            try gates[index].receive(dice.happens(50) ? first : second, in: self)
        case 6, 7:
            try meetFalseGate(dice.pick(phones))
        case 8:
            log("a phone hears a recorded command")
            keep(try dice.pick(phones).receive(anyCommand(), in: self))
        case 9:
            log("gate \(index) hears nothing more")
            abandoned.insert(index)
        case 10:
            try publish(gates[index].site)
        case 11, 12:
            try rewriteMessage1(index, command)
        case 13:
            if gates.count < Self.mostGates { try openGate() }
        case 14:
            try cross(index)
        default:
            try forgeError(dice.pick(phones))
        }
    }

    /// A new publication arrives, which may take back what one of the people has, or all of it.
    private func publish(_ site: Int) throws {
        switch dice.below(10) {
        case 0..<3:
            log("\(town.sites[site].name) publishes")
            return trust[site].publish()
        case 3, 4:
            log("\(town.sites[site].name) has another issuer of the same name")
            return trust[site].replaceIssuer()
        default:
            break
        }
        let person = dice.pick(phones).person
        guard let home = person.homes[site] else { return }
        log("\(town.sites[site].name) takes something back from \(person.name)")
        trust[site].revoke(dice.pick(home.revocations))
    }

    /// Two gates' commands reach the right phones, and the responses the wrong gates.
    private func cross(_ index: Int) throws {
        let others = gates.indices.filter { $0 != index && gates[$0].pending != nil && !abandoned.contains($0) }
        guard let first = gates[index].pending, !others.isEmpty else { return }
        let other = dice.pick(others)
        guard let second = gates[other].pending else { return }
        log("gates \(index) and \(other) get each other's responses")
        let mine = try partners[index].receive(first, in: self)
        let theirs = try partners[other].receive(second, in: self)
        try gates[index].receive(theirs, in: self)
        try gates[other].receive(mine, in: self)
    }

    /// message_1 travels in clear: the adversary asks for another method or suite, or adds a critical item.
    private func rewriteMessage1(_ index: Int, _ command: [UInt8]) throws {
        let response = try partners[index].receive(command, in: self)
        keep(response)
        guard let answer = try? ResponseAPDU(parsing: response), answer.status == .success else {
            return try gates[index].receive(response, in: self)
        }
        log("message_1 to gate \(index) is rewritten")
        if let select = SelectAnswer(parsing: answer.data) {
            let changed = ResponseAPDU(data: SelectAnswer(message1: rewritten(select.message1)).encoded)
            return try gates[index].receive(changed.encoded, in: self)
        }
        try gates[index].receive(ResponseAPDU(data: rewritten(answer.data)).encoded, in: self)
    }

    private func rewritten(_ message: [UInt8]) -> [UInt8] {
        guard message.count > 40, message[0] < 4 else { return dice.alter(message) }
        switch dice.below(5) {
        case 0: return [UInt8(dice.below(4))] + message.dropFirst()
        case 1 where message[1] < 0x18: return [message[0], dice.pick([2, 3, 5, 6])] + message.dropFirst(2)
        case 2 where message[1] == 0x82: return [message[0], message[3]] + message.dropFirst(4)
        case 3: return message + [0x20 + UInt8(dice.below(20))]
        default: return message + [0x00]
        }
    }

    /// EDHOC errors are not protected.
    private func forgeError(_ phone: Phone) throws {
        let error: EDHOCErrorMessage = dice.pick([
            .unspecified("refused"), .unknownCredential, .wrongSuite([3]), .wrongSuite([2]), .wrongSuite([0, 2]), .wrongSuite([5, 6])
        ])
        log("\(phone.person.name) hears a forged error")
        let kind = dice.happens(80) ? ExchangeKind.error : .nextMessage1
        let command = CommandAPDU(cla: PhoneProtocolProfile.proprietaryClass, ins: PhoneProtocolProfile.exchangeInstruction, p1: kind.rawValue, p2: 0,
                                  data: kind == .error ? error.encoded : [], expectedLength: 256)
        keep(try phone.receive(command.encoded, in: self))
    }
}
