import Vocabulary

/// Every table and key of `tapstile.toml`. The reader, the suggestions for unknown keys, the effective
/// configuration and docs/configuration.md all come from here.
public enum Schema {
    /// The document.
    public static let root = SettingTable("", .single, "", tables: [
        site, gate, trust, sync, store, audit, log, control, clock, inputs, lane, reader, radio, pattern
    ])

    static let site = SettingTable("site", .single, "The site this gate belongs to.", settings: [
        Setting("id", .identifier(maximum: 64), .required, "The site's name as tokens name it in their audience.")
    ], change: .restart)

    static let gate = SettingTable("gate", .single, "This gate and its keys, as `tapstile-authority gate` makes them.", settings: [
        Setting("id", .identifier(maximum: 32), .required, "This gate's name towards phones and in the journal.", change: .restart),
        Setting("signing-key", .path(maximum: 4096), .optional,
                "File of the key the gate signs with; lanes that offer method 0 or 2 need it."),
        Setting("agreement-key", .path(maximum: 4096), .optional,
                "File of the key the gate agrees with; lanes that offer method 1 or 3 need it."),
        Setting("signing-credential", .path(maximum: 4096), .optional,
                "File of a gate token for the signing key: shown to phones that may not know the key (about 210 bytes more in message_2)."),
        Setting("agreement-credential", .path(maximum: 4096), .optional,
                "The same for the agreement key."),
        Setting("next-signing-key", .path(maximum: 4096), .optional,
                "File of the key the gate signs with from `switch-at` on."),
        Setting("next-agreement-key", .path(maximum: 4096), .optional,
                "File of the key the gate agrees with from `switch-at` on."),
        Setting("switch-at", .time, .optional,
                "When the next keys come into force, by a clock that is trusted.")
    ])

    static let trust = SettingTable("trust", .single, "Whom the gate believes.", settings: [
        Setting("root", .path(maximum: 4096), .optional,
                "The first `root.json` of the site's repository, from a hand that you trust: site data come by synchronisation, or in folders. This or `site-file` is needed.",
                change: .restartToComeOrGo),
        Setting("site-file", .path(maximum: 4096), .optional,
                "The site's own file (`/etc/tapstile/site.toml`), for a gate without an authority, in the place of `root`.",
                change: .restartToComeOrGo),
        Setting("keep", .choice(KeptSiteData.allCases.map(\.rawValue)), .standard(.text("all")),
                "Whose keys and cards are kept, with `root`: `all`, or `own-zones` (of those for whom no lane here could open, nothing is stored)."),
        Setting("warn-after-hours", .integer(1...8760), .standard(.integer(24)),
                "Site data older than this is a warning in status, and once in the log."),
        Setting("refuse-after-days", .integer(1...3650), .standard(.integer(30)),
                "Site data older than this refuses every token (`trust-data-stale`)."),
        Setting("token-cache", .integer(0...16_384), .standard(.integer(1024)),
                "The gate keeps this many tokens, about 1 KiB each, so that their phones may name them instead of showing them; 0: none.")
    ])

    static let store = SettingTable("store", .single, "Where the gate keeps its data.", settings: [
        Setting("directory", .path(maximum: 4000), .standard(.text("/var/lib/tapstile")),
                "The state folder: site data, journal, the clock's memory. One daemon per folder.")
    ], change: .restart)

    static let audit = SettingTable("audit", .single, "The journal of every attempt.", settings: [
        Setting("on-failure", .choice(AuditFailurePolicy.allCases.map(\.rawValue)), .standard(.text("deny")),
                "What happens when an attempt cannot be recorded: `deny` refuses, `allow` opens once for each lane, the record follows."),
        Setting("wait-ms", .integer(0...250), .standard(.integer(3)),
                "How long the relay waits for the outcome record."),
        Setting("durable-within-ms", .integer(10...2000), .standard(.integer(250)),
                "How long after the phone's proof the attempt record may take before `on-failure` decides."),
        Setting("max-records", .integer(10_000...100_000_000), .standard(.integer(1_000_000)),
                "The journal keeps this many records; then the oldest ones go.", change: .restart),
        Setting("collect", .choice(AuditCollection.allCases.map(\.rawValue)), .standard(.text("none")),
                "Who collects the records: `none`, or `export` (somebody takes them and says so with `tapstile journal ack`; a warning at nine tenths).",
                change: .restart),
        Setting("on-full", .choice(AuditFullPolicy.allCases.map(\.rawValue)), .standard(.text("overwrite")),
                "When all records kept are uncollected: `overwrite` lets the oldest go and counts them, `deny` grants nothing until somebody has collected.",
                change: .restart)
    ])

