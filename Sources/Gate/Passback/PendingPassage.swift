import Credentials

/// Somebody who was let through into a zone and may come in at any moment. Keeps a second phone of the person from being let in
/// meanwhile, and a place in the zone.
struct PendingPassage: Hashable, Sendable {
    let ticket: UInt64
    let person: PersonDigest
    let zone: String
}
