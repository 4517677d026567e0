/// What the gate says to the program of a PN532. `ReaderFrame` has the rules.
public enum ReaderOrder: Hashable, Sendable {
    /// Which chip, and how to use it.
    case setUp(ReaderSetup)
    /// A command APDU for the phone.
    case command(ReaderCommand)
    /// The presentation is over.
    case end(presentation: UInt32, AfterPresentation)
    /// Leave the call that the chip does not answer, wake it up and poll on.
    case abort
    /// Close the chip and open it again.
    case reopen

    var kind: ReaderFrameKind {
        switch self {
        case .setUp: .setUp
        case .command: .command
        case .end: .end
        case .abort: .abort
        case .reopen: .reopen
        }
    }

    init(_ kind: ReaderFrameKind, _ fields: inout FrameFields) throws(ReaderFrameError) {
        switch kind {
        case .setUp: self = .setUp(try ReaderSetup(&fields))
        case .command: self = .command(try ReaderCommand(&fields))
        case .end: self = .end(presentation: try fields.long(), try fields.choice(AfterPresentation.self))
        case .abort: self = .abort
        case .reopen: self = .reopen
        case .state, .card, .answer, .failed, .empty, .beat: throw .kind(kind.rawValue)
        }
    }

    func write(_ text: inout FrameText) {
        switch self {
        case .setUp(let setup): setup.write(&text)
        case .command(let command): command.write(&text)
        case .end(let presentation, let after):
            text.add(presentation)
            text.add(after.rawValue)
        case .abort, .reopen: break
        }
    }
}
