/// The card's side of ISO/IEC 14443-4, 7.5: blocks in, blocks out, with a whole command APDU in between.
struct ISODEPCard {
    enum Step: Equatable {
        case silence
        /// `isLast`: with it the whole answer is out.
        case say([UInt8], isLast: Bool)
        /// To be said before the card sleeps.
        case deselected([UInt8])
        /// A command is there whole; `answer` goes on.
        case command([UInt8])
    }

    /// The longest frame the reader takes, checksum included.
    private let frameLength: Int
    /// How many requests for more time come before each answer.
    private let waitingTimeRequests: Int
    private var requestsLeft = 0
    /// Rule C: 1 at activation.
    private var number: UInt8 = 1
    private var command: [UInt8] = []
    private var answer: [UInt8] = []
    private var said: [UInt8] = []

    private static let waitingTimeMultiple: UInt8 = 1

    init(frameLength: Int, waitingTimeRequests: Int = 0) {
        self.frameLength = frameLength
        self.waitingTimeRequests = waitingTimeRequests
    }

    mutating func receive(_ payload: [UInt8]) -> Step {
        switch ISODEPBlock(payload) {
        case nil: return .silence
        case .information(let data, number: _, isChained: let isChained): return receive(data, isChained: isChained)
        // Rule 11: what was said did not arrive.
        case .acknowledge(number: number): return said.isEmpty ? .silence : say(said)
        // Rule E: the reader has the part before.
        case .acknowledge: return next()
        case .notAcknowledge(number: number): return said.isEmpty ? .silence : say(said)
        // Rule 12.
        case .notAcknowledge: return .say(ISODEPBlock.acknowledge(number: number).payload, isLast: false)
        case .deselect: return .deselected(ISODEPBlock.deselect.payload)
        case .waitingTime: return granted()
        }
    }

    /// The whole answer to the command that `receive` gave; it is kept where time is asked for first.
    mutating func answer(_ bytes: [UInt8]) -> Step {
        answer = bytes
        requestsLeft = waitingTimeRequests
        return requestsLeft > 0 ? askForTime() : next(isFirst: true)
    }

    private mutating func receive(_ data: [UInt8], isChained: Bool) -> Step {
        // Rule D: with each information block of the reader's.
        number ^= 1
        command += data
        guard !isChained else { return say(ISODEPBlock.acknowledge(number: number).payload) }
        defer { command = [] }
        return .command(command)
    }

    private mutating func granted() -> Step {
        guard requestsLeft > 0 else { return .silence }
        requestsLeft -= 1
        return requestsLeft > 0 ? askForTime() : next(isFirst: true)
    }

    private mutating func askForTime() -> Step {
        say(ISODEPBlock.waitingTime(Self.waitingTimeMultiple).payload)
    }

    private mutating func next(isFirst: Bool = false) -> Step {
        guard !answer.isEmpty || isFirst else { return .silence }
        // Rule E.
        if !isFirst { number ^= 1 }
        let part = Array(answer.prefix(frameLength - ISODEPBlock.overhead))
        answer.removeFirst(part.count)
        return say(ISODEPBlock.information(part, number: number, isChained: !answer.isEmpty).payload, isLast: answer.isEmpty)
    }

    private mutating func say(_ block: [UInt8], isLast: Bool = false) -> Step {
        said = block
        return .say(block, isLast: isLast)
    }
}
