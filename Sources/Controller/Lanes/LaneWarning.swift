import Gate

/// What is wrong with a lane that serves nevertheless.
public enum LaneWarning: Hashable, Sendable {
    /// An output was energised before the gate took it. While the gate drives the line all is well; whenever it does
    /// not (start, end, power-up of the board) the relay is on.
    case levelUnsafe
    /// This relay is to be de-energised and cannot be: its way stands open.
    case stuckOn
    /// This input was active when the gate started, and has been ever since.
    case inputActive(InputKind)
    /// This input changes without end: what it does is told twice in a second at most.
    case inputChatters(InputKind)
    /// The fire loop is cut, short or cannot be read. Where that counts as no alarm (`on-fire-line-fault = "stay"`) nobody would notice before a fire.
    case fireLoop(InputFault)
    /// The lane's second factor goes by a schedule that the site data do not have: it is wanted always.
    case scheduleUnknown(String)
    /// A command of the lane goes by a schedule that the site data do not have: it is run at no time.
    case commandNeverInForce(command: String, schedule: String)
    /// The lane has the strictest of the modes that its plan may want: what it wants now nobody knows.
    case planUncertain
    /// The lane's plan would open it, but nobody has confirmed the time since the machine started.
    case planUnconfirmed

    /// Stable code, for status, events, log and journal.
    public var code: String {
        switch self {
        case .levelUnsafe: "line-rest-unsafe"
        case .stuckOn: "relay-stuck-on"
        case .inputActive: "input-active-at-start"
        case .inputChatters: "input-chatters"
        case .fireLoop: "fire-loop-fault"
        case .scheduleUnknown: "schedule-unknown"
        case .commandNeverInForce: "command-schedule-unknown"
        case .planUncertain: "plan-uncertain"
        case .planUnconfirmed: "plan-unconfirmed"
        }
    }

    /// A sentence for people that names the remedy.
    public var message: String {
        switch self {
        case .levelUnsafe:
            "With nobody driving this line, what hangs on it is on: it was, while the gate did not hold it. Fix the wiring: a "
                + "resistor (10 kΩ) to the safe level, or another line, or the other `active` in the configuration."
        case .stuckOn:
            "The relay on this line cannot be de-energised, and its way stands open. Cut its power now; the code beside it says what failed."
        case .inputActive(let kind):
            "The input \(StoredWord.shown(kind.rawValue)) was active when the gate started and still is. If nothing is the matter at the lane, its "
                + "contact is stuck, its wire is broken, or `closed` or `normally` in the configuration is the wrong way round."
        case .inputChatters(.requestToExit):
            "The input request-to-exit changes without end: its contact is loose or worn, its wire catches what is around it, or somebody plays with it. "
                + "It lets nobody out until it has been calm for 50 s. Fix it, and look that there is another way out meanwhile."
        case .fireLoop(let fault):
            "The fire loop is \(InputState.faulty(fault).word): no alarm would be seen over it. Fix its wires; a wire of it is broken (cut), wires touch "
                + "(short), or its line cannot be read (unseen)."
        case .inputChatters(let kind):
            "The input \(StoredWord.shown(kind.rawValue)) changes without end, and only two of its changes in a second are looked at. Its contact is loose or "
                + "worn, its wire catches what is around it, or somebody plays with it; a longer `debounce-ms` may help."
        case .scheduleUnknown(let name):
            "The site data have no schedule \(name), so that the second factor is wanted at all times. Correct "
                + "`second-factor-schedule` or the site data, or choose \"always\" or \"never\"."
        case .commandNeverInForce(let command, let name):
            "The site data have no schedule \(name), so that the command \(command) is run at no time. Correct `schedule` of the "
                + "[[lane.command]] or the site data, or leave it out."
        case .planUncertain:
            "The lane's plan goes by a time, a time zone or a schedule that the gate does not have, so that the lane has the strictest mode "
                + "that may be right. See the clock, `problem` under siteRules, and the names of the schedules."
        case .planUnconfirmed:
            "The lane's plan opens it now, but nobody has confirmed the time since the machine started. Compare `clock` with a clock that you trust; "
                + "then: tapstile clock confirm. Where the gate synchronises, the next fresh timestamp does it."
        }
    }
}
