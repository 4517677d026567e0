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