    static let control = SettingTable("control", .single, "The sockets `tapstile` talks to, and who may use them.", settings: [
        Setting("socket", .path(maximum: 95), .standard(.text("/run/tapstile/control.sock")),
                "Path of the socket of maintainers and root; a Unix socket's path is short."),
        Setting("group", .identifier(maximum: 32), .standard(.text("tapstile")),
                "The group whose members read the journal, import and reload, besides root: maintainers. The group of lines and keys is another one (`tapstile-gate`)."),
        Setting("operator-group", .identifier(maximum: 32), .standard(.text("tapstile-operators")),
                "The group whose members also move lanes and acknowledge records: operators. Their socket is `operator.sock` beside `socket`."),
        Setting("observer-group", .identifier(maximum: 32), .standard(.text("tapstile-observers")),
                "The group whose members see status and events and nothing else: observers. Their socket is `observer.sock` beside `socket`.")
    ], change: .restart)

    static let clock = SettingTable("clock", .single, "How far the wall clock is believed.", settings: [
        Setting("source", .choice(ClockSource.allCases.map(\.rawValue)), .standard(.text("kernel")),
                "Who vouches for the time: `kernel` (its synchronisation flag) or `installer` (you, for a clock the kernel does not know of)."),
        Setting("holdover-days", .integer(0...3650), .standard(.integer(30)),
                "How long a clock that was synchronised and runs on by itself is believed."),
        Setting("when-untrusted", .choice(UntrustedClockPolicy.allCases.map(\.rawValue)), .standard(.text("enrolled-only")),
                "Who may pass while nobody vouches for the time: `enrolled-only` refuses tokens, `deny` refuses everyone."),
        Setting("after-boot", .choice(AfterBootPolicy.allCases.map(\.rawValue)), .standard(.text("confirm")),
                "What the first time after a boot is good for. `confirm`: it serves people, but opens no lane by plan and drops no second factor until a signed "
                    + "date, root or an operator confirms it. `believe`: it counts at once.")
    ])
}

extension Schema {
    /// Every table with its heading, parents first: `[lane.relay]`, `[[reader]]`.
    public static var allTables: [(path: String, table: SettingTable)] { below(root, path: "") }

    package static func below(_ table: SettingTable, path: String) -> [(path: String, table: SettingTable)] {
        table.tables.flatMap { child -> [(path: String, table: SettingTable)] in
            let childPath = path.isEmpty ? child.name : "\(path).\(child.name)"
            return [(childPath, child)] + below(child, path: childPath)
        }
    }

    /// The tables that know a key, as headings.
    static func paths(ofKey key: String, in root: SettingTable) -> [String] {
        below(root, path: "").filter { $0.table.settings.contains { $0.name == key } }.prefix(3).map { heading($0.path, $0.table) }
    }

    package static func heading(_ path: String, _ table: SettingTable) -> String {
        if case .list = table.form { return "[[\(path)]]" }
        return "[\(path)]"
    }
}

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
        Setting("free-passage-direction", .choice(Direction.allCases.map(\.rawValue)), .standard(.text("in")),
                "Which way the lane is free in free passage, and held open where nobody says which way."),
        Setting("automatic", .flag, .standard(.flag(true)),
                "Whether phones open by being presented alone; else a person starts it in the app."),
        Setting("ble-background-cooldown-ms", .integer(0...600_000), .standard(.integer(20_000)),
                "Pause after a success over BLE by a phone in background, for that phone only; 0 switches it off.")
    ]
}

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
