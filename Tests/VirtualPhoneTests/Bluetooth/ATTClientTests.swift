import AttributeServer
import Testing

@testable import VirtualPhone

/// The phone's side of the Attribute Protocol against a gate in the same process.
@Suite struct ATTClientTests {
    private static let service = GateService.onTouch.uuid
    private static let characteristic = BluetoothUUID(0x0000_1234_0010_002A, 0x426C_7565_4944_2A00)
    private static let value = AttributeTable.Characteristic(characteristic.littleEndian)

    /// Services of every stack stand before the gate's own; the other mode's does not mean it.
    private static let table = AttributeTable([
        ([0x00, 0x18], [.init([0x00, 0x2A], properties: 0x02), .init([0x01, 0x2A], properties: 0x02)]),
        (GateService.classic.uuid.littleEndian, [.init([0x34, 0x12])]),
        (service.littleEndian, [.init([0x05, 0x2A], properties: 0x22), .init(characteristic.littleEndian, properties: 0x10), value])
    ])
    /// Service 1 has the handles 1 to 5, service 2 from 11 to 13, service 3 from 19.
    private static let handle: UInt16 = 25

    private static let future = Int64.max

    @Test func theServiceIsFoundAndInItWhatCanBeReadAndWritten() throws {
        let gate = InProcessGate(Self.table)
        var link = GateLink(gate, mtu: 23)
        #expect(try link.perform(.find(service: Self.service, characteristic: nil), until: Self.future) == .found(Self.handle))
        // The handles of the service; then declarations of 7 and of 21 bytes, one or two in a response of 23.
        #expect(gate.received.first == [0x06, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x28] + Self.service.littleEndian)
        #expect(gate.opcodes == [0x06, 0x08, 0x08, 0x08])
        #expect(link.requests == 4)
    }

