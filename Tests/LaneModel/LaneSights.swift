import Gate

/// What a run of the model has met.
public struct LaneSights: Sendable {
    public internal(set) var states: Set<String> = []
    public internal(set) var signals: Set<Signal> = []
    public internal(set) var findings: Set<PassageFinding> = []
    public internal(set) var alarms: Set<AlarmCause> = []
    public internal(set) var refusals: Set<LaneRefusal> = []
    public internal(set) var conditions: Set<String> = []
    public internal(set) var grants = 0
    public internal(set) var tests = 0
    public internal(set) var commands = 0
    public internal(set) var longestPulse: Int64 = 0
    public internal(set) var largest = 0

    mutating func note(_ state: LaneState, _ signal: Signal) {
        states.insert(state.code)
        signals.insert(signal)
    }

    mutating func note(_ condition: LaneCondition) {
        switch condition {
        case .clear: conditions.insert("clear")
        case .resting(let cooldown): conditions.insert("resting \(cooldown.kind)")
        case .busy: conditions.insert("busy")
        case .occupied: conditions.insert("occupied")
        case .closed: conditions.insert("closed")
        case .outOfService: conditions.insert("out of service")
        }
    }

    mutating func add(_ other: LaneSights) {
        states.formUnion(other.states)
        signals.formUnion(other.signals)
        findings.formUnion(other.findings)
        alarms.formUnion(other.alarms)
        refusals.formUnion(other.refusals)
        conditions.formUnion(other.conditions)
        grants += other.grants
        tests += other.tests
        commands += other.commands
        longestPulse = max(longestPulse, other.longestPulse)
        largest = max(largest, other.largest)
    }
}
