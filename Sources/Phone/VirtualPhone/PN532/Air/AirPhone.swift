/// A card or phone in the field: ISO/IEC 14443-3 and -4 type A from its side, and command APDUs to a closure. Pure but for
/// that closure: frames come and go as values, and so does the time.
public struct AirPhone: Sendable {
    /// One command APDU in, its answer out; nil where the phone stays silent.
    public typealias Handler = @Sendable (_ command: [UInt8]) -> CardAnswer?

    private enum State {
        /// No field.
        case off
        /// Waits for REQA or WUPA.
        case idle
        /// Being told apart from others: this is the cascade level that is asked next.
        case ready(level: Int)
        /// Selected.
        case active
        /// Speaks ISO-DEP.
        case speaking
        /// Was sent away: WUPA alone wakes it.
        case halted
    }

    public let card: AirCard
    private let misbehaviour: CardMisbehaviour?
    private let handler: Handler
    private var state = State.off
    private var speech = ISODEPCard(frameLength: ISODEPBlock.frameLength(index: 0))
    /// The ATS was given, and nothing was said since: bit rates may be agreed on (ISO/IEC 14443-4, 5.3).
    private var mayAgreeOnRate = false
    private var attention: ExpressAttention?
    private var commands = 0
    /// When it leaves by itself.
    private var leavesAt: Int64?
    private var leavesWhenAnswered = false
    /// What it computed for an answer that is still to be given.
    private var computing: Int64 = 0
    private(set) var hasLeft = false
    private var events: [CardEvent] = []

    /// - Parameter handler: gets every command APDU.
    public init(_ card: AirCard = .phone, misbehaviour: CardMisbehaviour? = nil, handler: @escaping Handler) {
        self.card = card
        self.misbehaviour = misbehaviour
        self.handler = handler
        attention = card.expressMode.map { ExpressAttention(mode: $0) }
    }

    /// The same without a stop-watch.
    public init(_ card: AirCard = .phone, misbehaviour: CardMisbehaviour? = nil, answering: @escaping VirtualCard.Handler) {
        self.init(card, misbehaviour: misbehaviour, handler: { CardAnswer(answering($0)) })
    }

    /// What the reader did to it since this was asked last.
    mutating func drainEvents() -> [CardEvent] {
        defer { events = [] }
        return events
    }

    mutating func field(isOn: Bool, at time: Int64) {
        attention?.field(isOn: isOn, at: time)
        switch (isOn, state) {
        case (true, .off): state = .idle
        case (false, .off), (true, _): break
        case (false, _):
            if case .speaking = state { events.append(.reset) }
            state = .off
        }
    }

    /// A frame of the reader's; nil where the phone is silent.
    mutating func receive(_ frame: AirFrame, at time: Int64) -> AirReply? {
        if let leavesAt, time >= leavesAt { leave() }
        guard !hasLeft else { return nil }
        if frame.lastBits == 7 { return request(frame) }
        if let payload = frame.payload, payload.first == ExpressMode.header {
            attention?.receive(payload)
            return nil
        }
        switch state {
        case .off, .idle, .halted: return nil
        case .ready(let level): return distinguish(frame, level: level)
        case .active: return activate(frame)
        case .speaking: return speak(frame, at: time)
        }
    }

    private static let requestCommand: UInt8 = 0x26
    private static let wakeUpCommand: UInt8 = 0x52

    private mutating func request(_ frame: AirFrame) -> AirReply? {
        switch (frame.bytes, state) {
        case ([Self.requestCommand], .idle), ([Self.wakeUpCommand], .idle), ([Self.wakeUpCommand], .halted): break
        // Whoever is asked anew in the middle of it forgets what was (ISO/IEC 14443-3, 6.3).
        case (_, .ready), (_, .active):
            state = .idle
            return nil
        default: return nil
        }
        guard attention?.answersRequest() ?? true else { return nil }
        state = .ready(level: 0)
        return AirReply(frame: AirFrame(card.answerToRequest.reversed()))
    }