    @Test func aNamedCharacteristicIsFoundWhateverItCanDo() throws {
        let gate = InProcessGate(Self.table)
        var link = GateLink(gate)
        let named = BluetoothUUID(short: 0x2A05)
        #expect(try link.perform(.find(service: Self.service, characteristic: named), until: Self.future) == .found(21))
        #expect(throws: BluetoothError.attribute(.noCharacteristic)) {
            try link.perform(.find(service: Self.service, characteristic: BluetoothUUID(short: 0x2A06)), until: Self.future)
        }
    }

    @Test func aGateWithoutTheServiceIsToldSo() throws {
        var link = GateLink(InProcessGate(AttributeTable([([0x00, 0x18], [])])))
        #expect(throws: BluetoothError.attribute(.noService)) {
            try link.perform(.find(service: Self.service, characteristic: nil), until: Self.future)
        }
    }

    @Test func theCharacteristicMayBeInTheSecondServiceOfThatName() throws {
        let table = AttributeTable([(Self.service.littleEndian, [.init([0x05, 0x2A], properties: 0x02)]), (Self.service.littleEndian, [Self.value])])
        var link = GateLink(InProcessGate(table))
        #expect(try link.perform(.find(service: Self.service, characteristic: nil), until: Self.future) == .found(11))
        #expect(link.requests == 4)
    }

    static let agreements: [(phone: Int, gate: Int, both: Int)] = [
        (517, 517, 517), (185, 517, 185), (517, 247, 247), (23, 517, 23), (517, 5, 23), (0, 517, 23), (100_000, 517, 517)
    ]

    @Test(arguments: agreements)
    func bothSidesAgreeOnTheSmallerMTU(phone: Int, gate: Int, both: Int) throws {
        var link = GateLink(InProcessGate(Self.table, mtu: gate), mtu: phone)
        #expect(try link.perform(.exchangeMTU, until: Self.future) == .agreed(mtu: both))
        #expect(link.mtu == both)
    }

    @Test func aGateThatKnowsNoExchangeTakesTheLeast() throws {
        let gate = InProcessGate(Self.table)
        gate.onTheWay = { _, _ in [[0x01, 0x02, 0x00, 0x00, 0x06]] }
        var link = GateLink(gate)
        #expect(try link.perform(.exchangeMTU, until: Self.future) == .agreed(mtu: 23))
    }

    static let lengths: [(mtu: Int, count: Int, requests: Int)] = [
        (517, 0, 1), (517, 500, 1), (517, 514, 1), (185, 182, 1), (185, 183, 3), (185, 360, 3), (185, 361, 4), (23, 20, 1),
        (23, 21, 3), (23, 500, 29)
    ]

    @Test(arguments: lengths)
    func valuesArriveWholeInAsFewRequestsAsFit(mtu: Int, count: Int, requests: Int) throws {
        let value = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        var written: [[UInt8]] = []
        let gate = InProcessGate(Self.table, onWrite: { value, handle in
            #expect(handle == Self.handle)
            written.append(value)
            return nil
        })
        var link = GateLink(gate, mtu: mtu)
        if mtu > 23 { _ = try link.perform(.exchangeMTU, until: Self.future) }
        let before = link.requests
        #expect(try link.perform(.write(Self.handle, value: value), until: Self.future) == .written)
        #expect(written == [value])
        #expect(link.requests - before == requests)
        #expect(gate.received.allSatisfy { $0.count <= mtu })
    }

    static let readings: [(mtu: Int, count: Int, requests: Int)] = [
        (517, 0, 1), (517, 500, 1), (517, 512, 1), (185, 183, 1), (185, 184, 2), (185, 185, 2), (185, 368, 3), (23, 21, 1),
        (23, 22, 2), (23, 500, 23), (23, 512, 24)
    ]

    @Test(arguments: readings)
    func valuesAreReadToTheirEnd(mtu: Int, count: Int, requests: Int) throws {
        let value = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        var link = GateLink(InProcessGate(Self.table, onRead: { _ in .value(value) }), mtu: mtu)
        if mtu > 23 { _ = try link.perform(.exchangeMTU, until: Self.future) }
        let before = link.requests
        #expect(try link.perform(.read(Self.handle), until: Self.future) == .value(value))
        #expect(link.requests - before == requests)
    }

    /// A gate may say so instead of an empty part.
    @Test(arguments: [0x07, 0x0B] as [UInt8])
    func theEndOfAValueMayBeAnError(code: UInt8) throws {
        let gate = InProcessGate(Self.table, onRead: { _ in .value([UInt8](repeating: 7, count: 22)) })
        gate.onTheWay = { response, number in number == 2 ? [[0x01, 0x0C, 0x19, 0x00, code]] : [response] }
        var link = GateLink(gate, mtu: 23)
        #expect(try link.perform(.read(Self.handle), until: Self.future) == .value([UInt8](repeating: 7, count: 22)))
    }

    @Test func aRefusalIsToldWithItsCodeAndTheLinkGoesOn() throws {
        var link = GateLink(InProcessGate(Self.table, onWrite: { _, _ in 0x0D }))
        #expect(throws: BluetoothError.attribute(.refused(request: 0x0A, .nothingReady))) { try link.perform(.read(Self.handle), until: Self.future) }
        #expect(throws: BluetoothError.attribute(.refused(request: 0x12, .invalidValueLength))) {
            try link.perform(.write(Self.handle, value: [1]), until: Self.future)
        }
    }

    @Test func anOffsetIsSentAsAsked() throws {
        let gate = InProcessGate(Self.table)
        var link = GateLink(gate)
        #expect(throws: BluetoothError.attribute(.refused(request: 0x18, .invalidOffset))) {
            try link.perform(.writePrepared(Self.handle, value: [1, 2], offset: 5), until: Self.future)
        }
        #expect(gate.received == [[0x16, 0x19, 0x00, 0x05, 0x00, 0x01, 0x02], [0x18, 0x01]])
        #expect(throws: BluetoothError.attribute(.tooLong)) {
            try link.perform(.writePrepared(Self.handle, value: [1, 2], offset: 0xFFFF), until: Self.future)
        }
    }

    /// What is in the gate's queue would be written by the next phone's request to write.
    @Test func preparedPartsAreTakenBackWhenOneIsRefused() throws {
        let gate = InProcessGate(Self.table)
        gate.onTheWay = { response, number in number == 2 ? [[0x01, 0x16, 0x19, 0x00, 0x09]] : [response] }
        var link = GateLink(gate, mtu: 23)
        #expect(throws: BluetoothError.attribute(.refused(request: 0x16, .prepareQueueFull))) {
            try link.perform(.write(Self.handle, value: [UInt8](repeating: 1, count: 60)), until: Self.future)
        }
        #expect(gate.received.last == [0x18, 0x00])
        #expect(try link.perform(.write(Self.handle, value: [2]), until: Self.future) == .written)
    }

    @Test func aFalseEchoIsNotCommitted() throws {
        var written = 0
        let gate = InProcessGate(Self.table, onWrite: { _, _ in
            written += 1
            return nil
        })
        gate.onTheWay = { response, number in number == 1 ? [response.dropLast() + [0xEE]] : [response] }
        var link = GateLink(gate, mtu: 23)
        #expect(throws: BluetoothError.attribute(.echo)) {
            try link.perform(.write(Self.handle, value: [UInt8](repeating: 1, count: 30)), until: Self.future)
        }
        #expect(gate.opcodes == [0x16, 0x18])
        #expect(written == 0)
    }

    /// Find Information, a read, a request of the future; a command, a notification and a confirmation need no answer.
    @Test func whatTheGateAsksMeanwhileIsAnswered() throws {
        let gate = InProcessGate(Self.table)
        gate.onTheWay = { response, _ in
            [[0x04, 0x01, 0x00, 0xFF, 0xFF], [0x0A, 0x03, 0x00], [0x3F], [0x02, 0x00], [0x52, 0x03, 0x00, 0x01], [0x1B, 0x03, 0x00],
             [0x1D, 0x03, 0x00, 0x09], [0x1E], [0x02, 0x64, 0x00], response]
        }
        var link = GateLink(gate, mtu: 185)
        #expect(try link.perform(.write(Self.handle, value: [1]), until: Self.future) == .written)
        #expect(Array(gate.received.dropFirst()) == [
            [0x01, 0x04, 0x00, 0x00, 0x06], [0x01, 0x0A, 0x00, 0x00, 0x06], [0x01, 0x3F, 0x00, 0x00, 0x06], [0x01, 0x02, 0x00, 0x00, 0x04],
            [0x1E], [0x03, 0xB9, 0x00]
        ])
        #expect(link.mtu == 100)
        #expect(link.requests == 1)
    }
}
