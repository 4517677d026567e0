/// A data object of tag, length and value (ISO/IEC 7816-4, 5.2.2; ITU-T X.690, 8.1).
///
/// One level is read at a time: the value of a constructed object is taken apart by `children()` when
/// somebody wants to know, so no input makes the reader recurse.
public struct BERTLV: Hashable, Sendable {
    /// The bytes of the tag field as one number, such as `0x6F` or `0x7F49`: 1 to 3 bytes
    /// (ISO/IEC 7816-4, 5.2.2.1).
    public let tag: UInt32
    /// The value field as it stands.
    public let value: [UInt8]

    /// A primitive object, or a constructed one whose value is encoded already. `tag` must be the number
    /// of a valid tag field.
    public init(tag: UInt32, value: [UInt8]) {
        precondition(BERTLVReader.isTag(tag), "A BER-TLV tag field has one to three bytes of a certain form")
        self.tag = tag
        self.value = value
    }

    /// A constructed object.
    public init(tag: UInt32, children: [BERTLV]) {
        self.init(tag: tag, value: BERTLV.encode(children))
    }

    /// Whether the tag says that the value consists of data objects (bit 6 of its first byte).
    public var isConstructed: Bool {
        let shift: UInt32 = tag > 0xFFFF ? 16 : tag > 0xFF ? 8 : 0
        return tag >> shift & 0x20 != 0
    }

    /// The data objects in the value.
    /// - Throws: `notConstructed` for a primitive object, else as `parse`.
    public func children() throws(BERTLVError) -> [BERTLV] {
        guard isConstructed else { throw BERTLVError(.notConstructed, at: 0) }
        return try BERTLV.parse(value)
    }

    /// Reads data objects until the input ends. Lengths may be longer than need be; what is refused: an
    /// indefinite length, more than four length bytes, tags of more than three bytes, padding bytes
    /// between objects, and a length beyond the input.
    public static func parse(_ bytes: [UInt8]) throws(BERTLVError) -> [BERTLV] {
        var reader = BERTLVReader(bytes[...])
        var objects: [BERTLV] = []
        while let object = try reader.next() { objects.append(object) }
        return objects
    }

    /// Reads exactly one data object.
    public static func parseOne(_ bytes: [UInt8]) throws(BERTLVError) -> BERTLV {
        var reader = BERTLVReader(bytes[...])
        guard let object = try reader.next() else { throw BERTLVError(.truncated, at: 0) }
        guard reader.isAtEnd else { throw BERTLVError(.trailingBytes, at: reader.offset) }
        return object
    }

    /// Tag, shortest length, value.
    public var encoded: [UInt8] { Self.field(tag) + Self.lengthField(value.count) + value }

    /// The data objects one after the other.
    public static func encode(_ objects: [BERTLV]) -> [UInt8] {
        objects.reduce(into: []) { $0 += $1.encoded }
    }

    private static func lengthField(_ count: Int) -> [UInt8] {
        if count < 0x80 { return [UInt8(count)] }
        precondition(count <= UInt32.max, "A BER-TLV length has at most four bytes")
        let bytes = field(UInt32(count))
        return [0x80 | UInt8(bytes.count)] + bytes
    }

    /// Big-endian without leading zeros.
    private static func field(_ number: UInt32) -> [UInt8] {
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
        return Array(bytes.drop { $0 == 0 })
    }
}

extension Sequence<BERTLV> {
    /// The first object with this tag.
    public func first(tag: UInt32) -> BERTLV? { first { $0.tag == tag } }
}
