/// What is told of a reading when it differs from what was told before.
struct ClockTidings: Hashable, Sendable {
    let level: String
    let isConfirmed: Bool
    let hasJumped: Bool
}
