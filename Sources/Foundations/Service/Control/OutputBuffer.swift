/// What waits to be sent to one client. Answers always find room; events only while the client keeps up.
struct OutputBuffer: Sendable {
    private let limit: Int
    private let noteDropped: @Sendable (Int) -> [UInt8]
    private var bytes: [UInt8] = []
    private var sent = 0
    private var dropped = 0

    /// - Parameter limit: bytes beyond which events are dropped.
    init(limit: Int, noteDropped: @escaping @Sendable (Int) -> [UInt8]) {
        self.limit = limit
        self.noteDropped = noteDropped
    }

    var count: Int { bytes.count - sent }
    var isEmpty: Bool { count == 0 }
    /// No further line of this client should be heard.
    var isFull: Bool { count >= limit }

    /// Adds a line of an answer.
    mutating func append(answer line: [UInt8]) {
        bytes += line
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Adds an event, or counts it as dropped. Once one was dropped, the others follow until half of the
    /// room is free: a client is told of one gap instead of a hundred.
    mutating func append(event line: [UInt8]) {
        if dropped > 0 || count + line.count + 1 > limit {
            dropped += 1
        } else {
            append(answer: line)
        }
    }

    /// Events that were lost before they came here.
    mutating func countDropped(_ number: Int) {
        dropped += number
        tellGap()
    }

    /// The bytes to send next.
    var pending: ArraySlice<UInt8> { bytes[sent...] }

    /// So many bytes went out. A gap is told as soon as half of the room is free.
    mutating func didSend(_ number: Int) {
        sent += number
        if sent == bytes.count || sent > 64 * 1024 {
            bytes.removeFirst(sent)
            sent = 0
        }
        tellGap()
    }

    private mutating func tellGap() {
        guard dropped > 0, count <= limit / 2 else { return }
        append(answer: noteDropped(dropped))
        dropped = 0
    }
}
