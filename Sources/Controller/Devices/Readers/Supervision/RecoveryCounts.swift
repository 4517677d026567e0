/// How often each step was taken to bring a reader back, since the gate started.
public struct RecoveryCounts: Hashable, Sendable {
    private var counts: [RecoveryRung: UInt64] = [:]

    public init() {}

    public subscript(rung: RecoveryRung) -> UInt64 { counts[rung] ?? 0 }

    /// One more.
    mutating func count(_ rung: RecoveryRung) {
        counts[rung, default: 0] += 1
    }
}
