/// The answers that phones are still owed.
struct OpenWrites {
    /// A phone waits for one answer before it writes again; more than that comes only from bluetoothd settings that let it
    /// speak on several channels.
    static let most = 4

    private var owed: [RadioLink: [WriteAnswer]] = [:]

    /// Keeps an answer until it is given or its link ends. False when that link is owed too many.
    mutating func add(_ answer: WriteAnswer, _ link: RadioLink) -> Bool {
        let open = (owed[link] ?? []).filter { !$0.isGiven }
        guard open.count < Self.most else { return false }
        owed[link] = open + [answer]
        return true
    }

    /// The link has ended: what it is owed.
    mutating func remove(_ link: RadioLink) -> [WriteAnswer] {
        defer { owed[link] = nil }
        return (owed[link] ?? []).filter { !$0.isGiven }
    }
}
