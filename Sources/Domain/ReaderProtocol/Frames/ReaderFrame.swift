/// What passes between the gate and the program that drives one PN532, over a Unix socket. Version 1.
///
///     version(1) = 1   kind(1)   length(2)   body(length, at most 512)
///
/// Numbers are unsigned and big-endian. Whatever departs from that ends the connection; so does a frame that the other side
/// has no right to say. The end of the connection is the end of the program, and the next connection starts it anew: there is
/// no other way to end it, and none is needed.
///
/// The order of things:
///
/// 1. The gate says `setUp` once, first. The program opens the chip and tells `state`; it says `beat` every 250 ms from the
///    first moment on.
/// 2. It polls. The first cycle in which the field was empty is told by `empty`, and so is the first one after each card.
/// 3. It tells of a phone by `card`, with a number that is greater than all before it on this connection, and then waits for the
///    gate. From `card` to `end` the phone is the gate's. Each `command` is answered by one `answer` or one `failed`, one after the
///    other, whatever the gate says meanwhile. One of another presentation than the present one is answered by `failed`, gone.
/// 4. `end` with `holdUntilAway` keeps the field on and asks for the phone until it has gone; with `pollOn` the phone is let go of
///    and is found again, as a new presentation, if it is still there. The first may be followed by the second. An `end` of
///    another presentation than the present one means nothing.
/// 5. `abort` and `reopen` end the presentation too, and the first empty cycle after them is told again. A chip that could not be
///    opened is tried again at `reopen` only.
public enum ReaderFrame: Hashable, Sendable {
    /// From the gate.
    case order(ReaderOrder)
    /// To the gate.
    case report(ReaderReport)

    /// The first byte of every frame.
    public static let version: UInt8 = 1
    /// Before the body.
    public static let headLength = 4
    /// The longest body.
    public static let mostBodyBytes = 512

    /// Reads what stands behind the head.
    init(_ kind: ReaderFrameKind, body: ArraySlice<UInt8>) throws(ReaderFrameError) {
        var fields = FrameFields(body)
        if kind.isOrder {
            self = .order(try ReaderOrder(kind, &fields))
        } else {
            self = .report(try ReaderReport(kind, &fields))
        }
        try fields.end()
    }

    /// The frame as it goes over the socket.
    public var bytes: [UInt8] {
        switch self {
        case .order(let order): Self.bytes(order.kind, order.write)
        case .report(let report): Self.bytes(report.kind, report.write)
        }
    }

    private static func bytes(_ kind: ReaderFrameKind, _ write: (inout FrameText) -> Void) -> [UInt8] {
        var body = FrameText()
        write(&body)
        var frame = FrameText()
        frame.add(version)
        frame.add(kind.rawValue)
        frame.add(UInt16(body.bytes.count))
        return frame.bytes + body.bytes
    }
}

/// The second byte of a frame. What the gate says has its first bit clear.
enum ReaderFrameKind: UInt8 {
    case setUp = 0x01
    case command = 0x02
    case end = 0x03
    case abort = 0x04
    case reopen = 0x05
    case state = 0x81
    case card = 0x82
    case answer = 0x83
    case failed = 0x84
    case empty = 0x85
    case beat = 0x86

    var isOrder: Bool {
        switch self {
        case .setUp, .command, .end, .abort, .reopen: true
        case .state, .card, .answer, .failed, .empty, .beat: false
        }
    }
}

/// Makes frames of bytes as they come, in pieces of any length. It never holds more than one frame.
public struct ReaderFrameReader: Sendable {
    /// The most that it holds.
    public static let mostBytes = ReaderFrame.headLength + ReaderFrame.mostBodyBytes

    private var held: [UInt8] = []
    private var refusal: ReaderFrameError?

    /// Allocates all that it will ever need.
    public init() {
        held.reserveCapacity(Self.mostBytes)
    }

    /// Takes bytes from the front of `input` up to the end of the next frame. Nil when all were taken and more are needed.
    /// - Throws: when they are no frame; once it has thrown it always does.
    public mutating func next(from input: inout ArraySlice<UInt8>) throws(ReaderFrameError) -> ReaderFrame? {
        if let refusal { throw refusal }
        do throws(ReaderFrameError) {
            return try frame(from: &input)
        } catch {
            refusal = error
            throw error
        }
    }

    private mutating func frame(from input: inout ArraySlice<UInt8>) throws(ReaderFrameError) -> ReaderFrame? {
        take(upTo: ReaderFrame.headLength, from: &input)
        guard let head = try head() else { return nil }
        let whole = ReaderFrame.headLength + head.length
        take(upTo: whole, from: &input)
        guard held.count == whole else { return nil }
        defer { held.removeAll(keepingCapacity: true) }
        return try ReaderFrame(head.kind, body: held[ReaderFrame.headLength...])
    }

    private mutating func take(upTo count: Int, from input: inout ArraySlice<UInt8>) {
        let piece = input.prefix(max(0, count - held.count))
        held += piece
        input = input.dropFirst(piece.count)
    }

    /// What the head says; nil while it is not whole. What is wrong with it is seen at the first byte that is.
    private func head() throws(ReaderFrameError) -> (kind: ReaderFrameKind, length: Int)? {
        guard let version = held.first else { return nil }
        guard version == ReaderFrame.version else { throw .version(version) }
        guard held.count > 1 else { return nil }
        guard let kind = ReaderFrameKind(rawValue: held[1]) else { throw .kind(held[1]) }
        guard held.count >= ReaderFrame.headLength else { return nil }
        let length = Int(held[2]) << 8 | Int(held[3])
        guard length <= ReaderFrame.mostBodyBytes else { throw .length(length) }
        return (kind, length)
    }
}
