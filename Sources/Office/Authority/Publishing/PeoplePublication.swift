import Encoding
import TrustSync

/// A new publication of what is published of people: its files are in their places, nothing speaks of them yet.
struct PeoplePublication {
    /// The state.
    let state: SignedState
    /// The state that it was made upon; nil for the first one of an epoch.
    let predecessor: Predecessor?
    /// Its sum.
    let sum: PeopleSum
    /// All files that `people` describes: that with everybody, and changes.
    let files: [SignedPart.File]
    /// The version of the file with everybody.
    let fullVersion: Int64
    /// How many things have changed since the state before.
    let changes: Int
    /// Whether no changes lead to it from an older state: it is the first, of this epoch or of all.
    let isBeginning: Bool
}
