extension GateConfiguration {
    /// Nil when something the configuration needs is missing from the reading.
    init?(_ root: TableReading) {
        guard let site = root.tables["site"].flatMap(SiteSettings.init),
              let gate = root.tables["gate"].flatMap(GateSettings.init),
              let trust = root.tables["trust"].flatMap(TrustSettings.init),
              let store = root.tables["store"].flatMap(StoreSettings.init),
              let audit = root.tables["audit"].flatMap(AuditSettings.init),
              let log = root.tables["log"].flatMap(LoggingSettings.init),
              let control = root.tables["control"].flatMap(ControlSettings.init),
              let clock = root.tables["clock"].flatMap(ClockSettings.init),
              let patterns = root.tables["pattern"].flatMap(PatternSettings.all),
              let inputs = root.tables["inputs"].flatMap(InputsSettings.init),
              let laneTables = root.lists["lane"], let readerTables = root.lists["reader"],
              let radioTables = root.lists["radio"] else { return nil }
        let lanes = laneTables.compactMap { LaneSettings($0, audit: audit) }
        let readers = readerTables.compactMap(ReaderSettings.init)
        let radios = radioTables.compactMap(RadioSettings.init)
        guard lanes.count == laneTables.count, readers.count == readerTables.count, radios.count == radioTables.count else { return nil }
        self.init(site: site, gate: gate, trust: trust, store: store, audit: audit, log: log, control: control,
                  clock: clock, lanes: lanes, readers: readers, patterns: patterns)
        self.inputs = inputs
        sync = root.tables["sync"].flatMap(SyncSettings.init)
        self.radios = radios
    }
}
