/// The inputs a lane, or the whole gate, may have: one table each.
public enum InputName: String, Sendable, CaseIterable {
    case passageIn = "passage-in"
    case passageOut = "passage-out"
    case exitRequest = "exit-request"
    case fire
    /// The normally open half of the change-over contact whose other half is `fire`.
    case fireOpen = "fire-open"
    case tamper
    case readerTamper = "reader-tamper"
    case mainsFail = "mains-fail"
    case modeSwitch = "switch"

    /// Those that may stand under `[inputs]`, for every lane of the gate.
    public static let ofGate: [InputName] = [.fire, .fireOpen, .tamper, .mainsFail]
}
