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

    /// A sentence for people, with the mend where there is one (T13), and the number.
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
