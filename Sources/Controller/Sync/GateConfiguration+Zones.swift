import Configuration
import Storage

extension GateConfiguration {
    /// Stands in audiences for the zone of a lane that lies in none (`Place`).
    private static let noZone = "-"

    /// The zones whose people this gate keeps, besides those of the whole site; nil: it keeps everybody.
    package var keptZones: Set<String>? {
        guard trust.root != nil else { return nil }
        switch trust.keep {
        case .all: return nil
        case .ownZones: return Set(lanes.map { $0.zone ?? Self.noZone })
        }
    }

    /// Whether site data have the people whom this gate keeps: they were taken for the same zones. Data from elsewhere have everybody.
    package func zonesAgree(with publication: TrustPublication) -> Bool { publication.repository.map { $0.zones == keptZones } ?? true }
}
