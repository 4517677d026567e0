import SiteData

/// A state of people as simple as can be: what every store of it must come to.
struct ModelPeople: Equatable {
    private(set) var all: [RecordKey: PublicationRecord] = [:]
    private(set) var sum = StateSum()
    private(set) var counts = PublicationCounts()

    init(_ records: [PublicationRecord] = []) {
        for record in records { put(record) }
    }

    /// In the order of keys.
    var records: [PublicationRecord] { all.sorted { $0.key < $1.key }.map(\.value) }

    mutating func put(_ record: PublicationRecord) {
        remove(RecordKey(record))
        all[RecordKey(record)] = record
        sum.add(record)
        counts.count(record)
    }

    mutating func remove(_ key: RecordKey) {
        guard let old = all.removeValue(forKey: key) else { return }
        sum.subtract(old)
        counts.uncount(old)
    }

    mutating func apply(_ items: [BundleItem]) {
        for item in items {
            switch item {
            case .put(let record): put(record)
            case .gone(let key): remove(key)
            }
        }
    }
}
