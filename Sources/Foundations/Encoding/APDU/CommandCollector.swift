/// The card's side of command chaining: puts the links of a chain together (ISO/IEC 7816-4, 5.3.3).
public struct CommandCollector: Sendable {
    /// What to do with the command just received.
    public enum Action: Hashable, Sendable {
        /// A link of a chain: answer 9000 and wait for the next.
        case acknowledge
        /// The whole command, its class byte without the chaining bit.
        case complete(CommandAPDU)
    }

    private enum State {
        /// No chain has begun.
        case idle
        /// Links with this header have brought this data.
        case chaining(first: CommandAPDU, data: [UInt8])
    }

    private let limit: Int
    private var state = State.idle

    /// A collector of commands of at most `limit` bytes of data.
    public init(limit: Int) { self.limit = limit }

    /// Takes the next command.
    /// - Throws: `brokenChain` when it does not continue the chain begun, `tooMuchData` beyond the limit.
    ///   The chain is forgotten then.
    public mutating func receive(_ command: CommandAPDU) throws(APDUError) -> Action {
        var data: [UInt8] = []
        var first = command
        switch state {
        case .idle:
            break
        case .chaining(let begun, let collected):
            state = .idle
            guard begun.hasSameHeader(as: command) else { throw .brokenChain }
            first = begun
            data = collected
        }
        guard data.count + command.data.count <= limit else { throw .tooMuchData(limit: limit) }
        data += command.data
        if command.cla & CommandChain.chainingBit != 0 {
            state = .chaining(first: first, data: data)
            return .acknowledge
        }
        return .complete(
            CommandAPDU(
                cla: command.cla, ins: command.ins, p1: command.p1, p2: command.p2, data: data,
                expectedLength: command.expectedLength))
    }
}

extension CommandAPDU {
    /// Whether `other` has the same header, the chaining bit aside.
    fileprivate func hasSameHeader(as other: CommandAPDU) -> Bool {
        (cla | CommandChain.chainingBit) == (other.cla | CommandChain.chainingBit)
            && ins == other.ins && p1 == other.p1 && p2 == other.p2
    }
}

/// A command whose data does not fit one short APDU, split into a chain (ISO/IEC 7816-4, 5.3.3).
///
/// All links have the same header but for bit 5 of the class byte, which all but the last have set. Only
/// the last one asks for an answer.
public struct CommandChain: Hashable, Sendable {
    /// Bit 5 of the class byte: the command is not the last of its chain (ISO/IEC 7816-4, 5.4.1).
    public static let chainingBit: UInt8 = 0x10
    /// The most data a short APDU can carry.
    public static let maximumLinkCount = 255

    /// The short commands to send one after the other. All but the last are answered by 9000 alone.
    public let commands: [CommandAPDU]

    /// Splits `command` into links of at most `linkCount` (1 to 255) bytes of data. One that fits stays
    /// as it is; an expected length above 256 becomes 256, since the links are short.
    public init(_ command: CommandAPDU, linkCount: Int = CommandChain.maximumLinkCount) {
        precondition((1...Self.maximumLinkCount).contains(linkCount), "A link carries 1 to 255 bytes")
        let expected = command.expectedLength.map { min($0, 256) }
        var links: [CommandAPDU] = []
        var rest = command.data[...]
        while rest.count > linkCount {
            let link = Self.link(command, command.cla | Self.chainingBit, rest.prefix(linkCount), nil)
            links.append(link)
            rest = rest.dropFirst(linkCount)
        }
        links.append(Self.link(command, command.cla, rest, expected))
        commands = links
    }

    private static func link(
        _ command: CommandAPDU, _ cla: UInt8, _ data: ArraySlice<UInt8>, _ expectedLength: Int?
    ) -> CommandAPDU {
        CommandAPDU(
            cla: cla, ins: command.ins, p1: command.p1, p2: command.p2, data: Array(data),
            expectedLength: expectedLength)
    }
}
