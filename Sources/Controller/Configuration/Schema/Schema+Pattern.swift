extension Schema {
    static let pattern = SettingTable(
        "pattern", .single,
        "How a lane tells people something, where it shall differ from what is shipped (docs/lane.md). For all lanes.",
        tables: SignalName.allCases.map(pattern))

    private static func pattern(_ signal: SignalName) -> SettingTable {
        SettingTable(signal.rawValue, .optional, explanation(signal), settings: [
            Setting("steps", .texts(maximum: 64), .required,
                    "Up to 64 steps: lamps (`red`, `green`, `blue`, `buzzer`, joined by `+`, or `off`) and milliseconds, a multiple of 100: `\"green+buzzer 200\"`."),
            Setting("repeat", .flag, .standard(.flag(true)), "Begin again after the last step; otherwise the last step stays.")
        ])
    }

    private static func explanation(_ signal: SignalName) -> String {
        switch signal {
        case .ready: "The lane waits for a phone."
        case .reading: "A phone is being read."
        case .granted: "Somebody may pass."
        case .denied: "Somebody may not pass."
        case .wait: "Somebody has to come back in a moment."
        case .degraded: "The lane waits for a phone, and something is wrong that keeps nobody out."
        case .lockedDown: "The lane is locked down."
        case .free: "Everybody may pass."
        case .closed: "The lane is closed."
        case .alarm: "Somebody passed, or tried to, without leave."
        case .fault: "The lane is out of order."
        case .fire: "There is a fire alarm."
        }
    }
}
