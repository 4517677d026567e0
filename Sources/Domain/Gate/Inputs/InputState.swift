/// How an input is, once it has settled.
public enum InputState: Hashable, Sendable {
    /// The contact is where it normally is.
    case inactive
    /// The contact has left its normal place: somebody passes, presses, opens; there is a fire.
    case active
    /// What the contact does cannot be known.
    case faulty(InputFault)

    /// Whether what the contact does cannot be known.
    public var isFaulty: Bool {
        switch self {
        case .inactive, .active: false
        case .faulty: true
        }
    }

    /// Stable word, for status, events and journal.
    public var word: String {
        switch self {
        case .inactive: "inactive"
        case .active: "active"
        case .faulty(let fault): fault.rawValue
        }
    }
}

/// Why it cannot be known what a contact does.
public enum InputFault: String, Hashable, Sendable {
    /// Both halves of a change-over contact are open: a wire is broken. Only a fire loop with two lines tells it.
    case cut
    /// Both halves of a change-over contact are closed: wires touch. Only a fire loop with two lines tells it.
    case short
    /// It changes without end: a loose wire, or somebody who plays with it. Told of a request to exit, which would let somebody out each time, and
    /// of a fire contact that never becomes idle.
    case chatters
    /// The line cannot be read: its chip has left the board, or somebody else holds it.
    case unseen
}
