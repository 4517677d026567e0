import Encoding

/// What passes between the gate and the program that drives one PN532, over a Unix socket. Version 1.
///
///     version(1) = 1   kind(1)   length(2)   body(length, at most 512)
///
/// Whatever departs from that ends the connection; so does a frame that the other side has no right to say. The end of the
/// connection is the end of the program, and the next connection starts it anew: there is no other way to end it, and none
/// is needed.
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
public enum ReaderFrame: StreamFrame, Hashable {
    /// From the gate.
    case order(ReaderOrder)
    /// To the gate.
    case report(ReaderReport)

    public static let version: UInt8? = 1
    public static let lengthBytes = 2
    public static let mostBodyBytes = 512

    public static func bodyLimit(ofKind kind: UInt8) -> Int? { ReaderFrameKind(rawValue: kind) == nil ? nil : mostBodyBytes }

    public init(kind number: UInt8, body: ArraySlice<UInt8>) throws(FrameError) {
        guard let kind = ReaderFrameKind(rawValue: number) else { throw .kind(number) }
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
        var body = FrameText()
        switch self {
        case .order(let order):
            order.write(&body)
            return Self.bytes(kind: order.kind.rawValue, body: body.bytes)
        case .report(let report):
            report.write(&body)
            return Self.bytes(kind: report.kind.rawValue, body: body.bytes)
        }
    }
}

/// Makes frames of what comes over the socket.
public typealias ReaderFrameReader = FrameReader<ReaderFrame>

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
