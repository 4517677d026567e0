/// What a bank has of one requested line.
enum LineSlot: Sendable {
    /// The line is ours.
    case held(HeldLine)
    /// It is not, and why; the next reopening tries again.
    case missing(LineError)

    init(_ opened: Result<HeldLine, LineError>) {
        self = switch opened {
        case .success(let held): .held(held)
        case .failure(let error): .missing(error)
        }
    }

    /// Why the line is not ours; nil when it is.
    var fault: LineError? {
        switch self {
        case .held: nil
        case .missing(let error): error
        }
    }
}
