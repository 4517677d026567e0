import Encoding

/// message_1 (RFC 9528, 5.2.1): `(METHOD, SUITES_I, G_X, C_I, ? EAD_1)`.
struct Message1 {
    let method: Int
    /// SUITES_I: the last is the selected one.
    let suites: [Int]
    let point: [UInt8]
    let connectionIdentifier: [UInt8]
    let ead: [EADItem]

    var encoded: [UInt8] {
        var message = CBOR.encodeSequence([CBOR(method), SuiteList.encode(suites), .bytes(point)])
        message.append(contentsOf: CompactIdentifier.encode(connectionIdentifier))
        message.append(contentsOf: EADItem.encode(ead))
        return message
    }

    init(method: Int, suites: [Int], point: [UInt8], connectionIdentifier: [UInt8], ead: [EADItem]) {
        self.method = method
        self.suites = suites
        self.point = point
        self.connectionIdentifier = connectionIdentifier
        self.ead = ead
    }

    /// Reads message_1. Every field is deterministic CBOR (RFC 9528, 3.1).
    init(parsing bytes: [UInt8]) throws(EDHOCError) {
        guard bytes.count <= EDHOCLimits.maximumMessage else { throw .tooLong(EDHOCLimits.maximumMessage) }
        var reader = CBORReader(bytes, rules: .deterministic)
        guard let number = try Self.next(&reader, "METHOD").integer, let method = Int(exactly: number)
        else { throw .malformed("METHOD") }
        self.method = method
        suites = try SuiteList.decode(Self.next(&reader, "SUITES_I"))
        guard let point = try Self.next(&reader, "G_X").bytes else { throw .malformed("G_X") }
        self.point = point
        guard let identifier = CompactIdentifier.decode(try Self.next(&reader, "C_I")),
              identifier.count <= EDHOCLimits.maximumConnectionIdentifier
        else { throw .malformed("C_I") }
        connectionIdentifier = identifier
        ead = try EADItem.decode(Array(bytes[reader.offset...]))
    }

    private static func next(_ reader: inout CBORReader, _ field: String) throws(EDHOCError) -> CBOR {
        guard !reader.isAtEnd, let item = try? reader.next() else { throw .malformed(field) }
        return item
    }
}

/// `suites = [ 2* int ] / int` (RFC 9528, 5.2.1): one suite is written without an array around it.
enum SuiteList {
    /// Most suites read from a message_1. The registry has fewer than twelve.
    static let maximumCount = 16

    static func encode(_ suites: [Int]) -> CBOR {
        suites.count == 1 ? CBOR(suites[0]) : .array(suites.map { CBOR($0) })
    }

    static func decode(_ item: CBOR) throws(EDHOCError) -> [Int] {
        if let number = item.integer {
            guard let suite = Int(exactly: number) else { throw .malformed("suites") }
            return [suite]
        }
        guard let items = item.array, (2...maximumCount).contains(items.count) else { throw .malformed("suites") }
        var suites: [Int] = []
        for item in items {
            guard let number = item.integer, let suite = Int(exactly: number) else { throw .malformed("suites") }
            suites.append(suite)
        }
        return suites
    }
}
