import Encoding

/// What a simulated input shall say: for a gate that is tried without its machine.
public struct SimulationRequest: Equatable, Sendable {
    /// The line's name: LANE-INPUT, or gate:INPUT for one of the whole gate.
    public let line: String
    /// Whether it is active: somebody passes, presses, opens; there is a fire.
    public let isOn: Bool

    /// A request.
    public init(line: String, isOn: Bool) {
        self.line = line
        self.isOn = isOn
    }

    init(json: JSON) throws(ControlError) {
        guard let line = json["line"]?.string else { throw .malformed("`line` is not the name of a line.") }
        guard let isOn = json["on"]?.bool else { throw .malformed("`on` is neither true nor false.") }
        self.init(line: line, isOn: isOn)
    }

    var fields: JSONObject { ["do": "simulate", "line": .string(line), "on": .bool(isOn)] }
}
