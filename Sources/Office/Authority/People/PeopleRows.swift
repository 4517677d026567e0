import Storage

/// Which rows of people are wanted, of tables that know the state with which gates learn of each.
enum PeopleRows {
    /// All that the office knows, in an order.
    case all
    /// Those that are published, in an order.
    case published
    /// Those that are held back, in any order: they are in state 0, which there never is.
    case held
    /// Those that were not there like this in a state, in any order: to sort a million takes memory.
    case since(Int64)

    /// The end of a query.
    func clause(inOrderOf columns: String) -> String {
        switch self {
        case .all: "ORDER BY \(columns)"
        // Not by the index of states, after which everything would have to be sorted.
        case .published: "WHERE +state_version > 0 ORDER BY \(columns)"
        case .held: "WHERE state_version = 0"
        case .since: "WHERE state_version > ?1"
        }
    }
}

extension SQLiteStatement {
    /// The value that the clause asks for.
    func bind(_ rows: PeopleRows) {
        if case .since(let version) = rows { bind(version, at: 1) }
    }
}
