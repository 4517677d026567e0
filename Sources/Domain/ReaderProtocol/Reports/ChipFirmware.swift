/// What a chip calls its firmware: `PN532 v1.6`. Printable characters of ASCII, for it is shown and logged.
public struct ChipFirmware: Hashable, Sendable {
    public let text: String

    /// The longest.
    public static let mostBytes = 32
    private static let printable: ClosedRange<UInt8> = 0x20...0x7E

    /// What of `text` may be said.
    public init(_ text: String) {
        let said = text.utf8.filter { Self.printable.contains($0) }.prefix(Self.mostBytes)
        self.text = String(decoding: said, as: UTF8.self)
    }

    init(parsing bytes: [UInt8]) throws(ReaderFrameError) {
        guard bytes.count <= Self.mostBytes, bytes.allSatisfy({ Self.printable.contains($0) }) else { throw .body(.firmware) }
        text = String(decoding: bytes, as: UTF8.self)
    }
}
