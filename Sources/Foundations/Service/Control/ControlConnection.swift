import CLinux
import Files
import Glibc

/// One client of the control server. Lives on the server's thread alone.
final class ControlConnection {
    /// What the server does with the client.
    enum Stage: Hashable {
        /// Lines are heard.
        case hearing
        /// A long request is being worked on; further lines wait.
        case working
        /// The rest is sent, then the connection ends.
        case closing
        /// It has been told that there is no place for it. What it says is not heard, and it has no place until it hangs up.
        case turnedAway
    }

    let descriptor: FileDescriptor
    let peer: ControlPeer
    var stage = Stage.hearing
    var isSubscribed = false
    /// The client will send no more.
    private(set) var hasFinishedSending = false
    /// When something last went in or out, monotonic milliseconds.
    private(set) var lastProgress: Int64
    /// Since when the client has taken nothing of what waits for it, monotonic milliseconds; nil while nothing waits.
    private var waitsSince: Int64?
    var input: LineBuffer
    var output: OutputBuffer
    /// The open file that came with the latest bytes; it belongs to the next whole line.
    private var passedFile: PassedFile?
    /// What epoll was last told to watch.
    var interest = UInt32(CLINUX_READABLE)

    init(descriptor: FileDescriptor, peer: ControlPeer, limits: ControlLimits, notices: ControlNotices, now: Int64) {
        self.descriptor = descriptor
        self.peer = peer
        input = LineBuffer(limit: limits.lineBytes)
        output = OutputBuffer(limit: limits.outputBytes, noteDropped: notices.dropped)
        lastProgress = now
    }

    /// A line has come whole, and may be heard.
    var hasMoreToHear: Bool { stage == .hearing && !output.isFull && input.hasLine }

    /// What to watch for now. A client that does not read its answers is not heard, and nothing more is taken of one whose lines were not heard yet.
    var wantedInterest: UInt32 {
        let reads = stage == .hearing && !output.isFull && !hasFinishedSending && !input.hasLine
        if stage == .turnedAway { return UInt32(CLINUX_READABLE) }
        return (reads ? UInt32(CLINUX_READABLE) : 0) | (output.isEmpty ? 0 : UInt32(CLINUX_WRITABLE))
    }

    /// Nothing is left to do for this client.
    var isFinished: Bool {
        if stage == .turnedAway { return hasFinishedSending }
        guard output.isEmpty else { return false }
        return stage == .closing || (hasFinishedSending && stage == .hearing)
    }

    /// Whether it takes one of the places that there are.
    var hasPlace: Bool { stage != .turnedAway }

    /// Has the client left events or answers lying for so long? What it says meanwhile does not count.
    func isStalled(at now: Int64, limit: Int64) -> Bool {
        waitsSince.map { now - $0 >= limit } ?? false
    }

    /// May it be closed in favour of somebody new?
    func isIdle(at now: Int64, limit: Int64) -> Bool {
        guard stage != .working, !isSubscribed || !output.isEmpty else { return false }
        return now - lastProgress >= limit
    }

    /// Takes in what has come. False when the connection is broken.
    func receive(into piece: inout [UInt8], now: Int64) -> Bool {
        var file: Int32 = -1
        let count = clinux_receive_with_file(descriptor.raw, &piece, piece.count, &file)
        if file >= 0 { passedFile = PassedFile(file) }
        if count == -Int(EAGAIN) { return true }
        guard count >= 0 else { return false }
        if count == 0 { hasFinishedSending = true }
        lastProgress = now
        if hasPlace { input.append(piece[..<count]) }
        return true
    }

    /// Takes the file that came along with the line just heard.
    func removePassedFile() -> PassedFile? {
        defer { passedFile = nil }
        return passedFile
    }

    /// Sends what the socket takes. False when the connection is broken.
    func send(now: Int64) -> Bool {
        while !output.isEmpty {
            let count = output.pending.withUnsafeBytes { clinux_send(descriptor.raw, $0.baseAddress, $0.count) }
            if count == -Int(EAGAIN) {
                waitsSince = waitsSince ?? now
                return true
            }
            guard count > 0 else { return false }
            lastProgress = now
            waitsSince = nil
            output.didSend(count)
        }
        return true
    }
}

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
        sendGap()
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
        sendGap()
    }

    private mutating func sendGap() {
        guard dropped > 0, count <= limit / 2 else { return }
        append(answer: noteDropped(dropped))
        dropped = 0
    }
}
