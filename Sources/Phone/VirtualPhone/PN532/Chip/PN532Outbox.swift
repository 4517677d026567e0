/// What the chip is about to say, with the time at which it has arrived at the host.
struct PN532Outbox {
    private struct Message {
        let time: Int64
        let bytes: [UInt8]
        /// What a host may call off.
        let isAnswer: Bool
    }

    private let byteNanoseconds: Int64
    private var messages: [Message] = []
    private var lineFree: Int64 = 0
    /// The byte that is said without end, and when the next piece of it is due.
    private var stream: (byte: UInt8, next: Int64)?

    private static let streamPiece = 48
    /// A wire at 115,200 baud brings a piece in this time.
    private static let streamNanoseconds: Int64 = 4_166_667

    init(byteNanoseconds: Int64) { self.byteNanoseconds = byteNanoseconds }

    /// Bytes that begin to go out at that time, or as soon as the line is free.
    mutating func add(_ bytes: [UInt8], from time: Int64, isAnswer: Bool) {
        guard !bytes.isEmpty else { return }
        lineFree = max(lineFree, time) + Int64(bytes.count) * byteNanoseconds
        messages.append(Message(time: lineFree, bytes: bytes, isAnswer: isAnswer))
    }

    /// An answer, byte by byte.
    mutating func trickle(_ bytes: [UInt8], from time: Int64, pause: Int64) {
        for byte in bytes { add([byte], from: max(lineFree, time) + pause, isAnswer: true) }
    }

    mutating func streamEndlessly(_ byte: UInt8, from time: Int64) {
        stream = (byte, time)
    }

    mutating func endStream() { stream = nil }

    /// The host wants no answer any more.
    mutating func callOff() {
        messages.removeAll { $0.isAnswer }
        lineFree = messages.last?.time ?? 0
    }

    /// When there is something to say again.
    var nextTime: Int64? {
        [messages.first?.time, stream?.next].compactMap(\.self).min()
    }

    /// What is due, in the pieces in which it is said.
    mutating func drain(at time: Int64) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        while let message = messages.first, message.time <= time {
            pieces.append(message.bytes)
            messages.removeFirst()
        }
        if let stream, stream.next <= time {
            pieces.append([UInt8](repeating: stream.byte, count: Self.streamPiece))
            self.stream = (stream.byte, time + Self.streamNanoseconds)
        }
        return pieces
    }
}
