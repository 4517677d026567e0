import Configuration
import Gate

/// Everything that the presentations over one radio need; made when the configuration is read.
package struct RadioStation: Sendable {
    /// The radio's name.
    package let name: String
    /// What the presentations at each of its lanes need, in the order in which the lanes are offered.
    package let lanes: [TapStation]
    /// By what links are judged.
    let rules: RadioRules
    /// Milliseconds between two reports of the phones nearby (T12); nil: none.
    let reportInterval: Int64?

    /// As an installer has written it.
    package init(_ settings: RadioSettings, _ stations: [String: TapStation], _ configuration: GateConfiguration) {
        name = settings.name
        lanes = settings.lanes.compactMap { stations[$0] }
        rules = RadioRules(settings, lanes: configuration.lanes)
        reportInterval = settings.reportIntervalMilliseconds == 0 ? nil : Int64(settings.reportIntervalMilliseconds)
    }

    /// The keys made ahead for its conversations.
    var ephemerals: EphemeralSupply? { lanes.first?.ephemerals }

    /// The lanes of these names, the one that a phone is offered first at the front (`LaneChoice`).
    func offered(near names: [String], at now: Instant) -> [TapStation] {
        let near = lanes.filter { names.contains($0.lane.name) }
        let order = LaneChoice.order(near.map { ($0.lane.name, $0.lane.condition($0.direction, for: .ble, at: now)) })
        return order.compactMap { name in near.first { $0.lane.name == name } }
    }
}
