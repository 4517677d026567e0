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
