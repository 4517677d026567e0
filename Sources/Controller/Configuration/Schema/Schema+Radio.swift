import Vocabulary

extension Schema {
    /// Over which carriers a lane serves phones, and which of them over BLE; in the table of the lane itself.
    static let carriers = [
        Setting("carriers", .choice(CarrierSetting.allCases.map(\.rawValue)), .standard(.text("nfc-first")),
                "Over what phones are served: `nfc-first` (BLE for phones without NFC, for people who start it in the app, and for all while "
                    + "no reader is in service), `nfc-only`, `ble-only`, `both`. A lane at no radio is served over NFC."),
        Setting("ble-require", .choice(BLERequirement.allCases.map(\.rawValue)), .standard(.text("none")),
                "What a phone must say of itself over BLE: `foreground` (the app is in front), `unlocked`, or nothing. No proof: that is `second-factor`."),
        Setting("ble-rssi-threshold-dbm", .integer(-100...0), .standard(.integer(-60)),
                "How strong the gate must hear a phone that is near, in dBm; 0 is stronger than -100."),
        Setting("ble-rssi-window-ms", .integer(100...5000), .standard(.integer(300)),
                "How long a phone may take to come near once it has connected.")
    ]

    static let radio = SettingTable(
        "radio", .list(minimum: 0), "One Bluetooth adapter, and the lanes it serves. Repeat it for every adapter.", settings: [
            Setting("name", .identifier(maximum: 32), .required, "Our own name for it, in status and journal; readers have other ones."),
            Setting("lanes", .names(maximum: 32), .required, "The names of the lanes it serves, in the order in which phones are offered them.",
                    change: .restart),
            Setting("direction", .choice(Direction.allCases.map(\.rawValue)), .standard(.text("in")),
                    "Which way it lets people pass: `in` or `out`."),
            Setting("address", .bluetoothAddress, .optional,
                    "The adapter's own address (`bluetoothctl list`); needed where there are several. Never `hci0`, which changes.",
                    change: .restart),
            Setting("mode", .choice(RadioMode.allCases.map(\.rawValue)), .standard(.text("on-touch")),
                    "`on-touch`: near phones open by themselves; `classic`: a person starts it in the app, from wherever the radio reaches.",
                    change: .restart),
            Setting("manual", .flag, .standard(.flag(true)),
                    "Whether a person may start it in the app; with `false` in `on-touch` mode phones open by themselves or not at all."),
            Setting("service-uuid", .uuid, .byWord(of: "mode", serviceUUIDs),
                    "The service that phones look for.", change: .restart),
            Setting("links", .integer(1...7), .standard(.integer(3)), "How many phones may be connected at a time."),
            Setting("presentation-deadline-ms", .integer(1000...30_000), .standard(.integer(5000)),
                    "A conversation that takes longer is closed as `timeout`: from the phone's first message on, with what its person is asked meanwhile."),
            Setting("report-interval-ms", .integer(0...60_000), .standard(.integer(500)),
                    "How often `tapstile events` tells which phones are nearby: 0 for never, or 100 and more.")
        ], change: .restartForList)

    private static let serviceUUIDs = Dictionary(uniqueKeysWithValues: RadioMode.allCases.map { ($0.rawValue, $0.serviceUUID) })
}
