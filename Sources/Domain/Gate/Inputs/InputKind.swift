/// What a contact at a lane, or at the gate, tells (L3).
public enum InputKind: String, Hashable, Sendable, CaseIterable {
    /// Somebody goes through inwards. A lane with this one only takes it for every passage (a door).
    case passageIn = "passage-in"
    /// Somebody goes through outwards.
    case passageOut = "passage-out"
    /// Somebody inside wants to leave.
    case requestToExit = "exit-request"
    /// The fire alarm system wants people out (L4).
    case fire
    /// The housing was opened.
    case tamper
    /// The reader was taken off its wall.
    case readerTamper = "reader-tamper"
    /// The gate runs on its battery.
    case powerFail = "mains-fail"
    /// A key switch that chooses the lane's mode (V7).
    case modeSwitch = "switch"
}

/// An input has come to another state, and has stayed there for its debounce time.
public struct InputChange: Hashable, Sendable {
    public let kind: InputKind
    public let state: InputState
    /// Nobody saw the contact move: it was found like this at the start, or when its line came back. A request to exit
    /// that is found active is a contact that is stuck, not somebody's request.
    public let isFound: Bool

    public init(_ kind: InputKind, _ state: InputState, isFound: Bool = false) {
        self.kind = kind
        self.state = state
        self.isFound = isFound
    }
}
