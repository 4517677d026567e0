import Configuration
import ControlProtocol
import Encoding
import Gate
import Lines
import Storage
import Threads

extension LineOutputSettings {
    /// The name of its line in the bank.
    func line(ofLane lane: String) -> LineName { "\(lane):\(name)" }

    /// Under which name its state is kept.
    func key(ofLane lane: String) -> StateKey { StateKey(.output, "\(lane):\(name)") }
}

extension GateParts {
    /// Switches an output and tells subscribers. Waits for its line. Answers how it is now, and what makes that survive a restart, which
    /// belongs into the record of who wanted it.
    func switchOver(_ output: LineOutputSettings, _ switching: CommandAction.Switching,
                    ofLane lane: String) throws(LineError) -> (isOn: Bool, effects: [StateEffect]) {
        let line = output.line(ofLane: lane)
        let isOn = switching.result(of: state.switchedOn.withLock { $0.contains(line) })
        try drive(line, isOn, ofLane: lane)
        events.emit(.output, ["lane": .string(lane), "output": .string(output.name), "on": .bool(isOn)])
        return (isOn, output.restore ? [state.set(output.key(ofLane: lane), isOn ? CBOR(true) : nil)] : [])
    }

    func drive(_ line: LineName, _ isOn: Bool, ofLane lane: String) throws(LineError) {
        try Loop.outside(.lines(of: lane)) { () throws(LineError) in try bank.set(line, active: isOn) }
        state.switchedOn.withLock { switchedOn in
            if isOn { switchedOn.insert(line) } else { switchedOn.remove(line) }
        }
    }
}

/// The outputs of lanes that operators and phones switch.
extension Controller {
    /// Switches an output over. Waits for its line.
    func toggle(_ name: String, _ request: LaneRequest, by asker: Asker) throws(ControlError) -> JournalTicket {
        let lanes = layout.withLock { $0 }.configuration.lanes
        guard let lane = lanes.first(where: { $0.name == request.lane }) else { throw unknown(lane: request.lane) }
        guard let output = lane.lineOutputs.first(where: { $0.name == name }) else {
            throw ControlError(code: "output-unknown", message: "Lane \(lane.name) has no output \(name).")
        }
        // A walk test puts it back to what it found.
        guard layout.withLock({ $0 }).lanes[lane.name]?.isUnderTest != true else {
            throw ControlError(code: "lane-under-test", message: "Somebody walks lane \(lane.name) (`test-lane`): ask again when that is over.")
        }
        do throws(LineError) {
            let (isOn, effects) = try parts.switchOver(output, .toggle, ofLane: lane.name)
            return record(request, asker, ["output": .text(name), "on": CBOR(isOn)], effects)
        } catch {
            record(request, asker, ["output": .text(name), "refused": .text(error.code)])
            throw ControlError(code: error.code, message: error.message)
        }
    }

    /// Outputs that are to be as they were before the gate was started again.
    func restoreOutputs() {
        for lane in layout.withLock({ $0 }).configuration.lanes {
            for output in lane.lineOutputs where output.restore && parts.state[output.key(ofLane: lane.name)]?.bool == true {
                driveAgain(output.line(ofLane: lane.name), ofLane: lane.name)
            }
        }
    }

    /// Lines that were lost and are back are at rest: those that are switched on are driven again.
    func outputsAreBack(_ back: [LineName]) {
        for lane in layout.withLock({ $0 }).configuration.lanes {
            for line in lane.lineOutputs.map({ $0.line(ofLane: lane.name) }) where back.contains(line) {
                if parts.state.switchedOn.withLock({ $0.contains(line) }) { driveAgain(line, ofLane: lane.name) }
            }
        }
    }

    private func driveAgain(_ line: LineName, ofLane lane: String) {
        // First: a line that cannot be driven now is driven when it is back.
        parts.state.switchedOn.withLock { _ = $0.insert(line) }
        do throws(LineError) {
            try parts.drive(line, true, ofLane: lane)
        } catch {
            parts.logs.log("lines").error("\(error.code): lane \(lane), line \(line): \(error.message)")
        }
    }
}
