import TrustSync

/// The sum of a state of people, and how many records of each kind it has.
struct PeopleSum: Equatable {
    private(set) var sum: StateSum
    private(set) var counts: PublicationCounts

    init(sum: StateSum = StateSum(), counts: PublicationCounts = PublicationCounts()) {
        self.sum = sum
        self.counts = counts
    }

    mutating func add(_ record: PublicationRecord) {
        sum.add(record)
        counts.count(record)
    }

    mutating func subtract(_ record: PublicationRecord) {
        sum.subtract(record)
        counts.uncount(record)
    }
}
