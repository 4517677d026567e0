import Vocabulary

extension Schema {
    private static let output = [
        Setting("chip", .text(maximum: 128), .required,
                "The GPIO chip: its name (`gpiochip0`), path or label; `simulated` moves nothing and says so.", change: .restart),
        Setting("line", .line, .required, "The line on the chip: its number or its name.", change: .restart),
        Setting("active", .choice(ActiveLevel.allCases.map(\.rawValue)), .standard(.text("high")),
                "The voltage that means on: `high` or `low`.", change: .restart)
    ]

    private static let relay = SettingTable("relay", .single, "The relay that opens the lane, inwards where there are two.",
                                            settings: relaySettings)

    private static let relayOut = SettingTable("relay-out", .optional, "The relay that opens the lane outwards; without it the other one serves both ways.",
                                               settings: relaySettings)

    private static let relaySettings = output + [
        Setting("pulse-ms", .integer(50...60_000), .standard(.integer(500)), "How long the relay is energised."),
        Setting("hold", .choice(RelayHold.allCases.map(\.rawValue)), .standard(.text("pulse")),
                "`pulse`, or `until-passage`: until the passage begins, at the latest until nobody waits for it any more.")
    ]

    private static let switched = SettingTable("output", .list(minimum: 0), "A line that operators switch, and phones by a command: `tapstile lane LANE toggle NAME`.", settings: [
        Setting("name", .identifier(maximum: 32), .required, "Its name.")
    ] + output + [
        Setting("restore", .flag, .standard(.flag(false)), "After a restart it is as it was; else it is off.")
    ], change: .restart)

    private static let command = SettingTable(
        "command", .list(minimum: 0),
        "A command that phones may run. Without any, `tokn` lets one person through; with one, nothing is run that is not here (docs/lane.md).", settings: [
        Setting("name", .identifier(maximum: 32), .required, "Its name: credentials whose scope has it may run it; `tokn` where a phone names none."),
        Setting("action", .choice(CommandSettings.Action.allCases.map(\.rawValue)), .required, "What the lane does."),
        Setting("output", .identifier(maximum: 32), .optional, "The output that `on`, `off` and `toggle` are about."),
        Setting("minutes", .integer(1...10_080), .standard(.integer(60)),
                "How long `hold-open` and `lock-down` last, up to 1440; how long `on`, `off` and `toggle` do: then the output is again what it was.",
                only: .words(CommandSettings.Action.allCases.filter { $0.minutes != nil }.map(\.rawValue), of: "action")),
        Setting("second-factor", .flag, .optional,
                "Whether it wants a key that is released after user verification: without this everything but passing does, and who passes by the lane's own rule."),
        Setting("schedule", .identifier(maximum: 64), .optional,
                "The schedule during which it is run. One that the site data do not have counts as never in force.")
    ])

    private static let indicators = SettingTable(
        "indicators", .single,
        "What people at the lane see and hear. `red`, `green`, `blue`, `buzzer` play patterns (docs/lane.md); the others are steady. Each may be left out.",
        tables: [
        indicator(.ready, "On while the lane waits for a phone or reads one."),
        indicator(.granted, "On while somebody may pass, after a grant for at least a second."),
        indicator(.denied, "On after a refusal, and while the lane is closed or locked down."),
        indicator(.fault, "On while the lane is out of order, and during an alarm."),
        indicator(.red, "Red, for patterns."),
        indicator(.green, "Green, for patterns."),
        indicator(.blue, "Blue, for patterns."),
        indicator(.buzzer, "The buzzer, for patterns.")
    ])

    private static func indicator(_ indicator: Indicator, _ explanation: String) -> SettingTable {
        SettingTable(indicator.rawValue, .optional, explanation, settings: output)
    }

    static let lane = SettingTable("lane", .list(minimum: 1), "One lane: a relay, its indicators, its rules. Repeat it for every lane.", settings: [
        Setting("name", .identifier(maximum: 32), .required,
                "The lane's name towards phones, in tokens' audiences and in the journal."),
        Setting("zone", .identifier(maximum: 64), .optional, "The zone it leads into: for audiences and for anti-passback."),
        Setting("from-zone", .identifier(maximum: 64), .optional,
                "The zone that lies before it, if it joins two: who passes `in` leaves this one (docs/passback.md)."),
        Setting("methods", .integers([0, 1, 2, 3]), .standard(.integers([0])),
                "EDHOC methods offered, best first. 0: both sides sign, which leaves evidence; 3: both agree, which is shorter."),
        Setting("suites", .integers([2, 3, 5, 6]), .standard(.integers([2, 3, 5, 6])),
                "EDHOC cipher suites accepted. A phone takes the one that it likes best; 6 goes with method 0 alone (docs/phone-protocol.md)."),
        Setting("cooldown-success-ms", .integer(0...600_000), .standard(.integer(2000)),
                "Pause after a success before the next run, counted from the relay; 0 switches it off."),
        Setting("cooldown-failure-ms", .integer(0...60_000), .standard(.integer(500)),
                "Pause after a failure at a reader, or after a proof over Bluetooth; 0 switches it off."),
        Setting("second-factor", .choice(SecondFactorSetting.allCases.map(\.rawValue)), .standard(.text("never")),
                "When only a key opens that is released after user verification: `never`, `always`, or `scheduled`."),
        Setting("second-factor-schedule", .identifier(maximum: 64), .optional,
                "The schedule during which `scheduled` wants it. One that the site data do not have counts as in force."),
        Setting("audit-on-failure", .choice(AuditFailurePolicy.allCases.map(\.rawValue)), .inherited("audit.on-failure"),
                "This lane's own answer to a journal that cannot be written."),
        Setting("uid-only-cards", .flag, .standard(.flag(false)),
                "Whether cards open that are known by their number alone, from the site data's list. Anybody can copy one (docs/security.md).")
    ] + passage + carriers, tables: [relay, relayOut, laneInputs, switched, command, indicators], change: .restartForList)
}
