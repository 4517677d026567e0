import ReaderProtocol

/// Who has the phone in a chip's field, if there is one.
enum ChipHand: Hashable {
    /// Nobody: the program polls.
    case empty
    /// The program has told of it and waits for the gate.
    case fresh(ReportedCard)
    /// It has a presentation with the gate.
    case accepted(presentation: UInt32)
    /// The program keeps it in the field until it is taken away.
    case held(presentation: UInt32)
    /// The program was told to let it go, and to find it again.
    case released

    /// The program does nothing because it waits for the gate.
    var isWithGate: Bool {
        switch self {
        case .fresh, .accepted: true
        case .empty, .held, .released: false
        }
    }
}
