import Encoding
import VirtualPhone

/// What a virtual chip does wrong, as a person says it: `FAULT [at COMMAND] [after N] [times N]`.
public struct ChipFault: Hashable, Sendable {
    /// What it means.
    public let misbehaviour: PN532Misbehaviour

    /// The forms in which a fault can be written, with what they mean.
    public static let forms: [(form: String, meaning: String)] = [
        ("silent", "hears the command and says nothing"),
        ("acknowledge-only", "acknowledges the command and says nothing more"),
        ("no-acknowledge", "answers without an acknowledgement"),
        ("garbage=HEX", "says these bytes in the place of the answer"),
        ("wrong-checksum", "the answer's checksum is wrong"),
        ("wrong-length-checksum", "the checksum of the answer's length is wrong"),
        ("syntax-error", "the error frame in the place of the answer"),
        ("status=HEX", "this status, where an answer has one"),
        ("empty-continuation", "says that there is more, and then nothing"),
        ("ats-length=N", "a phone's ATS has this length, whatever follows"),
        ("uid-length=N", "a phone's identifier has this length, whatever follows"),
        ("oversized=N", "the answer has N bytes more"),
        ("trickle=US", "each byte comes alone, so many microseconds after the one before"),
        ("endless=HEX", "this byte, without end")
    ]

    /// The commands at which it can go wrong, by the names of the manual's commands.
    public static let commands: [(name: String, command: PN532Command)] = [
        ("version", .getFirmwareVersion), ("diagnose", .diagnose), ("read", .readRegister), ("write", .writeRegister), ("sam", .configureSAM),
        ("rf", .configureRF), ("list", .listPassiveTarget), ("exchange", .exchangeData), ("through", .communicateThrough),
        ("release", .release), ("deselect", .deselect), ("power-down", .powerDown)
    ]

    /// Reads one.
    public init(_ text: String) throws(PhoneToolError) {
        var words = text.split(separator: " ").map(String.init)[...]
        guard let first = words.popFirst(), let fault = Self.fault(first) else { throw .misbehaviour(text) }
        var (command, after, times) = (PN532Command?.none, 0, Int?.none)
        while let word = words.popFirst() {
            guard let value = words.popFirst() else { throw .misbehaviour(text) }
            switch (word, Self.commands.first { $0.name == value }?.command, Int(value)) {
            case ("at", let named?, _): command = named
            case ("after", _, let count?) where count >= 0: after = count
            case ("times", _, let count?) where count > 0: times = count
            default: throw .misbehaviour(text)
            }
        }
        misbehaviour = PN532Misbehaviour(fault, at: command, after: after, times: times)
    }

    private static func fault(_ text: String) -> PN532Fault? {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { return plain(text) }
        let (bytes, number) = ((try? Hex.decode(parts[1])) ?? [], Int(parts[1]))
        switch (parts[0], number) {
        case ("garbage", _) where !bytes.isEmpty: return .garbage(bytes)
        case ("status", _) where bytes.count == 1: return .status(bytes[0])
        case ("endless", _) where bytes.count == 1: return .endless(bytes[0])
        case ("ats-length", let number?): return UInt8(exactly: number).map { .selectLength($0) }
        case ("uid-length", let number?): return UInt8(exactly: number).map { .identifierLength($0) }
        case ("oversized", let number?) where (1...65_000).contains(number): return .oversized(by: number)
        case ("trickle", let number?) where (0...1_000_000).contains(number): return .trickle(nanoseconds: Int64(number) * 1_000)
        default: return nil
        }
    }

    private static func plain(_ text: String) -> PN532Fault? {
        switch text {
        case "silent": .silent
        case "acknowledge-only": .acknowledgeOnly
        case "no-acknowledge": .noAcknowledge
        case "wrong-checksum": .wrongDataChecksum
        case "wrong-length-checksum": .wrongLengthChecksum
        case "syntax-error": .syntaxError
        case "empty-continuation": .emptyContinuation
        default: nil
        }
    }
}

/// What a virtual chip is told while it runs, one line each.
public enum ChipOrder: Hashable, Sendable {
    case fault(ChipFault)
    case behave
    case reset
    case unplug
    case plugIn

    /// The forms in which one can be written, with what they mean.
    public static let forms: [(form: String, meaning: String)] = [
        ("fault FAULT [at COMMAND] [after N] [times N]", "goes wrong from now on, beside what was said before"),
        ("behave", "works well from now on"),
        ("reset", "the reset line is pulled"),
        ("unplug", "the port goes away, and with it the chip's power"),
        ("plug-in", "the port comes back, under another number")
    ]

    /// Reads one.
    public init(_ text: String) throws(PhoneToolError) {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        switch (words.first, words.count) {
        case ("fault", 2): self = .fault(try ChipFault(words[1]))
        case ("behave", 1): self = .behave
        case ("reset", 1): self = .reset
        case ("unplug", 1): self = .unplug
        case ("plug-in", 1): self = .plugIn
        default: throw .misbehaviour(text)
        }
    }
}
