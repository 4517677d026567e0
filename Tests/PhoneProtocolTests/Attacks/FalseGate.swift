import Credentials
import Cryptography
import Encoding
import PhoneProtocol
import VirtualPhone

/// A gate that speaks good EDHOC and shows whatever a test wants.
enum FalseGate {
    /// What a phone lets out when it meets one: its last response, and whether it believes in a gate.
    struct Meeting {
        let response: [UInt8]
        let isBelieved: Bool
        let stop: PhoneStop?
    }

    static func meet(
        _ phone: consuming NFCPhone, _ own: OwnCredential, ead: [EADItem], method: EDHOCMethod = .bothSign
    ) throws -> Meeting {
        var phone = phone
        var responder = EDHOCResponder(
            methods: [method], suites: [.suite2], connectionIdentifier: [0x01], ephemeral: try EphemeralKey.generate(for: .suite2))
        let answer = try ResponseAPDU(parsing: phone.receive(FalseGateTests.select))
        _ = try responder.receiveMessage1(SelectAnswer(parsing: answer.data)?.message1 ?? [])
        let message2 = try responder.makeMessage2(own, ead: ead)
        let response = phone.receive(CommandAPDU(cla: 0x80, ins: 0xE2, data: message2, expectedLength: 256).encoded)
        let isBelieved = phone.gate != nil
        guard case .stopped(let stop) = phone.result else { return Meeting(response: response, isBelieved: isBelieved, stop: nil) }
        return Meeting(response: response, isBelieved: isBelieved, stop: stop)
    }

    /// The one status word for everything that a phone does not accept, and nothing more.
    static let declined: [UInt8] = [0x69, 0x85]

    static let context = GateContext(
        gateIdentifier: "gate-1", lane: TestSite.lane, carrier: .nfc, mode: .onTouch, time: 1_800_000_000, cacheGeneration: 7,
        wantsSecondFactor: false)
}

extension NFCPhone {
    /// The response to a command with all its parts fetched, as if they had been one.
    mutating func whole(_ command: [UInt8]) throws -> [UInt8] {
        var answer = try ResponseAPDU(parsing: receive(command))
        var data = answer.data
        while answer.status.rawValue >> 8 == 0x61 {
            answer = try ResponseAPDU(parsing: receive([0x00, 0xC0, 0x00, 0x00, 0x00]))
            data += answer.data
        }
        return ResponseAPDU(data: data, status: answer.status).encoded
    }
}
