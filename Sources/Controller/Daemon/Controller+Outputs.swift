import ControlProtocol
import Encoding
import Gate
import Lanes
import Lines
import Storage

/// The outputs of lanes that operators switch.
extension Controller {
    /// Switches an output over. Waits for its line.
    func toggle(_ name: String, _ request: LaneRequest, by requester: Requester) throws(ControlError) -> JournalTicket {
        let layout = layout.withLock { $0 }
        guard let desk = layout.outputs[request.lane] else { throw unknown(lane: request.lane) }
        guard let output = desk.output(name) else {
            throw ControlError(code: "output-unknown", message: "Lane \(desk.lane) has no output \(name).")
        }
        // A walk test puts it back to what it found.
        guard layout.lanes[desk.lane]?.isUnderTest != true else {
            throw ControlError(code: "lane-under-test", message: "Somebody walks lane \(desk.lane) (`test-lane`): ask again when that is over.")
        }
        do throws(LineError) {
            return try desk.change(output, .toggle, for: nil) { record(request, requester, ["output": .text(name), "on": CBOR($0.isOn)], $0.effects) }
        } catch {
            record(request, requester, ["output": .text(name), "refused": .text(error.code)])
            throw ControlError(code: error.code, message: error.message)
        }
    }

    /// Outputs that are to be as they were before the gate was started again.
    func restoreOutputs() {
        for desk in desks { desk.restore() }
    }

    /// Lines that were lost and are back are at their safe level: those that are switched on are driven again.
    func outputsAreBack(_ back: [LineName]) {
        for desk in desks { desk.linesAreBack(back) }
    }

    /// What phones have switched for a time that is over. A lane that somebody walks is left alone: its test puts outputs back to what it found.
    func endOutputs() {
        let layout = layout.withLock { $0 }
        for desk in layout.outputs.values where layout.lanes[desk.lane]?.isUnderTest != true { desk.endWhatIsOver() }
    }

    private var desks: [OutputDesk] { Array(layout.withLock { $0 }.outputs.values) }
}
