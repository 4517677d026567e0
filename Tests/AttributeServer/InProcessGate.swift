import VirtualPhone

/// A gate's side of the Attribute Protocol in the same process, as bluetoothd plays it. What a value means is said by closures.
public final class InProcessGate: ATTLink {
    /// What a read comes to.
    public enum Reading {
        case value([UInt8])
        case refused(UInt8)
    }

    private let table: AttributeTable
    private let greatestMTU: Int
    private let onWrite: ([UInt8], _ handle: UInt16) -> UInt8?
    private let onRead: (_ handle: UInt16) -> Reading
    private var mtu = 23
    private var prepared: [(handle: UInt16, offset: Int, part: [UInt8])] = []
    private var waiting: [[UInt8]] = []
    private var responses = 0

    /// What becomes of the response with this number, from 1: PDUs in its place; nil: the link ends.
    public var onTheWay: (_ response: [UInt8], _ number: Int) -> [[UInt8]]? = { response, _ in [response] }
    /// What came, PDU by PDU.
    public private(set) var received: [[UInt8]] = []
    public private(set) var isClosed = false
    private var isLost = false

    public init(
        _ table: AttributeTable, mtu: Int = 517, onWrite: @escaping ([UInt8], UInt16) -> UInt8? = { _, _ in nil },
        onRead: @escaping (UInt16) -> Reading = { _ in .refused(0x80) }
    ) {
        self.table = table
        greatestMTU = mtu
        self.onWrite = onWrite
        self.onRead = onRead
    }

    public var opcodes: [UInt8] { received.compactMap(\.first) }

    /// Something that the gate says by itself.
    public func notify(_ pdu: [UInt8]) { waiting.append(pdu) }

    public func send(_ pdu: [UInt8]) throws(BluetoothError) {
        guard !isLost, !isClosed else { throw .linkLost(errno: 104) }
        received.append(pdu)
        guard let response = respond(to: pdu) else { return }
        responses += 1
        guard let sent = onTheWay(response, responses) else {
            isLost = true
            return
        }
        waiting += sent
    }

    public func receive(until deadline: Int64) throws(BluetoothError) -> [UInt8] {
        guard !waiting.isEmpty else { throw isLost || isClosed ? .linkLost(errno: 104) : .silent }
        return waiting.removeFirst()
    }

    public func close() { isClosed = true }

    private func respond(to pdu: [UInt8]) -> [UInt8]? {
        let opcode = pdu.first ?? 0
        let handle = number(pdu, 1) ?? 0
        guard pdu.count <= mtu else { return error(opcode, handle, 0x04) }
        if [0x0A, 0x0C, 0x12, 0x16].contains(opcode), !table.hasValue(at: handle) { return error(opcode, handle, 0x01) }
        switch opcode {
        case 0x01, 0x1E: return nil // Answers of the phone to what the gate asked.
        case 0x02:
            mtu = max(23, min(greatestMTU, Int(handle)))
            return [0x03] + bytes(UInt16(greatestMTU))
        case 0x06: return findService(pdu)
        case 0x08: return readDeclarations(pdu)
        case 0x0A: return read(opcode, handle, from: 0, as: 0x0B)
        case 0x0C: return read(opcode, handle, from: Int(number(pdu, 3) ?? 0), as: 0x0D)
        case 0x12: return onWrite(Array(pdu.dropFirst(3)), handle).map { error(0x12, handle, $0) } ?? [0x13]
        case 0x16:
            prepared.append((handle, Int(number(pdu, 3) ?? 0), Array(pdu.dropFirst(5))))
            return [0x17] + pdu.dropFirst()
        case 0x18: return execute(pdu)
        default: return error(opcode, 0, 0x06)
        }
    }

    private func error(_ opcode: UInt8, _ handle: UInt16, _ code: UInt8) -> [UInt8] { [0x01, opcode] + bytes(handle) + [code] }

    private func findService(_ pdu: [UInt8]) -> [UInt8] {
        guard let first = number(pdu, 1), let last = number(pdu, 3), number(pdu, 5) == 0x2800 else { return error(0x06, 0, 0x04) }
        let found = table.services.filter { $0.uuid == Array(pdu.dropFirst(7)) && first <= $0.first && $0.first <= last }
        return found.isEmpty ? error(0x06, first, 0x0A) : [0x07] + found.flatMap { bytes($0.first) + bytes($0.last) }
    }

    /// One length for all that one response holds.
    private func readDeclarations(_ pdu: [UInt8]) -> [UInt8] {
        guard let first = number(pdu, 1), let last = number(pdu, 3), number(pdu, 5) == 0x2803 else { return error(0x08, 0, 0x04) }
        let all = table.declarations(from: first, to: last)
        guard let length = all.first.map({ $0.value.count + 2 }) else { return error(0x08, first, 0x0A) }
        let fitting = all.prefix { $0.value.count + 2 == length }.prefix((mtu - 2) / length)
        return [0x09, UInt8(length)] + fitting.flatMap { bytes($0.handle) + $0.value }
    }

    private func read(_ opcode: UInt8, _ handle: UInt16, from offset: Int, as response: UInt8) -> [UInt8] {
        switch onRead(handle) {
        case .refused(let code): return error(opcode, handle, code)
        case .value(let value):
            guard offset <= value.count else { return error(opcode, handle, 0x07) }
            return [response] + value.dropFirst(offset).prefix(mtu - 1)
        }
    }

    /// Contiguous parts are one write; a gap, or a beginning elsewhere, is an offset that the gate refuses.
    private func execute(_ pdu: [UInt8]) -> [UInt8] {
        defer { prepared = [] }
        guard pdu.dropFirst().first == 0x01, let handle = prepared.first?.handle else { return [0x19] }
        var value: [UInt8] = []
        for part in prepared {
            guard part.offset == value.count else { return error(0x18, handle, 0x07) }
            value += part.part
        }
        return onWrite(value, handle).map { error(0x18, handle, $0) } ?? [0x19]
    }
}
