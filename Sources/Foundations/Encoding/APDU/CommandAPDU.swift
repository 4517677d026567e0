/// What a reader sends: a header, perhaps data, perhaps the length of the answer it can take
/// (ISO/IEC 7816-4, 5.1).
public struct CommandAPDU: Hashable, Sendable {
    /// The class byte.
    public var cla: UInt8
    /// The instruction byte.
    public var ins: UInt8
    /// The first parameter.
    public var p1: UInt8
    /// The second parameter.
    public var p2: UInt8
    /// 0 to 65,535 bytes.
    public let data: [UInt8]
    /// The most data wanted back, 1 to 65,536; nil when none is (no Le field). 256 is sent as `00`.
    public let expectedLength: Int?

    /// The most data an extended command can carry.
    public static let maximumDataCount = 65_535
    /// The most data an extended command can ask for.
    public static let maximumExpectedLength = 65_536

    /// A command. `data` and `expectedLength` must lie within their ranges.
    public init(
        cla: UInt8, ins: UInt8, p1: UInt8 = 0, p2: UInt8 = 0, data: [UInt8] = [], expectedLength: Int? = nil
    ) {
        precondition(data.count <= Self.maximumDataCount, "A command carries at most 65,535 bytes")
        if let expectedLength {
            precondition((1...Self.maximumExpectedLength).contains(expectedLength), "Le is 1 to 65,536")
        }
        self.cla = cla
        self.ins = ins
        self.p1 = p1
        self.p2 = p2
        self.data = data
        self.expectedLength = expectedLength
    }

    /// The bytes on the air, in short form where that is possible, else extended.
    public var encoded: [UInt8] {
        let header = [cla, ins, p1, p2]
        if data.count <= 255 && (expectedLength ?? 0) <= 256 {
            let lc = data.isEmpty ? [] : [UInt8(data.count)]
            let le = expectedLength.map { [UInt8(truncatingIfNeeded: $0)] } ?? []
            return header + lc + data + le
        }
        let lc = data.isEmpty ? [] : Self.twoBytes(data.count)
        let le = expectedLength.map(Self.twoBytes) ?? []
        return header + [0] + lc + data + le
    }

    /// 65,536 becomes `00 00`.
    private static func twoBytes(_ count: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
    }
}

extension CommandAPDU {
    /// Takes a command of any of the seven forms apart (ISO/IEC 7816-4, 5.1, cases 1, 2S to 4S, 2E to 4E).
    /// - Throws: `tooShort` without a whole header, `wrongLength` when Lc and the bytes there do not agree.
    public init(parsing bytes: [UInt8]) throws(APDUError) {
        guard bytes.count >= 4 else { throw .tooShort(count: bytes.count) }
        let body = bytes[4...]
        let fields = try Self.fields(body)
        self.init(
            cla: bytes[0], ins: bytes[1], p1: bytes[2], p2: bytes[3],
            data: Array(fields.data), expectedLength: fields.expectedLength)
    }

    private typealias Fields = (data: ArraySlice<UInt8>, expectedLength: Int?)

    private static func fields(_ body: ArraySlice<UInt8>) throws(APDUError) -> Fields {
        guard let first = body.first else { return ([], nil) }
        if body.count == 1 { return ([], first == 0 ? 256 : Int(first)) }
        if first != 0 { return try shortFields(body.dropFirst(), dataCount: Int(first)) }
        guard body.count >= 3 else { throw .wrongLength }
        let second = Int(body[body.startIndex + 1]) << 8 | Int(body[body.startIndex + 2])
        if body.count == 3 { return ([], second == 0 ? maximumExpectedLength : second) }
        return try extendedFields(body.dropFirst(3), dataCount: second)
    }

    private static func shortFields(
        _ rest: ArraySlice<UInt8>, dataCount: Int
    ) throws(APDUError) -> Fields {
        let data = rest.prefix(dataCount)
        switch rest.count - dataCount {
        case 0: return (data, nil)
        case 1: return (data, rest.last.map { $0 == 0 ? 256 : Int($0) })
        default: throw .wrongLength
        }
    }

    private static func extendedFields(
        _ rest: ArraySlice<UInt8>, dataCount: Int
    ) throws(APDUError) -> Fields {
        guard dataCount > 0 else { throw .wrongLength }
        let data = rest.prefix(dataCount)
        let tail = rest.dropFirst(dataCount)
        switch rest.count - dataCount {
        case 0:
            return (data, nil)
        case 2:
            let length = tail.reduce(0) { $0 << 8 | Int($1) }
            return (data, length == 0 ? maximumExpectedLength : length)
        default:
            throw .wrongLength
        }
    }
}
