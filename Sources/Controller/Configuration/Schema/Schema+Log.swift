extension Schema {
    private static let levels = LoggingLevel.allCases.map(\.rawValue)
    private static let targets = LoggingTarget.allCases.map(\.rawValue)

    static let log = SettingTable("log", .single, "What is written down for those who look after the gate.", settings: [
        Setting("level", .choice(levels), .standard(.text("info")), "The least grave line that is written."),
        Setting("target", .choice(targets), .standard(.text("journal")),
                "Where lines go: systemd's `journal` (standard error where none runs) or `stderr`.")
    ], tables: GateConfiguration.logRooms.map(logRoom))

    private static func logRoom(_ name: String) -> SettingTable {
        SettingTable(name, .single, logTexts[name] ?? "", settings: [
            Setting("level", .choice(levels), .inherited("log.level"), "The level of this room."),
            Setting("target", .choice(targets), .inherited("log.target"), "The target of this room.")
        ])
    }

    private static let logTexts = [
        "service": "Start, stop, threads, systemd.",
        "configuration": "Reading and reloading this file.",
        "control": "The control socket: which user and process asks to change something; at `debug` every request.",
        "clock": "The wall clock and its trust.",
        "readers": "Readers that come, go and recover.",
        "radio": "Bluetooth adapters and bluetoothd: what comes, goes and recovers.",
        "conversations": "The exchange with a phone, step by step.",
        "gate": "Decisions and their reasons.",
        "lines": "Relay and indicators.",
        "journal": "The audit journal.",
        "trust": "Site data and its imports.",
        "sync": "Synchronisation with the site's repository."
    ]
}
