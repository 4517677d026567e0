import Configuration
import ControlProtocol
import Encoding
import Gate
import Lanes
import Lines

extension Controller {
    /// Lets a simulated input change. Journalled with who asked: what people do to a gate that is tried leaves its trace too.
    func simulate(_ request: SimulationRequest, by requester: Requester) throws(ControlError) -> JSON {
        guard let input = layout.withLock({ $0 }).configuration.input(onLine: request.line) else {
            throw ControlError(code: "line-unknown", message: "This gate has no input \(request.line).")
        }
        guard input.isSimulated, let bank = parts.bank.simulated else {
            throw ControlError(code: "line-not-simulated", message: "\(request.line) is a line of this machine: only what is wired to it moves it.")
        }
        do throws(LineError) {
            try bank.drive(request.line, active: request.isOn)
        } catch {
            throw ControlError(code: error.code, message: error.message)
        }
        parts.recorder.record(.input, "simulated", detail: requester.detail.merging(["line": .text(request.line), "on": CBOR(request.isOn)]) { own, _ in own })
        return ["line": .string(request.line), "on": .bool(request.isOn)]
    }
}

extension GateConfiguration {
    /// The input that has its line under this name.
    fileprivate func input(onLine line: LineName) -> InputSettings? {
        let ofLanes = lanes.flatMap { lane in lane.inputs.all.map { (InputLine.name($0.name, of: lane.name), $0.input) } }
        let ofGate = inputs.all.map { (InputLine.name($0.name, of: nil), $0.input) }
        return (ofLanes + ofGate).first { $0.0 == line }?.1
    }
}

extension LineBank {
    /// The simulated lines among these.
    var simulated: SimulatedLineBank? { (self as? SimulatedLineBank) ?? (self as? RoutedLineBank)?.simulatedPart }
}
