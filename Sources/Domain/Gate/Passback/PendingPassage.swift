import Credentials

/// Somebody who was let through and may pass at any moment. Into a zone: keeps a second phone of the person from being let in
/// meanwhile, and a place in it. Out of a zone: the person counts as out of it.
struct PendingPassage: Hashable, Sendable {
    let ticket: UInt64
    let person: PersonDigest
    /// Nil: into none that is kept.
    let zone: String?
    /// Nil: out of none.
    let from: String?
}
