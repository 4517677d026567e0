import AttributeServer
import Testing

@testable import VirtualPhone

/// Gates that do not keep to the Attribute Protocol: the phone never traps, never goes on for ever, and believes nothing.
@Suite struct HostileGateTests {
    private static let search = ATTProcedure.find(service: GateService.onTouch.uuid, characteristic: nil)
    private static let read = ATTProcedure.read(3)
    private static let long = ATTProcedure.write(3, value: [UInt8](repeating: 1, count: 40))

    private static func end(_ procedure: ATTProcedure, answers: [[UInt8]]) -> ATTEnd? {
        var client = ATTClient()
        var action = client.start(procedure)
        for answer in answers {
            if case .finish(let end) = action { return end }
            action = client.receive(answer)
        }
        if case .finish(let end) = action { return end } else { return nil }
    }

    /// Each is the first answer to a procedure whose honest one is another.
    static let nonsense: [(String, ATTProcedure, [UInt8])] = [
        ("an empty PDU", .exchangeMTU, []),
        ("an MTU of one byte", .exchangeMTU, [0x03, 0x17]),
        ("an MTU of three bytes", .exchangeMTU, [0x03, 0x17, 0x00, 0x00]),
        ("the answer to another request", .exchangeMTU, [0x13]),
        ("an error about another request", .exchangeMTU, [0x01, 0x0A, 0x00, 0x00, 0x06]),
        ("an error without its code", .exchangeMTU, [0x01, 0x02, 0x00, 0x00]),
        ("an error with more", .exchangeMTU, [0x01, 0x02, 0x00, 0x00, 0x06, 0x00]),
        ("no service", search, [0x07]),
        ("half a service", search, [0x07, 0x01, 0x00]),
        ("a service that ends before it begins", search, [0x07, 0x05, 0x00, 0x04, 0x00]),
        ("a service without a handle", search, [0x07, 0x00, 0x00, 0x04, 0x00]),
        ("services of all kinds", search, [0x11, 0x06, 0x01, 0x00, 0x05, 0x00, 0x00, 0x18]),
        ("a write that says more", .write(3, value: [1]), [0x13, 0x00]),
        ("a write that was not asked", read, [0x13]),
        ("a part of another value", long, [0x17, 0x03]),
        ("the end of a write that has parts", long, [0x19]),
        ("a blob before the beginning", read, [0x0D, 0x01]),
        ("more than the MTU", read, [0x0B] + [UInt8](repeating: 0, count: 23)),
        ("a response of the future", read, [0x21, 0x00])
    ]

    @Test(arguments: nonsense)
    func nonsenseEndsTheProcedureAndTheLink(what: String, procedure: ATTProcedure, answer: [UInt8]) {
        var client = ATTClient()
        _ = client.start(procedure)
        guard case .finish(.failed(.malformed(answer.first))) = client.receive(answer) else {
            Issue.record("\(what) is believed")
            return
        }
        #expect(client.start(.exchangeMTU) == .finish(.failed(.malformed(answer.first))))
    }

    /// After one service with the handles 3 to 9.
    static let characteristics: [(String, [UInt8])] = [
        ("items shorter than a declaration", [0x09, 0x02, 0x03, 0x00]),
        ("items of no length", [0x09, 0x00, 0x03, 0x00]),
        ("half an item", [0x09, 0x07, 0x03, 0x00, 0x0A, 0x04, 0x00, 0x34]),
        ("no item", [0x09, 0x07]),
        ("a UUID of four bytes", [0x09, 0x09, 0x03, 0x00, 0x0A, 0x04, 0x00, 0x34, 0x12, 0x00, 0x00]),
        ("a declaration before the service", [0x09, 0x07, 0x02, 0x00, 0x0A, 0x04, 0x00, 0x34, 0x12]),
        ("a declaration behind the service", [0x09, 0x07, 0x0A, 0x00, 0x0A, 0x0B, 0x00, 0x34, 0x12]),
        ("a value behind the service", [0x09, 0x07, 0x09, 0x00, 0x0A, 0x0A, 0x00, 0x34, 0x12]),
        ("a value before its declaration", [0x09, 0x07, 0x05, 0x00, 0x0A, 0x04, 0x00, 0x34, 0x12]),
        ("declarations that go back", [
            0x09, 0x07, 0x05, 0x00, 0x02, 0x06, 0x00, 0x34, 0x12, 0x05, 0x00, 0x02, 0x06, 0x00, 0x34, 0x12
        ])
    ]

    @Test(arguments: characteristics)
    func aListThatCannotBeIsNotBelieved(what: String, list: [UInt8]) {
        let end = Self.end(Self.search, answers: [[0x07, 0x03, 0x00, 0x09, 0x00], list])
        #expect(end == .failed(.malformed(0x09)), "\(what)")
    }

    /// The same declaration again and again would be a search without end.
    @Test func aSearchComesOnWithEveryAnswer() {
        var client = ATTClient()
        _ = client.start(Self.search)
        var action = client.receive([0x07, 0x01, 0x00, 0xFF, 0xFF])
        var asked = 0
        var handle: UInt16 = 1
        while case .send(let pdu) = action, asked < 100_000 {
            asked += 1
            #expect(Array(pdu[1...2]) == handle.littleEndianBytes)
            action = client.receive([0x09, 0x07] + handle.littleEndianBytes + [0x02] + (handle &+ 1).littleEndianBytes + [0x34, 0x12])
            handle &+= 1
        }
        // The last declaration has no place for its value.
        #expect(asked == 65_535)
        #expect(action == .finish(.failed(.malformed(0x09))))
    }

    @Test func aServiceAtTheLastHandleIsSearchedOnce() {
        #expect(Self.end(Self.search, answers: [[0x07, 0xFF, 0xFF, 0xFF, 0xFF], [0x01, 0x08, 0xFF, 0xFF, 0x0A]]) == .failed(.noCharacteristic))
        let value: [UInt8] = [0x09, 0x07, 0xFE, 0xFF, 0x02, 0xFF, 0xFF, 0x34, 0x12]
        #expect(Self.end(Self.search, answers: [[0x07, 0xFE, 0xFF, 0xFE, 0xFF], value]) == .failed(.malformed(0x09)))
    }

    @Test func aValueWithoutEndIsNotRead() {
        var client = ATTClient()
        var action = client.start(Self.read)
        var asked = 0
        var part: [UInt8] = [0x0B] + [UInt8](repeating: 1, count: 22)
        while case .send = action, asked < 1000 {
            asked += 1
            action = client.receive(part)
            part[0] = 0x0D
        }
        #expect(action == .finish(.failed(.tooLong)))
        #expect(asked == 24)
    }

    @Test func aLinkThatEndsIsSaid() {
        let gate = InProcessGate(AttributeTable([]))
        gate.onTheWay = { _, _ in nil }
        var link = GateLink(gate)
        #expect(throws: BluetoothError.linkLost(errno: 104)) { try link.perform(.read(3), until: .max) }
        #expect(throws: BluetoothError.linkLost(errno: 104)) { try gate.send([0x12]) }
    }

    @Test func aGateThatFallsSilentIsSaid() {
        let gate = InProcessGate(AttributeTable([]))
        gate.onTheWay = { _, _ in [] }
        var link = GateLink(gate)
        #expect(throws: BluetoothError.silent) { try link.perform(.exchangeMTU, until: .max) }
    }
}
