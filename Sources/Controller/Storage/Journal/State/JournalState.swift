import Credentials
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

/// That a person is in a zone, as far as the gate's lanes have seen.
public struct Presence: Hashable, Sendable {
    /// Who.
    public let person: PersonDigest
    /// The zone's name.
    public let zone: String
    /// When the person came in, in UNIX milliseconds.
    public let since: Int64
    /// False once a way out has stood open since: the person may have left unseen.
    public let isSure: Bool

    /// A presence.
    public init(person: PersonDigest, zone: String, since: Int64, isSure: Bool = true) {
        self.isSure = isSure
        self.person = person
        self.zone = zone
        self.since = since
    }
}
