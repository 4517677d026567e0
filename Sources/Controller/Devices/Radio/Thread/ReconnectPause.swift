/// When the bus is tried again. Times are monotonic milliseconds.
struct ReconnectPause {
    private static let first: Int64 = 100
    private static let longest: Int64 = 1_000

    private var pause = first
    /// Nil while there is a connection.
    private(set) var next: Int64?

    /// A connection is being made.
    mutating func begins() { next = nil }

    /// It was lost, or never came about.
    mutating func failed(at now: Int64) {
        next = now + pause
        pause = min(2 * pause, Self.longest)
    }

    /// It works.
    mutating func succeeded() { pause = Self.first }
}
