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
