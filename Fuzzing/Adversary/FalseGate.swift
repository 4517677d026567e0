import Credentials
import Encoding
import PhoneProtocol

extension Run {
    /// The adversary as a gate: it speaks good EDHOC with keys that no gate has.
    func meetFalseGate(_ phone: Phone) throws {
        log("a false gate meets \(phone.person.name)")
        let select = CommandAPDU(cla: 0x00, ins: PhoneProtocolProfile.selectInstruction, p1: PhoneProtocolProfile.selectByName, p2: 0,
                                 data: PhoneProtocolProfile.applicationIdentifier, expectedLength: 256)
        if phone.message1.isEmpty || dice.happens(40) { keep(try phone.receive(select.encoded, in: self)) }
        guard let message2 = falseMessage2(to: phone) else { return }
        let command = CommandAPDU(cla: PhoneProtocolProfile.proprietaryClass, ins: PhoneProtocolProfile.exchangeInstruction, data: message2,
                                  expectedLength: 256)
        keep(try phone.receive(command.encoded, in: self))
    }

    private func falseMessage2(to phone: Phone) -> [UInt8]? {
        guard let key = try? EphemeralKey.generateOnBothCurves() else { return nil }
        var responder = EDHOCResponder(methods: EDHOCMethod.allCases, suites: CipherSuite.ofGates, connectionIdentifier: [0x01], ephemeral: key)
        guard let opening = try? responder.receiveMessage1(phone.message1) else { return nil }
        let own = town.eve.falseGate(&dice, for: phone.person, signs: opening.method.responderUsesSignature)
        return try? responder.makeMessage2(own, ead: falseContext(for: phone))
    }

    private func falseContext(for phone: Phone) -> [EADItem] {
        var context = GateContext(
            gateIdentifier: "gate-1", lane: "north", carrier: phone.settings.carrier, mode: .onTouch, time: Town.begin,
            cacheGeneration: 1, wantsSecondFactor: false)
        if let gate = gates.last, dice.happens(50) { context = gate.context }
        switch dice.below(8) {
        case 0: return []
        case 1: return [context.item, EADItem(label: 4711, isCritical: true, value: nil)]
        default: return [context.item]
        }
    }
}
