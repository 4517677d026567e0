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

    init(_ kind: ReaderFrameKind, _ fields: inout FrameFields) throws(ReaderFrameError) {
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
