import Configuration

/// What is known where a site's file is read.
public struct SiteFileContext: Sendable {
    /// Whether people and issuers stand in the file too. In the office they have commands of their own.
    public let hasPeople: Bool
    /// The lanes and zones of the gate, where there is only one gate; nil: names of others are no mistake.
    public let gate: (lanes: [String], zones: [String])?
    /// The commands of the gate's lanes that want a second factor.
    public var guardedCommands: [(lane: String, name: String)] = []
    /// Where the system keeps the data of time zones.
    public let timeZones: String

    /// The folder of time zones on Debian.
    public static let systemTimeZones = "/usr/share/zoneinfo"

    /// A context.
    public init(hasPeople: Bool, gate: (lanes: [String], zones: [String])? = nil, timeZones: String = systemTimeZones) {
        self.hasPeople = hasPeople
        self.gate = gate
        self.timeZones = timeZones
    }

    /// On a gate that stands alone: names of lanes and zones are those of its configuration.
    public init(_ gate: GateConfiguration) {
        self.init(hasPeople: true, gate: (gate.lanes.map(\.name), gate.lanes.compactMap(\.zone)))
        guardedCommands = gate.lanes.flatMap { lane in lane.commands.filter(\.wantsSecondFactor).map { (lane.name, $0.name) } }
    }

    /// In the office of an authority.
    public static let office = SiteFileContext(hasPeople: false)
}
