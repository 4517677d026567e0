/// Values of the same kind, for quantiles.
struct Samples {
    private var values: [Double] = []

    /// None so far.
    init() {}

    /// How many there are.
    var count: Int { values.count }

    /// One more.
    mutating func add(_ value: Double) { values.append(value) }

    /// One more, given in nanoseconds, kept in microseconds.
    mutating func add(nanoseconds: Int64) { values.append(Double(nanoseconds) / 1000) }

    /// The smallest value that is not exceeded by this share of all (nearest rank). 0 without values.
    func quantile(_ share: Double) -> Double {
        guard !values.isEmpty else { return 0 }
        let sorted = values.sorted()
        let rank = Int((share * Double(sorted.count)).rounded(.up))
        return sorted[min(max(rank, 1), sorted.count) - 1]
    }

    /// The middle.
    var median: Double { quantile(0.5) }

    /// The largest.
    var largest: Double { values.max() ?? 0 }
}
