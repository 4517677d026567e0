/// What an ATR says about whom the reader has before it (PC/SC part 3, 3.1.3.2.3).
enum CardKind: Hashable {
    /// A card without ISO-DEP: the reader makes up an ATR that tells its kind, and gives its number itself.
    case plain
    /// Anything else, phones among it: its ATR has its own historical bytes.
    case isoDEP

    /// The parts of such an ATR: initial bytes, then the RID of the PC/SC Workgroup behind tag and length, then the standard: 03 is
    /// ISO 14443 A, part 3.
    private static let beginning: [UInt8] = [0x3B, 0x8F, 0x80, 0x01, 0x80, 0x4F, 0x0C, 0xA0, 0x00, 0x00, 0x03, 0x06, 0x03]
    private static let length = 20

    init(answerToReset: [UInt8]) {
        self = answerToReset.count == Self.length && answerToReset.starts(with: Self.beginning) ? .plain : .isoDEP
    }
}
