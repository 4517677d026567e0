import Encoding

/// The state that the records of a journal have led to, as `Journal.open` finds it.
public struct JournalState: Hashable, Sendable {
    /// Who is where.
    public var presences: [Presence]
    /// The small values.
    public var values: [StateKey: CBOR]
    /// Rows that could not be understood: what they said is forgotten.
    public var unreadable: Int

    /// Nothing is known.
    public static let none = JournalState()

    /// A state.
    public init(presences: [Presence] = [], values: [StateKey: CBOR] = [:], unreadable: Int = 0) {
        self.presences = presences
        self.values = values
        self.unreadable = unreadable
    }

    /// What brings an empty journal to this state.
    public var effects: [StateEffect] {
        [.forgotten] + presences.map { .present($0) } + values.map { .set($0.key, $0.value) }
    }
}
