/// What a phone in express mode has heard so far.
struct ExpressAttention {
    let mode: ExpressMode
    private var count = 0
    /// Since the last of these frames.
    private var requests = 0
    private var offSince: Int64?

    init(mode: ExpressMode) { self.mode = mode }

    mutating func field(isOn: Bool, at time: Int64) {
        guard isOn else { return offSince = offSince ?? time }
        if let offSince, time - offSince > ExpressMode.graceNanoseconds { count = 0 }
        offSince = nil
    }

    mutating func receive(_ frame: [UInt8]) {
        guard mode.isMeant(by: frame) else { return }
        count += 1
        requests = 0
    }

    /// REQA or WUPA. True when the phone answers it. Between two frames that name it there may be one only: a reader that asks
    /// again and again is taken for another kind (found by others: readers must not repeat their request).
    mutating func answersRequest() -> Bool {
        requests += 1
        if requests > 1 { count = 0 }
        return count >= mode.frames
    }
}

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
