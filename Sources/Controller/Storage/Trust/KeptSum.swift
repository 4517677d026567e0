import SiteData

/// What the rows of people in a file come to: changes are checked by it.
struct KeptSum: Equatable {
    /// The sum of everybody; nil where only those of some zones are there.
    private(set) var ofState: StateSum?
    /// The sums of the zones that are there; nil where everybody is.
    private(set) var ofZones: ZoneSums?

    /// That of everybody, unless only those of some zones are there.
    init(state: StateSum, zones: ZoneSums?) {
        ofState = zones == nil ? state : nil
        ofZones = zones
    }

    /// That of a file; nil where its data come from elsewhere than a repository.
    init?(of connection: SQLiteConnection) throws(StorageError) {
        let row = try connection.prepare("SELECT state_sum, zone_sums, site FROM publication")
        guard try row.step() else { return nil }
        ofZones = row.optionalBytes(1).flatMap { ZoneSums(site: row.text(2), encoded: $0) }
        ofState = ofZones == nil ? StateSum(bytes: row.bytes(0)) : nil
        if ofState == nil, ofZones == nil { return nil }
    }

    /// Whether a record of people is to be there.
    func concerns(_ record: PublicationRecord) -> Bool { ofZones?.concern(record) ?? true }

    /// Counts in a record that is there.
    mutating func add(_ record: PublicationRecord, _ element: StateElement) {
        ofState?.add(element)
        ofZones?.add(record, element)
    }

    /// Takes out a row that was there.
    mutating func subtract(_ row: PeopleRow, of key: RecordKey) {
        ofState?.subtract(row.element)
        ofZones?.subtract(key, audiences: row.audiences, row.element)
    }
}
