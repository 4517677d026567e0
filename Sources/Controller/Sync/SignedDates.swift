import Service
import TrustSync

/// When the roles of a repository say that they signed, once they are verified. UNIX seconds.
struct SignedDates: Equatable, Sendable {
    let root: Int64?
    let rootVersion: Int64
    let targets: Int64?
    let targetsVersion: Int64
    let timestamp: Int64

    /// What was signed offline is evidence of the time: as far as nobody vouches for the clock, it raises its floor.
    var floor: SignedFloor? {
        targets.map { SignedFloor(.targets, version: targetsVersion, root: rootVersion, date: $0 * 1000) }
    }

    /// Milliseconds since 1970.
    var rootDate: Int64? { root.map { $0 * 1000 } }
}
