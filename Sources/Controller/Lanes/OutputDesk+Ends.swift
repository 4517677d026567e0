import Configuration
import Encoding
import Gate
import Lines
import Storage

/// The ends of what phones have ordered, and what is so after a start or a fault.
extension OutputDesk {
    // What time ends -------------------------------------------------------------------------------

    /// Outputs whose time is over are again what they were before a phone switched them.
    package func endWhatIsOver(at now: Instant = OutputDesk.now) {
        for output in outputs where isOver(output, at: now) {
            let isOn = inTurn { () -> Bool? in
                // Somebody may have ordered it anew, or for good, meanwhile.
                guard isOver(output, at: now) else { return nil }
                let isOn = !self.isOn(output)
                end(output, isOn, fault: settle(output, isOn))
                return isOn
            }
            if let isOn { notify(output, isOn) }
        }
    }

    private func end(_ output: LineOutputSettings, _ isOn: Bool, fault: LineError? = nil) {
        setEnd(nil, of: output)
        var detail: [String: CBOR] = ["output": .text(output.name), "on": CBOR(isOn), "by": "phone"]
        detail["fault"] = fault.map { .text($0.code) }
        recorder.record(.mode, "over", lane: lane, reason: (isOn ? CommandAction.Switching.on : .off).rawValue, detail: detail,
                     effects: effects(output, isOn, nil))
        logs.log("lanes").notice("output-over: lane \(lane), output \(output.name) is \(isOn ? "on" : "off") again")
    }

    // Starts and faults ----------------------------------------------------------------------------

    /// Outputs that are to be as they were before the gate was started again.
    package func restore() {
        inTurn {
            let time = recorder.clock.now()
            for output in outputs {
                let order = state.outputOrder(orderKey(output))
                let rest = order.map { $0.rest(at: time.doubt == nil ? time.milliseconds : nil) } ?? 0
                let wasOn = output.restore && state[output.key(ofLane: lane)]?.bool == true
                let isOn = order.map { output.restore && $0.isOn == (rest > 0) } ?? wasOn
                if isOn { _ = settle(output, true) }
                guard order != nil else { continue }
                if output.restore, rest > 0 {
                    setEnd(End(moment: Self.now + rest, until: time.milliseconds + rest), of: output)
                } else {
                    end(output, isOn)
                }
            }
        }
    }

    /// Lines that were lost and are back are at their safe level: those that are switched on are driven again.
    package func linesAreBack(_ back: [LineName]) {
        for output in outputs where back.contains(output.line(ofLane: lane)) {
            inTurn { if isOn(output) { _ = settle(output, true) } }
        }
    }
}
