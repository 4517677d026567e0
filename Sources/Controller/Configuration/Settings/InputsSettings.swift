/// `[lane.inputs]` or `[inputs]`: each input is optional.
public struct InputsSettings: Hashable, Sendable {
    private var inputs: [InputName: InputSettings] = [:]

    public init() {}

    /// An input, nil when there is none.
    public subscript(name: InputName) -> InputSettings? {
        get { inputs[name] }
        set { inputs[name] = newValue }
    }

    /// All that there are, in the order of their kinds.
    public var all: [(name: InputName, input: InputSettings)] {
        InputName.allCases.compactMap { name in inputs[name].map { (name, $0) } }
    }
}

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
