import CSystemd
import Glibc
import Threads

/// Takes a received message apart. sd-bus has checked its form, and that texts are UTF-8; what is deeper than anything
/// that we are meant to get is refused.
struct BusReader {
    /// Containers within containers: objects, interfaces, properties, variants and their values are seven.
    static let deepest = 16

    private let message: OpaquePointer

    init(_ message: OpaquePointer) {
        self.message = message
    }

    /// Every value of the message.
    func values() throws(SystemError) -> [BusValue] {
        try check(sd_bus_message_rewind(message, 1))
        return try rest(Self.deepest)
    }

    private func rest(_ depth: Int) throws(SystemError) -> [BusValue] {
        guard depth > 0 else { throw SystemError("read a D-Bus message", EMSGSIZE) }
        var values: [BusValue] = []
        while let value = try next(depth) { values.append(value) }
        return values
    }

    private func next(_ depth: Int) throws(SystemError) -> BusValue? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard try check(sd_bus_message_peek_type(message, &type, &contents)) > 0 else { return nil }
        guard let contents else { return try basic(type) }
        // What `contents` points to ends with the next call.
        let inner = String(cString: contents)
        switch type {
        case BusType.variant: return .variant(try container(type, inner, depth).first ?? .byte(0))
        case BusType.structure: return .structure(try container(type, inner, depth))
        case BusType.array where inner == "y": return .bytes(try octets())
        case BusType.array where inner.first == "{": return try dictionary(inner, depth)
        default: return .array(of: inner, try container(type, inner, depth))
        }
    }

    private func dictionary(_ inner: String, _ depth: Int) throws(SystemError) -> BusValue {
        let types = String(inner.dropFirst().dropLast())
        var entries: [BusEntry] = []
        try check(sd_bus_message_enter_container(message, BusType.array, inner))
        while try check(sd_bus_message_enter_container(message, BusType.entry, types)) > 0 {
            let pair = try rest(depth - 1)
            if pair.count == 2 { entries.append(BusEntry(key: pair[0], value: pair[1])) }
            try check(sd_bus_message_exit_container(message))
        }
        try check(sd_bus_message_exit_container(message))
        return .dictionary(of: types, entries)
    }

    private func container(_ type: CChar, _ inner: String, _ depth: Int) throws(SystemError) -> [BusValue] {
        try check(sd_bus_message_enter_container(message, type, inner))
        let values = try rest(depth - 1)
        try check(sd_bus_message_exit_container(message))
        return values
    }

    private func octets() throws(SystemError) -> [UInt8] {
        var start: UnsafeRawPointer?
        var count = 0
        try check(sd_bus_message_read_array(message, BusType.byte, &start, &count))
        guard let start, count > 0 else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    private func basic(_ type: CChar) throws(SystemError) -> BusValue {
        switch type {
        case BusType.byte: return .byte(try number(type, 0))
        case BusType.bool: return .bool(try number(type, Int32(0)) != 0)
        case BusType.int16: return .int16(try number(type, 0))
        case BusType.uint16: return .uint16(try number(type, 0))
        case BusType.int32: return .int32(try number(type, 0))
        case BusType.uint32: return .uint32(try number(type, 0))
        case BusType.int64: return .int64(try number(type, 0))
        case BusType.uint64: return .uint64(try number(type, 0))
        case BusType.double: return .double(try number(type, 0))
        case BusType.string: return .string(try text(type))
        case BusType.path: return .path(try text(type))
        case BusType.signature: return .signature(try text(type))
        // An open file: nothing that we ask for has one. sd-bus closes it with the message.
        default: return .int32(try number(type, 0))
        }
    }

    private func number<Number: BitwiseCopyable>(_ type: CChar, _ zero: Number) throws(SystemError) -> Number {
        var number = zero
        try check(sd_bus_message_read_basic(message, type, &number))
        return number
    }

    private func text(_ type: CChar) throws(SystemError) -> String {
        var start: UnsafePointer<CChar>?
        try check(sd_bus_message_read_basic(message, type, &start))
        return start.map { String(cString: $0) } ?? ""
    }

    @discardableResult
    private func check(_ answer: Int32) throws(SystemError) -> Int32 {
        try SystemError.check(answer, "read a D-Bus message")
    }
}
