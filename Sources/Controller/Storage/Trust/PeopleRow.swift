import TrustSync

/// What a row of people says of its record: what it adds to the sum of the state, and which places it is about.
struct PeopleRow {
    let element: StateElement
    /// The audiences; nil for a kind of record that has none.
    var audiences: [String]?
}
