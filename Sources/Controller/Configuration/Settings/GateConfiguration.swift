/// Everything an installer decides about one gate: wiring, readers, timing, files. A value; it was checked
/// as a whole when it was read.
public struct GateConfiguration: Hashable, Sendable {
    public var site: SiteSettings
    public var gate: GateSettings
    public var trust: TrustSettings
    public var store: StoreSettings
    public var audit: AuditSettings
    public var log: LoggingSettings
    public var control: ControlSettings
    public var clock: ClockSettings
    /// Where the site's repository lies; nil: nowhere, the gate does not synchronise.
    public var sync: SyncSettings?
    /// Contacts that concern every lane.
    public var inputs = InputsSettings()
    /// At least one; names differ.
    public var lanes: [LaneSettings]
    /// Names differ; each names a lane of this gate.
    public var readers: [ReaderSettings]
    /// Names differ, also from those of readers; each lane is at one of them at most.
    public var radios: [RadioSettings] = []
    /// Patterns in place of the shipped ones.
    public var patterns: [SignalName: PatternSettings]

    /// The subsystems that `[log.ROOM]` can name.
    public static let logRooms = [
        "service", "configuration", "control", "clock", "readers", "radio", "conversations", "gate", "lines", "journal", "trust", "sync"
    ]

    public init(site: SiteSettings, gate: GateSettings, trust: TrustSettings, store: StoreSettings, audit: AuditSettings,
                log: LoggingSettings, control: ControlSettings, clock: ClockSettings, lanes: [LaneSettings],
                readers: [ReaderSettings], patterns: [SignalName: PatternSettings] = [:]) {
        self.site = site
        self.gate = gate
        self.trust = trust
        self.store = store
        self.audit = audit
        self.log = log
        self.control = control
        self.clock = clock
        self.lanes = lanes
        self.readers = readers
        self.patterns = patterns
    }

    /// The readers bound to a lane, in the order of the file.
    public func readers(ofLane lane: String) -> [ReaderSettings] { readers.filter { $0.lane == lane } }

    /// The radio that serves a lane.
    public func radio(ofLane lane: String) -> RadioSettings? { radios.first { $0.lanes.contains(lane) } }

    /// Lines that move nothing because an installer chose the simulated bank for them; start-up and status say so.
    public var usesSimulatedLines: Bool {
        inputs.all.contains { $0.input.isSimulated } || lanes.contains { lane in
            lane.outputs.contains { $0.output.isSimulated } || lane.inputs.all.contains { $0.input.isSimulated }
                || lane.lineOutputs.contains { $0.output.isSimulated }
        } || readers.contains { $0.reset.line?.isSimulated ?? false }
    }
}

/// `[gate]`
public struct GateSettings: Hashable, Sendable {
    /// The gate's name towards phones and in the journal; phones take 32 bytes of it. 1–32 letters, digits, `.`, `_`, `-`.
    public var identifier: String
    /// File of the gate's signing key; needed by methods 0 and 2.
    public var signingKey: String?
    /// File of the gate's key agreement key; needed by methods 1 and 3.
    public var agreementKey: String?
    /// File of the gate token for the signing key, to show it by value.
    public var signingCredential: String?
    /// File of the gate token for the agreement key, to show it by value.
    public var agreementCredential: String?
    /// File of the signing key from `switchAt` on.
    public var nextSigningKey: String?
    /// File of the key agreement key from `switchAt` on.
    public var nextAgreementKey: String?
    /// When the next keys come into force, UNIX seconds.
    public var switchAt: Int64?

    public init(identifier: String, signingKey: String?, agreementKey: String?, signingCredential: String? = nil,
                agreementCredential: String? = nil, nextSigningKey: String? = nil, nextAgreementKey: String? = nil,
                switchAt: Int64? = nil) {
        self.identifier = identifier
        self.signingKey = signingKey
        self.agreementKey = agreementKey
        self.signingCredential = signingCredential
        self.agreementCredential = agreementCredential
        self.nextSigningKey = nextSigningKey
        self.nextAgreementKey = nextAgreementKey
        self.switchAt = switchAt
    }
}

/// What a lane can tell people, as `[pattern.SIGNAL]` names it.
public enum SignalName: String, Sendable, CaseIterable {
    case ready, reading, granted, denied, wait, degraded
    case lockedDown = "locked-down"
    case free, closed, alarm, fault, fire
}

/// `[site]`
public struct SiteSettings: Hashable, Sendable {
    /// The site's name in tokens' audiences. 1–64 letters, digits, `.`, `_`, `-`.
    public var identifier: String

    public init(identifier: String) { self.identifier = identifier }
}

/// `[store]`
public struct StoreSettings: Hashable, Sendable {
    /// The state folder: `trust.db`, `journal.db`, the clock's memory, the instance lock.
    public var directory: String

    public init(directory: String) { self.directory = directory }
}
