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
