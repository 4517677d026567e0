extension LineRequest {
    /// The names that more than one request carries, each with its fault. Which of the two was
    /// meant cannot be known, so none of them is opened.
    static func namesUsedTwice(in requests: [LineRequest]) -> [LineName: LineError] {
        Dictionary(grouping: requests, by: \.name)
            .filter { $0.value.count > 1 }
            .mapValues { .requestedTwice(name: $0[0].name) }
    }
}
