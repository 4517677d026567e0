import CSystemd
import Threads

/// Fills a message that is being made.
struct BusWriter {
    private let message: OpaquePointer

    init(_ message: OpaquePointer) {
        self.message = message
    }

    func write(_ values: [BusValue]) throws(SystemError) {
        for value in values { try write(value) }
    }

    private func write(_ value: BusValue) throws(SystemError) {
        switch value {
        case .byte(let number): try basic(BusType.byte, number)
        case .bool(let flag): try basic(BusType.bool, Int32(flag ? 1 : 0))
        case .int16(let number): try basic(BusType.int16, number)
        case .uint16(let number): try basic(BusType.uint16, number)
        case .int32(let number): try basic(BusType.int32, number)
        case .uint32(let number): try basic(BusType.uint32, number)
        case .int64(let number): try basic(BusType.int64, number)
        case .uint64(let number): try basic(BusType.uint64, number)
        case .double(let number): try basic(BusType.double, number)
        case .string(let text): try self.text(BusType.string, text)
        case .path(let text): try self.text(BusType.path, text)
        case .signature(let text): try self.text(BusType.signature, text)
        case .bytes(let octets): try check(sd_bus_message_append_array(message, BusType.byte, octets, octets.count))
        case .array(let element, let elements): try container(BusType.array, element, elements)
        case .dictionary(let types, let entries): try dictionary(types, entries)
        case .structure(let members): try container(BusType.structure, members.map(\.typeSignature).joined(), members)
        case .variant(let inner): try container(BusType.variant, inner.typeSignature, [inner])
        }
    }

    private func dictionary(_ types: String, _ entries: [BusEntry]) throws(SystemError) {
        try check(sd_bus_message_open_container(message, BusType.array, "{\(types)}"))
        for entry in entries { try container(BusType.entry, types, [entry.key, entry.value]) }
        try check(sd_bus_message_close_container(message))
    }

    private func container(_ type: CChar, _ contents: String, _ values: [BusValue]) throws(SystemError) {
        try check(sd_bus_message_open_container(message, type, contents))
        try write(values)
        try check(sd_bus_message_close_container(message))
    }

    private func basic<Number: BitwiseCopyable>(_ type: CChar, _ number: Number) throws(SystemError) {
        var number = number
        try check(sd_bus_message_append_basic(message, type, &number))
    }

    private func text(_ type: CChar, _ text: String) throws(SystemError) {
        try check(sd_bus_message_append_basic(message, type, text))
    }

    private func check(_ answer: Int32) throws(SystemError) {
        _ = try SystemError.check(answer, "write a D-Bus message")
    }
}

/// A key of a dictionary, and what belongs to it.
struct BusEntry: Hashable, Sendable {
    let key: BusValue
    let value: BusValue
}

/// The letters by which sd-bus names types (sd-bus-protocol.h).
enum BusType {
    static let byte = letter("y")
    static let bool = letter("b")
    static let int16 = letter("n")
    static let uint16 = letter("q")
    static let int32 = letter("i")
    static let uint32 = letter("u")
    static let int64 = letter("x")
    static let uint64 = letter("t")
    static let double = letter("d")
    static let string = letter("s")
    static let path = letter("o")
    static let signature = letter("g")
    static let array = letter("a")
    static let variant = letter("v")
    static let structure = letter("r")
    static let entry = letter("e")

    private static func letter(_ scalar: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: scalar.value) }
}