    /// Anticollision and selection (ISO/IEC 14443-3, 6.5.3).
    private mutating func distinguish(_ frame: AirFrame, level: Int) -> AirReply? {
        let part = card.cascade[level]
        let whole = part + [part.reduce(0, ^)]
        let command = [0x93, 0x95, 0x97][level] as UInt8
        if frame.bytes == [command, 0x20] { return AirReply(frame: AirFrame(whole)) }
        guard frame.payload == [command, 0x70] + whole else {
            state = .idle
            return nil
        }
        let isLast = level + 1 == card.cascade.count
        state = isLast ? .active : .ready(level: level + 1)
        return AirReply(frame: AirFrame(checked: [isLast ? card.selectAcknowledge : AirCard.cascadeIncomplete]))
    }

    private static let haltCommand: [UInt8] = [0x50, 0x00]
    private static let answerToSelectCommand: UInt8 = 0xE0
    private static let rateCommand: UInt8 = 0xD0
    private static let rateFollows: UInt8 = 0x11

    private mutating func activate(_ frame: AirFrame) -> AirReply? {
        guard let payload = frame.payload else { return nil }
        if payload == Self.haltCommand {
            state = .halted
            return nil
        }
        guard payload.count == 2, payload[0] == Self.answerToSelectCommand, card.speaksISODEP else {
            state = .idle
            return nil
        }
        speech = ISODEPCard(frameLength: ISODEPBlock.frameLength(index: payload[1] >> 4), waitingTimeRequests: card.waitingTimeRequests)
        state = .speaking
        mayAgreeOnRate = true
        events.append(.powered)
        return AirReply(frame: AirFrame(checked: card.answerToSelect))
    }

    private mutating func speak(_ frame: AirFrame, at time: Int64) -> AirReply? {
        guard let payload = frame.payload else { return nil }
        defer { mayAgreeOnRate = false }
        if mayAgreeOnRate, payload.count == 3, payload[0] == Self.rateCommand, payload[1] == Self.rateFollows {
            return card.offers(rates: payload[2]) ? AirReply(frame: AirFrame(checked: [Self.rateCommand])) : nil
        }
        switch speech.receive(payload) {
        case .silence: return nil
        case .send(let block, let isLast): return send(block, isLast: isLast)
        case .deselected(let block):
            state = .halted
            events.append(.reset)
            return AirReply(frame: AirFrame(checked: block))
        case .command(let command):
            guard let answer = answer(command, at: time), case .send(let block, let isLast) = speech.answer(answer.bytes) else { return nil }
            computing = answer.nanoseconds
            return send(block, isLast: isLast)
        }
    }

    private mutating func answer(_ command: [UInt8], at time: Int64) -> CardAnswer? {
        commands += 1
        events.append(.command(command))
        switch misbehaviour {
        case .silent(commands, let milliseconds):
            leavesAt = milliseconds.map { time + Int64($0) * 1_000_000 } ?? .max
            return nil
        case .leaves(commands):
            leave()
            return nil
        case .leavesAfter(commands):
            leavesWhenAnswered = true
            return handler(command)
        case .late(commands, let milliseconds):
            return handler(command).map { CardAnswer($0.bytes, nanoseconds: $0.nanoseconds + Int64(milliseconds) * 1_000_000) }
        case .silent, .leaves, .leavesAfter, .late, nil:
            return leavesAt == nil ? handler(command) : nil
        }
    }

    private mutating func send(_ block: [UInt8], isLast: Bool) -> AirReply {
        var reply = AirReply(frame: AirFrame(checked: block))
        // Whoever asks for more time asks at once.
        if case .waitingTime = ISODEPBlock(block) { return reply }
        swap(&reply.computing, &computing)
        if isLast { events.append(.answered) }
        if isLast && leavesWhenAnswered { leave() }
        return reply
    }

    private mutating func leave() {
        hasLeft = true
        leavesAt = nil
        events.append(.gone)
    }
}
