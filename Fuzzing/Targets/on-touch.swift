import Credentials
import Cryptography
import Encoding
import PhoneProtocol

/// Any responses to a gate: it asks for more or ends, and proves nobody. Before each response its
/// length, one byte; 255 means all the rest. Whatever else of the profile is read is read as written.
func fuzz(_ input: [UInt8]) {
    converse(input)
    if let answer = SelectAnswer(parsing: input) {
        precondition(SelectAnswer(parsing: answer.encoded) == answer, "an FCI is read as written")
    }
    if let context = GateContext(value: input) {
        precondition(context.item.value == input, "EAD_2 has one form")
    }
    if let request = PhoneRequest(value: input) {
        precondition(request.item.value == input, "EAD_3 has one form")
        precondition(!request.command.isEmpty, "a command has a name")
    }
    if let evidence = TapEvidence(parsing: input) {
        precondition(TapEvidence(parsing: evidence.encoded) == evidence, "evidence is read as written")
    }
    _ = PhoneOutcome(parsing: input)
}

private func converse(_ input: [UInt8]) {
    guard var gate = gate() else { preconditionFailure("the gate is good") }
    var action = gate.start()
    var rest = input[...]
    while let first = rest.popFirst() {
        let part = first == 255 ? rest : rest.prefix(Int(first))
        rest = rest.dropFirst(part.count)
        action = gate.receive(Array(part))
        switch action {
        case .send(let command), .sendFinal(let command, _):
            precondition((try? CommandAPDU(parsing: command))?.encoded == command, "a command is well formed")
            precondition(command.count <= 261, "and short")
        case .identify:
            preconditionFailure("nobody can have encrypted this message_3")
        case .finish:
            precondition(gate.receive([0x90, 0x00]) == action, "a conversation that is over stays so")
            return
        }
    }
    guard case .refused = gate.resolve([]) else { preconditionFailure("nothing is proved") }
}

private func gate() -> NFCGateConversation? {
    let raw = [UInt8](repeating: 0x2A, count: 32)
    guard let key = try? AgreementKey(rawPrivate: raw, curve: .p256),
          let other = try? AgreementKey(rawPrivate: raw, curve: .x25519),
          let signing = try? SigningKey(rawPrivate: raw, curve: .p256),
          let offer = try? GateOffer(gateIdentifier: "g", lane: "l", carrier: .nfc, methods: EDHOCMethod.allCases)
    else { return nil }
    let credential = GateKeys.Credential(keyIdentifier: [0x01], claims: [0xA0])
    return NFCGateConversation(
        offer: offer, keys: GateKeys(signing: (signing, credential), agreement: (key, credential)),
        ephemeral: EphemeralKey(known: key, alternative: other), spare: EphemeralKey(known: key, alternative: other))
}
