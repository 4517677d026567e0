/// Somebody was let through and has not passed yet.
struct PassageWait: Equatable, Sendable {
    /// What let them through.
    let cause: GrantCause
    /// Which way.
    let direction: Direction
    /// When the relay was told so; the cooldown counts from there.
    let began: Instant
    /// When nobody waits for them any more.
    let until: Instant
    /// They were let through while the door stood open, and need not open it once more: they have passed when it closes.
    var joins = false
}
