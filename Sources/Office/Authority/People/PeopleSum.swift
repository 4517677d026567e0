import SiteData

/// The sum of a state of people, and how many records of each kind it has.
struct PeopleSum: Equatable {
    private(set) var sum: StateSum
    private(set) var counts: PublicationCounts
    /// The same for each zone, for gates that keep their own zones only; nil where there are more zones than are summed up.
    private(set) var zones: ZoneSums?

    /// That of nobody.
    init(site: String) { self.init(sum: StateSum(), counts: PublicationCounts(), zones: ZoneSums(site: site)) }

    init(sum: StateSum, counts: PublicationCounts, zones: ZoneSums?) {
        self.sum = sum
        self.counts = counts
        self.zones = zones
    }

    mutating func add(_ record: PublicationRecord) {
        let element = StateElement(record)
        sum.add(element)
        counts.count(record)
        zones?.add(record, element)
        if let count = zones?.sums.count, count > ZoneSums.most { zones = nil }
    }

    mutating func subtract(_ record: PublicationRecord) {
        let element = StateElement(record)
        sum.subtract(element)
        counts.uncount(record)
        zones?.subtract(record, element)
    }
}
