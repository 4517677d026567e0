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
