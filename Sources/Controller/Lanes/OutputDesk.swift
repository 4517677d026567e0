import AuditJournal
import Configuration
import Encoding
import Gate
import Lines
import Service
import Storage
import Threads

/// The outputs of one lane that operators and phones switch (A1). What a phone has switched is again what it was when its time is over;
/// what an operator switches lasts.
///
/// Asked on the threads of readers, radios, control socket and housekeeper. `turn` is held while a line is driven and its record is handed
/// over, so that the end of one order and the beginning of the next come one after the other, on the line as in the journal; `ends` never
/// while anything is waited for. Whoever has the first may take the second.
package final class OutputDesk: Sendable {
    /// What a change came to.
    package struct Change {
        /// How the output is now.
        package let isOn: Bool
        /// Until when, in UNIX milliseconds; nil where it lasts.
        package let until: Int64?
        /// What makes that survive a restart: it belongs into the record of who wanted it.
        package let effects: [StateEffect]
    }

    /// What time ends.
    package struct End {
        let moment: Instant
        /// The same in UNIX milliseconds, for people.
        let until: Int64
    }

    package let lane: String
    let outputs: [LineOutputSettings]
    let bank: any LineBank
    package let state: GateState
    package let recorder: Recorder
    let events: EventHub
    package let logs: LogOutput
    private let turn = Mutex(())
    private let ends = Mutex<[String: End]>([:])

    package init(_ settings: LaneSettings, bank: any LineBank, state: GateState, recorder: Recorder, events: EventHub, logs: LogOutput) {
        lane = settings.name
        outputs = settings.lineOutputs
        self.bank = bank
        self.state = state
        self.recorder = recorder
        self.events = events
        self.logs = logs
    }

    /// The output of that name, if the lane has it.
    package func output(_ name: String) -> LineOutputSettings? { outputs.first { $0.name == name } }

    /// Whether it is on, or would be if its line could be driven.
    func isOn(_ output: LineOutputSettings) -> Bool { state.switchedOn.withLock { $0.contains(output.line(ofLane: lane)) } }

    /// Until when a phone has ordered that, in UNIX milliseconds; nil where nobody has.
    package func until(_ output: LineOutputSettings) -> Int64? { ends.withLock { $0[output.name]?.until } }

    /// Switches an output and tells subscribers. Waits for its line.
    /// - Parameters:
    ///   - length: for how many milliseconds a phone may have it so; nil for an operator, whose word lasts.
    ///   - record: writes down what it came to; waits for nothing.
    package func change<Answer: Sendable>(_ output: LineOutputSettings, _ switching: CommandAction.Switching, for length: Int64?,
                                  record: (Change) -> Answer) throws(LineError) -> Answer {
        let (answer, isOn) = try inTurn { () throws(LineError) -> (Answer, Bool) in
            let wasOn = self.isOn(output), isOn = switching.result(of: wasOn)
            try drive(output, isOn)
            let order = length.flatMap { ordered(output, isOn, wasOn: wasOn, for: $0) }
            setEnd(order.map { End(moment: Self.now + $0.length, until: $0.until) }, of: output)
            return (record(Change(isOn: isOn, until: order?.until, effects: effects(output, isOn, order))), isOn)
        }
        notify(output, isOn)
        return answer
    }

    /// What a phone's switching leaves for time to end: nothing where the output is what it would be without phones.
    private func ordered(_ output: LineOutputSettings, _ isOn: Bool, wasOn: Bool, for length: Int64) -> OutputOrder? {
        let isOrdered = ends.withLock { $0[output.name] != nil }
        guard isOrdered == (isOn == wasOn) else { return nil }
        return OutputOrder(isOn: isOn, since: recorder.clock.now().milliseconds, length: length)
    }

    // Lines ----------------------------------------------------------------------------------------

    static var now: Instant { Instant(milliseconds: MonotonicTime.milliseconds) }

    func inTurn<Result: Sendable, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        try Loop.outside(.lines(of: lane)) { () throws(Failure) -> Result in
            try turn.withLock { _ throws(Failure) -> Result in try body() }
        }
    }

    /// It is so from now on, or once its line is back: one that could not be driven comes back at its safe level.
    func settle(_ output: LineOutputSettings, _ isOn: Bool) -> LineError? {
        note(output, isOn)
        do throws(LineError) {
            try drive(output, isOn)
            return nil
        } catch {
            logs.log("lines").error("\(error.code): lane \(lane), output \(output.name): \(error.message)")
            return error
        }
    }

    private func drive(_ output: LineOutputSettings, _ isOn: Bool) throws(LineError) {
        try bank.set(output.line(ofLane: lane), active: isOn)
        note(output, isOn)
    }

    private func note(_ output: LineOutputSettings, _ isOn: Bool) {
        let line = output.line(ofLane: lane)
        state.switchedOn.withLock { switchedOn in
            if isOn { switchedOn.insert(line) } else { switchedOn.remove(line) }
        }
    }

    /// Whether time has ended what a phone ordered.
    func isOver(_ output: LineOutputSettings, at now: Instant) -> Bool {
        ends.withLock { $0[output.name].map { $0.moment <= now } ?? false }
    }

    package func setEnd(_ end: End?, of output: LineOutputSettings) { ends.withLock { $0[output.name] = end } }

    func notify(_ output: LineOutputSettings, _ isOn: Bool) {
        events.emit(.output, ["lane": .string(lane), "output": .string(output.name), "on": .bool(isOn)])
    }

    // What survives --------------------------------------------------------------------------------

    func effects(_ output: LineOutputSettings, _ isOn: Bool, _ order: OutputOrder?) -> [StateEffect] {
        let key = orderKey(output)
        var effects = output.restore ? [state.set(output.key(ofLane: lane), isOn ? CBOR(true) : nil)] : []
        if order != nil || state[key] != nil { effects.append(state.set(key, order?.cbor)) }
        return effects
    }

    /// Where a phone's order is kept: beside the output itself. No output has such a name.
    func orderKey(_ output: LineOutputSettings) -> StateKey {
        let key = output.key(ofLane: lane)
        return StateKey(key.kind, "\(key.name)/phone")
    }
}

extension LineOutputSettings {
    /// The name of its line in the bank.
    package func line(ofLane lane: String) -> LineName { "\(lane):\(name)" }

    /// Under which name its state is kept.
    func key(ofLane lane: String) -> StateKey { StateKey(.output, "\(lane):\(name)") }
}
