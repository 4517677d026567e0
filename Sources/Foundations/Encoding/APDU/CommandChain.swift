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
