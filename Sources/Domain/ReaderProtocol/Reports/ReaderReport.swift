import Encoding

/// What the program of a PN532 says to the gate, which believes none of it. `ReaderFrame` has the rules.
public enum ReaderReport: Hashable, Sendable {
    /// How the chip is, whenever that changes.
    case state(ChipState)
    /// A phone or card is in the field.
    case card(ReportedCard)
    /// A response APDU of the phone's.
    case answer(ReaderAnswer)
    /// There is no response.
    case failed(ExchangeFailure)
    /// The field was empty in a whole cycle.
    case empty
    /// The program lives, and this is what it does.
    case beat(ReaderBeat)

    var kind: ReaderFrameKind {
        switch self {
        case .state: .state
        case .card: .card
        case .answer: .answer
        case .failed: .failed
        case .empty: .empty
        case .beat: .beat
        }
    }

    init(_ kind: ReaderFrameKind, _ fields: inout FrameFields) throws(FrameError) {
        switch kind {
        case .state: self = .state(try ChipState(&fields))
        case .card: self = .card(try ReportedCard(&fields))
        case .answer: self = .answer(try ReaderAnswer(&fields))
        case .failed: self = .failed(try ExchangeFailure(&fields))
        case .empty: self = .empty
        case .beat: self = .beat(try ReaderBeat(&fields))
        case .setUp, .command, .end, .abort, .reopen: throw .kind(kind.rawValue)
        }
    }

    func write(_ text: inout FrameText) {
        switch self {
        case .state(let state): state.write(&text)
        case .card(let card): card.write(&text)
        case .answer(let answer): answer.write(&text)
        case .failed(let failure): failure.write(&text)
        case .empty: break
        case .beat(let beat): beat.write(&text)
        }
    }
}

/// A response APDU of the phone of a presentation.
public struct ReaderAnswer: Hashable, Sendable {
    public let presentation: UInt32
    public let apdu: [UInt8]

    /// A status word alone (ISO/IEC 7816-4, 5.1) and the most that libnfc joins.
    public static let lengths = 2...264

    /// - Parameter apdu: 2 to 264 bytes.
    public init(presentation: UInt32, apdu: [UInt8]) throws(FrameError) {
        guard Self.lengths.contains(apdu.count) else { throw .body("an APDU has \(apdu.count) bytes") }
        self.presentation = presentation
        self.apdu = apdu
    }

    init(_ fields: inout FrameFields) throws(FrameError) {
        try self.init(presentation: fields.long(), apdu: fields.others())
    }

    func write(_ text: inout FrameText) {
        text.add(presentation)
        text.add(apdu)
    }
}

/// Why a command had no answer.
public struct ExchangeFailure: Hashable, Sendable {
    public enum Cause: UInt8, Hashable, Sendable, CaseIterable {
        /// The phone has gone, or the exchange over the air broke.
        case gone = 0
        /// The phone is there and took too long.
        case timedOut = 1
        /// The chip failed.
        case chip = 2
    }

    public let presentation: UInt32
    public let cause: Cause
    /// What libnfc called it; 0 where it had no part in it.
    public let number: Int8

    public init(presentation: UInt32, cause: Cause, number: Int8 = 0) {
        self.presentation = presentation
        self.cause = cause
        self.number = number
    }

    init(_ fields: inout FrameFields) throws(FrameError) {
        try self.init(presentation: fields.long(), cause: fields.choice(Cause.self), number: Int8(bitPattern: fields.byte()))
    }

    func write(_ text: inout FrameText) {
        text.add(presentation)
        text.add(cause.rawValue)
        text.add(UInt8(bitPattern: number))
    }
}

/// A sign of life, four times a second.
public struct ReaderBeat: Hashable, Sendable {
    /// So often it is given, in milliseconds.
    public static let everyMilliseconds: Int64 = 250

    public let phase: ReaderPhase
    /// So long the step has taken that is under way: this cycle, this question whether a phone is there, this command. 65,535
    /// stands for anything longer.
    public let milliseconds: UInt16
    /// Cycles, and questions to a phone that is held, in which the chip did what it was told. Begins anew at the greatest number.
    public let cycles: UInt32
    /// Those in which it did not. Likewise.
    public let faults: UInt32

    public init(phase: ReaderPhase, milliseconds: UInt16, cycles: UInt32, faults: UInt32) {
        self.phase = phase
        self.milliseconds = milliseconds
        self.cycles = cycles
        self.faults = faults
    }

    init(_ fields: inout FrameFields) throws(FrameError) {
        try self.init(phase: fields.choice(ReaderPhase.self), milliseconds: fields.word(), cycles: fields.long(), faults: fields.long())
    }

    func write(_ text: inout FrameText) {
        text.add(phase.rawValue)
        text.add(milliseconds)
        text.add(cycles)
        text.add(faults)
    }
}

/// What the program of a PN532 does.
public enum ReaderPhase: UInt8, Hashable, Sendable, CaseIterable {
    /// It waits for the gate: for the set-up, for what to do with a phone that it told of, or for `reopen`.
    case idle = 0
    /// It looks for phones.
    case polling = 1
    /// It asks a phone whether it is still there.
    case holding = 2
    /// A command is with the phone.
    case exchanging = 3
    /// It opens the chip.
    case opening = 4
}
