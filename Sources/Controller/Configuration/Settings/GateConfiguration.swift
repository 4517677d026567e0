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
