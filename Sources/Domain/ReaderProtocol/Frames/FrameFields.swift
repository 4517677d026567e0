import Encoding

/// Takes the fields of a body from its front.
struct FrameFields {
    private var rest: ArraySlice<UInt8>

    init(_ body: ArraySlice<UInt8>) {
        rest = body
    }

    mutating func byte() throws(FrameError) -> UInt8 {
        guard let byte = rest.popFirst() else { throw .body("it ends too early") }
        return byte
    }

    mutating func word() throws(FrameError) -> UInt16 {
        let upper = try byte()
        return try UInt16(upper) << 8 | UInt16(byte())
    }

    mutating func long() throws(FrameError) -> UInt32 {
        let upper = try word()
        return try UInt32(upper) << 16 | UInt32(word())
    }

    mutating func bytes(_ count: Int) throws(FrameError) -> [UInt8] {
        guard count <= rest.count else { throw .body("it ends too early") }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// Bytes with their number, one byte, before them.
    mutating func counted() throws(FrameError) -> [UInt8] {
        try bytes(Int(byte()))
    }

    /// One of a list of meanings.
    mutating func choice<Choice: RawRepresentable<UInt8>>(_: Choice.Type) throws(FrameError) -> Choice {
        let value = try byte()
        guard let choice = Choice(rawValue: value) else { throw .body("a field has the unknown value \(value)") }
        return choice
    }

    mutating func flag() throws(FrameError) -> Bool {
        let value = try byte()
        guard value <= 1 else { throw .body("a field has the unknown value \(value)") }
        return value == 1
    }

    /// All that is left.
    mutating func others() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }

    /// Nothing may be left.
    func end() throws(FrameError) {
        guard rest.isEmpty else { throw .body("\(rest.count) bytes follow its last field") }
    }
}
