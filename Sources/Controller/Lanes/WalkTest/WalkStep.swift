import Configuration
import Encoding
import Gate
import Lines
import Vocabulary

/// One thing that a walk test tries.
package struct WalkStep: Equatable, Sendable {
    /// What it is, and so how it is tried.
    enum Kind: Equatable, Sendable {
        /// A relay is energised as for a grant, then de-energised.
        case relay(Direction)
        /// A lamp, a buzzer or an indicator is switched on and off, and nothing else shines meanwhile.
        case indicator
        /// A line that operators switch goes over to the other level and back.
        case output
        /// A contact is moved by whoever walks.
        case input(InputKind)
    }

    let kind: Kind
    /// As the configuration calls it: `relay`, `red`, `passage-in`.
    let name: String
    /// Its line; nil for an input, whose contact may have two.
    package let line: LineName?
    /// The line moves nothing: the installer chose the simulated bank for it.
    let isSimulated: Bool

    /// The word for its kind.
    package var word: String {
        switch kind {
        case .relay: "relay"
        case .indicator: "indicator"
        case .output: "output"
        case .input: "input"
        }
    }

    /// What is to be seen.
    var expected: String {
        switch kind {
        case .relay: "energised, then de-energised"
        case .indicator: name == Lamp.buzzer.rawValue ? "sounds, then silent" : "on, then off"
        case .output: "the other way, then back"
        case .input: "changes"
        }
    }
}

extension WalkStep {
    /// Everything that is wired at a lane, in the order in which it is tried. Fire comes last: it ends the test.
    /// - Parameter withInputs: inputs are tried too.
    package static func all(of lane: LaneSettings, in configuration: GateConfiguration, withInputs: Bool) -> [WalkStep] {
        outputs(of: lane) + (withInputs ? inputs(of: lane, in: configuration) : [])
    }

    private static func outputs(of lane: LaneSettings) -> [WalkStep] {
        let driven = lane.outputs.map { purpose, output in
            let kind: Kind = purpose == "relay" ? .relay(.in) : purpose == "relay-out" ? .relay(.out) : .indicator
            return WalkStep(kind: kind, name: purpose, line: "\(lane.name)-\(purpose)", isSimulated: output.isSimulated)
        }
        return driven + lane.lineOutputs.map { switched in
            WalkStep(kind: .output, name: switched.name, line: "\(lane.name):\(switched.name)", isSimulated: switched.output.isSimulated)
        }
    }

    private static func inputs(of lane: LaneSettings, in configuration: GateConfiguration) -> [WalkStep] {
        let wired = lane.inputs.all + configuration.inputs.all.filter { gate in !lane.inputs.all.contains { $0.name == gate.name } }
        let steps = wired.compactMap { name, input in
            InputKind(rawValue: StoredWord.stored(name.rawValue)).map {
                WalkStep(kind: .input($0), name: name.rawValue, line: nil, isSimulated: input.isSimulated)
            }
        }
        return steps.filter { $0.kind != .input(.fire) } + steps.filter { $0.kind == .input(.fire) }
    }
}

/// What was seen of one step of a walk test.
package struct WalkResult: Equatable, Sendable {
    /// How the step ended.
    package enum Verdict: String, Sendable {
        /// As expected.
        case ok
        /// Something else.
        case wrong
        /// The line could not be driven or read; the code says why.
        case failed
        /// Nobody moved the contact in time.
        case unseen = "not-seen"
        /// Somebody went on without it.
        case skipped
    }

    let step: WalkStep
    package let verdict: Verdict
    /// What was observed, for people.
    let observed: String
    /// The code of what failed.
    package var code: String?

    /// The result as JSON, with its number from 1.
    package func json(number: Int) -> JSON {
        var fields: JSONObject = [
            "step": .integer(Int64(number)), "kind": .string(step.word), "name": .string(step.name), "expected": .string(step.expected),
            "observed": .string(observed), "result": .string(verdict.rawValue)]
        if step.isSimulated { fields["simulated"] = true }
        fields["line"] = step.line.map { .string($0) }
        fields["code"] = code.map { .string($0) }
        return .object(fields)
    }
}
