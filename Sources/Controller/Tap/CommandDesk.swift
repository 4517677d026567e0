import AuditJournal
import Configuration
import Credentials
import Encoding
import Gate
import Lanes
import Lines
import Service
import Site
import SiteRules
import Storage
import Threads
import Vocabulary

/// What commands of phones do at one lane beside letting somebody through (A1).
package struct CommandDesk: Sendable {
    /// By name, as the installer wrote them down.
    private let commands: [String: LaneCommand]
    private let outputs: OutputDesk
    private let state: GateState
    private let recorder: Recorder
    private let logs: LogOutput

    package init(_ settings: LaneSettings, outputs: OutputDesk) {
        commands = LaneCommand.all(settings)
        self.outputs = outputs
        state = outputs.state
        recorder = outputs.recorder
        logs = outputs.logs
    }

    /// The command of that name, if the lane runs it at this time.
    func command(_ name: String, _ schedules: Schedules, at time: ClockReading) -> LaneCommand? {
        guard let command = commands[name], command.schedule.map({ schedules.isInForce($0, time, .grants) ?? false }) ?? true else { return nil }
        return command
    }

    /// What the record of an outcome says that a command changes in the state that survives a restart.
    func effects(of action: CommandAction, lane: LaneRunner, at time: Int64) -> [StateEffect] {
        guard case .order(let order) = action else { return [] }
        let slot = GateState.phones(ofLane: lane.name)
        guard let kept = LaneOrder(order, at: time) else { return state.endPhonesOrder(ofLane: lane.name) }
        state.setEnd(kept.until.map { Instant(milliseconds: MonotonicTime.milliseconds + $0 - time) }, ofLane: slot)
        return [state.set(kept, ofLane: slot)]
    }

    /// Does it. False when it could not be done: a line that cannot be driven, or somebody whose word counts more came up meanwhile.
    package func run(_ command: LaneCommand, _ reservation: consuming LaneReservation, lane: LaneRunner, outcome: UInt64) -> Bool {
        switch command.action {
        case .order(let order):
            if lane.order(reservation, order, at: Instant(milliseconds: MonotonicTime.milliseconds)) { return true }
            undo(lane: lane.name, outcome: outcome)
            return false
        case .output(let name, let switching, let length):
            let isDone = switchOver(name, switching, for: length, outcome: outcome)
            lane.giveBack(reservation)
            return isDone
        // Who passes is let through by the station.
        case .recordOnly, .pass, .passOut:
            lane.giveBack(reservation)
            return true
        }
    }

    private func switchOver(_ name: String, _ switching: CommandAction.Switching, for length: Int64, outcome: UInt64) -> Bool {
        guard let output = outputs.output(name) else { return false }
        let detail: [String: CBOR] = ["output": .text(name), "by": "phone", "outcome": .unsigned(outcome)]
        do throws(LineError) {
            try outputs.change(output, switching, for: length) { change in
                var detail = detail
                detail["on"] = CBOR(change.isOn)
                detail["until"] = change.until.map { .text(UTCText.make(milliseconds: $0)) }
                _ = recorder.record(.mode, "asked", lane: outputs.lane, reason: switching.rawValue, detail: detail, effects: change.effects)
            }
            return true
        } catch {
            recorder.record(.mode, "asked", lane: outputs.lane, reason: switching.rawValue,
                         detail: detail.merging(["refused": .text(error.code)]) { own, _ in own })
            logs.log("lines").error("\(error.code): lane \(outputs.lane), output \(name): \(error.message)")
            return false
        }
    }

    /// An order that did not come about does not come about after a restart either.
    private func undo(lane: String, outcome: UInt64) {
        let effects = state.endPhonesOrder(ofLane: lane)
        recorder.record(.mode, "asked", lane: lane, detail: ["by": "phone", "refused": "not-done", "outcome": .unsigned(outcome)], effects: effects)
    }
}
