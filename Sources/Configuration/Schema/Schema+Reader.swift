extension Schema {
    private static let match = SettingTable(
        "match", .single, "How the device is found: exactly one of `name`, `serial`, `port`. Never by index.", settings: [
            Setting("name", .text(maximum: 128), .optional,
                    "The name PC/SC shows, whole or without the two numbers at its end."),
            Setting("serial", .text(maximum: 128), .optional, "The device's serial number."),
            Setting("port", .text(maximum: 64), .optional,
                    "Where it is plugged in: the USB path (`1-1.2`) or the PC/SC channel (`00010002`)."),
            Setting("name-contains", .text(maximum: 128), .optional,
                    "Picks one of the readers of a device with several slots: part of its PC/SC name (`PICC`).")
        ])

    static let reader = SettingTable("reader", .list(minimum: 0), "One reader, bound to a lane. Repeat it for every reader.", settings: [
        Setting("name", .identifier(maximum: 32), .required, "Our own name for it, in status and journal."),
        Setting("lane", .identifier(maximum: 32), .required, "The name of the lane it serves."),
        Setting("direction", .choice(PassageDirection.allCases.map(\.rawValue)), .standard(.text("in")),
                "Which way it lets people pass: `in` or `out`."),
        Setting("type", .choice(ReaderType.allCases.map(\.rawValue)), .standard(.text("pcsc")),
                "What drives it: `pcsc`, which is pcscd with any CCID reader."),
        Setting("presentation-deadline-ms", .integer(200...10_000), .standard(.integer(1500)),
                "A presentation that takes longer is closed as `timeout`."),
        Setting("stuck-after-ms", .integer(2000...120_000), .standard(.integer(10_000)),
                "A reader that does not come back for this long is a reader fault.")
    ], tables: [match])
}
