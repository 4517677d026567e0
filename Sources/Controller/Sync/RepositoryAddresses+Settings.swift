import Configuration
import ControlProtocol

extension RepositoryAddresses {
    /// Those of a configuration.
    init(_ sync: SyncSettings) { self.init(url: sync.url, targetsURL: sync.targetsURL, minimumRate: Int64(sync.minimumRate)) }
}

extension SyncSettings {
    /// Milliseconds between two runs.
    package var period: Int64 { Int64(intervalMinutes) * 60_000 }
    /// Milliseconds over which gates that start together are spread.
    package var startSpread: Int64 { Int64(startSpreadSeconds) * 1000 }
}
