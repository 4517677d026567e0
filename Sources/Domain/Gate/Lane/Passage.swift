/// Somebody is in the passage of a lane, as one sensor sees it.
struct Passage: Equatable, Sendable {
    /// Who was let through; nobody where nothing did. A door tells only that it was open: all who were let through that way.
    var people: [PassageWait]
    /// Which way they go; nil where one sensor serves both ways and nobody was let through.
    let direction: Direction?
    /// Since when that is counted for `held`.
    var began: Instant
    /// It has taken too long, and that was said.
    var isHeld = false
}
