extension Schema {
    /// What a lane does about passages, and what overrides its rules; in the table of the lane itself.
    static let passage = [
        Setting("passage-wait-ms", .integer(500...600_000), .standard(.integer(5000)),
                "How long a passage is waited for after a grant; then it is \"granted, not passed\"."),
        Setting("held-after-ms", .integer(1000...3_600_000), .standard(.integer(10_000)),
                "A passage that takes longer is held: blocked, or kept open."),
        Setting("alarm-ms", .integer(0...3_600_000), .standard(.integer(10_000)), "How long an alarm shows."),
        Setting("on-fire", .choice(FireDirection.allCases.map(\.rawValue)), .optional,
                "Which way the relay is held under a fire alarm, or `stay`. `out` where there is a `relay-out`, else `in`."),
        Setting("on-fire-line-fault", .choice(FireLineFaultPolicy.allCases.map(\.rawValue)), .standard(.text("release")),
                "What a fire line does that is cut, shorted or cannot be read: `release` as an alarm does, or `stay`."),
        Setting("request-to-exit-when-locked", .flag, .standard(.flag(true)),
                "Whether the request to exit lets people out of a lane that is locked down."),
        Setting("free-passage-direction", .choice(PassageDirection.allCases.map(\.rawValue)), .standard(.text("in")),
                "Which way the lane is free in free passage, and held open where nobody says which way."),
        Setting("automatic", .flag, .standard(.flag(true)),
                "Whether phones open by being presented alone; else a person starts it in the app."),
        Setting("ble-background-cooldown-ms", .integer(0...600_000), .standard(.integer(20_000)),
                "Pause after a success over BLE by a phone in background, for that phone only; 0 switches it off.")
    ]
}
