import Encoding

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

    init(_ kind: ReaderFrameKind, _ fields: inout FrameFields) throws(FrameError) {
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

/// What becomes of a phone whose presentation is over.
public enum AfterPresentation: UInt8, Hashable, Sendable, CaseIterable {
    /// It stays in the field, and is asked whether it is still there until it is not.
    case holdUntilAway = 0
    /// It is let go of, and found again if it stays.
    case pollOn = 1
}

/// A command APDU for the phone of a presentation.
public struct ReaderCommand: Hashable, Sendable {
    public let presentation: UInt32
    public let apdu: [UInt8]

    /// The shortest command (ISO/IEC 7816-4, 5.2) and the longest that libnfc takes without looking: it copies what is longer
    /// beyond its own buffer.
    public static let lengths = 4...262

    /// - Parameter apdu: 4 to 262 bytes.
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
