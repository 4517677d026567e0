import Configuration
import Lines

/// How the lines of inputs are called.
enum InputLine {
    /// The name of an input's line in the bank.
    /// - Parameter lane: nil for an input of the whole gate.
    static func name(_ input: InputName, of lane: String?) -> LineName {
        // No lane's name holds a colon.
        lane.map { "\($0)-\(input.rawValue)" } ?? "gate:\(input.rawValue)"
    }
}
