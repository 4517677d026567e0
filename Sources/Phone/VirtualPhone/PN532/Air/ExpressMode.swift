/// A phone that answers nobody until a reader's frame of Enhanced Contactless Polling has named what it stands for.
public struct ExpressMode: Hashable, Sendable {
    /// The terminal capabilities identifier that the phone waits for, three bytes.
    public let identifier: [UInt8]
    /// So many of these frames must come, each in the grace time of the one before.
    public let frames: Int

    /// What an iPhone remembers of a field that went off, with access keys (measured by others: 300 ms).
    static let graceNanoseconds: Int64 = 300_000_000
    /// The header of such a frame.
    static let header: UInt8 = 0x6A
    private static let identifierOffset = [0x01: 2, 0x02: 5]

    public init(identifier: [UInt8], frames: Int = 2) {
        self.identifier = identifier
        self.frames = frames
    }

    /// True when the frame without its checksum means this phone. Version 2 carries its length in the low half of the third byte.
    func isMeant(by frame: [UInt8]) -> Bool {
        guard frame.count > 2, frame[0] == Self.header, let offset = Self.identifierOffset[Int(frame[1])] else { return false }
        if frame[1] == 0x02, Int(frame[2] & 0x0F) != frame.count - offset { return false }
        return frame.dropFirst(offset).starts(with: identifier)
    }
}
