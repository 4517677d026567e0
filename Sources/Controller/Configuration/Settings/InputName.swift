/// The inputs a lane, or the whole gate, may have: one table each.
public enum InputName: String, Sendable, CaseIterable {
    case passageIn = "passage-in"
    case passageOut = "passage-out"
    case requestToExit = "request-to-exit"
    case fire
    /// The normally open half of the change-over contact whose other half is `fire`.
    case fireOpen = "fire-open"
    case tamper
    case readerTamper = "reader-tamper"
    case powerFail = "power-fail"
    case modeSwitch = "switch"

    /// Those that may stand under `[inputs]`, for every lane of the gate.
    public static let ofGate: [InputName] = [.fire, .fireOpen, .tamper, .powerFail]
}
