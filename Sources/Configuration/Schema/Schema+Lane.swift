extension Schema {
    private static let output = [
        Setting("chip", .text(maximum: 128), .required,
                "The GPIO chip: its name (`gpiochip0`), path or label; `simulated` moves nothing and says so."),
        Setting("line", .line, .required, "The line on the chip: its number or its name."),
        Setting("active", .choice(ActiveLevel.allCases.map(\.rawValue)), .standard(.text("high")),
                "The voltage that means on: `high` or `low`.")
    ]

    private static let relay = SettingTable("relay", .single, "The relay that opens the lane.", settings: output + [
        Setting("pulse-ms", .integer(50...60_000), .standard(.integer(500)), "How long the relay is energised.")
    ])

    private static let lights = SettingTable("lights", .single, "What people at the lane see; each light may be left out.", tables: [
        light(.ready, "On while the lane waits for a phone."),
        light(.granted, "On after a grant, as long as the relay and at least a second."),
        light(.denied, "On after a refusal."),
        light(.fault, "On while the lane is out of order.")
    ])

    private static func light(_ light: Light, _ explanation: String) -> SettingTable {
        SettingTable(light.rawValue, .optional, explanation, settings: output)
    }

    static let lane = SettingTable("lane", .list(minimum: 1), "One lane: a relay, its lights, its rules. Repeat it for every lane.", settings: [
        Setting("name", .identifier(maximum: 32), .required,
                "The lane's name towards phones, in tokens' audiences and in the journal."),
        Setting("zone", .identifier(maximum: 64), .optional, "The zone it leads into, if audiences speak of zones."),
        Setting("methods", .integers([0, 1, 2, 3]), .standard(.integers([0])),
                "EDHOC methods offered, best first. 0: both sides sign, which leaves evidence; 3: both agree, which is shorter."),
        Setting("suites", .integers([2, 3]), .standard(.integers([2, 3])), "EDHOC cipher suites accepted."),
        Setting("cooldown-success-ms", .integer(0...600_000), .standard(.integer(2000)),
                "Pause after a success before the next run, counted from the relay; 0 switches it off."),
        Setting("cooldown-failure-ms", .integer(0...60_000), .standard(.integer(500)),
                "Pause after a failure; 0 switches it off."),
        Setting("second-factor", .choice(SecondFactorSetting.allCases.map(\.rawValue)), .standard(.text("never")),
                "When only a key opens that is released after user verification: `never`, `always`, or `scheduled`."),
        Setting("second-factor-schedule", .identifier(maximum: 64), .optional,
                "The schedule during which `scheduled` wants it. One that the site data do not have counts as in force."),
        Setting("audit-on-failure", .choice(AuditFailurePolicy.allCases.map(\.rawValue)), .inherited("audit.on-failure"),
                "This lane's own answer to a journal that cannot be written.")
    ], tables: [relay, lights])
}
