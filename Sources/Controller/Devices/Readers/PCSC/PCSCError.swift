/// An error code of PC/SC ("SCARD_…"). Equal when the codes are equal.
public struct PCSCError: Error, Hashable, Sendable {
    /// The number as PC/SC documents it, 0x8010xxxx.
    public let number: UInt32

    public init(number: UInt32) {
        self.number = number
    }

    /// What is to be done about it.
    public var kind: PCSCErrorKind { entry.kind }

    /// Stable, for operators to search for.
    public var code: String { entry.code }

    /// A sentence for people, with the remedy where there is one (T13), and the number.
    public var message: String { "\(entry.sentence) (PC/SC \(hexadecimal))" }

    private var entry: PCSCErrorTable.Entry {
        PCSCErrorTable.entries[number]
            ?? .init(kind: .other, code: "pcsc-\(hexadecimal)", sentence: "PC/SC reports an error that has no name here.")
    }

    private var hexadecimal: String {
        let digits = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}

extension PCSCError {
    /// The result of a call; throws unless it is SCARD_S_SUCCESS. LONG has the width of the
    /// machine, the number has 32 bits.
    static func check(_ result: Int) throws(PCSCError) {
        guard result != 0 else { return }
        throw PCSCError(number: UInt32(truncatingIfNeeded: result))
    }

    /// SCARD_E_NOT_TRANSACTED: what drivers say when the exchange with the card broke.
    static let notTransacted = PCSCError(number: 0x8010_0016)

    static func isNoReaders(_ result: Int) -> Bool { UInt32(truncatingIfNeeded: result) == 0x8010_002E }
    static func isTimeout(_ result: Int) -> Bool { UInt32(truncatingIfNeeded: result) == 0x8010_000A }
    static func isInsufficientBuffer(_ result: Int) -> Bool { UInt32(truncatingIfNeeded: result) == 0x8010_0008 }
    var isProtocolMismatch: Bool { number == 0x8010_000F }
}
