import Credentials
import Encoding

/// The state's tables in `journal.db`, and their statements.
final class StateTables {
    private let connection: SQLiteConnection
    private let present: SQLiteStatement
    private let absent: SQLiteStatement
    private let empty: SQLiteStatement
    private let doubt: SQLiteStatement
    private let set: SQLiteStatement
    private let clear: SQLiteStatement

    init(of connection: SQLiteConnection) throws(StorageError) {
        self.connection = connection
        present = try connection.prepare("INSERT OR REPLACE INTO presence (zone, person, since) VALUES (?1, ?2, ?3)")
        absent = try connection.prepare("DELETE FROM presence WHERE zone = ?1 AND person = ?2")
        empty = try connection.prepare("DELETE FROM presence WHERE (?1 IS NULL OR zone = ?1) AND abs(since) < ?2")
        // The time of somebody who may have left unseen is written below zero: times of ours are above.
        doubt = try connection.prepare("UPDATE presence SET since = -abs(since) WHERE zone = ?1")
        set = try connection.prepare("INSERT OR REPLACE INTO state (kind, name, value) VALUES (?1, ?2, ?3)")
        clear = try connection.prepare("DELETE FROM state WHERE kind = ?1 AND name = ?2")
    }

    /// Inside the transaction of the record that tells it.
    func apply(_ effect: StateEffect) throws(StorageError) {
        switch effect {
        case .present(let presence):
            present.bind(presence.zone, at: 1)
            present.bind(presence.person.bytes, at: 2)
            present.bind(presence.isSure ? presence.since : -presence.since, at: 3)
            try present.run()
        case .absent(let person, let zone):
            absent.bind(zone, at: 1)
            absent.bind(person.bytes, at: 2)
            try absent.run()
        case .emptied(let zone, let moment):
            empty.bind(zone, at: 1)
            empty.bind(moment, at: 2)
            try empty.run()
        case .doubted(let zone):
            doubt.bind(zone, at: 1)
            try doubt.run()
        case .set(let key, let value):
            bind(key, to: set)
            set.bind(value.encoded, at: 3)
            try set.run()
        case .clear(let key):
            bind(key, to: clear)
            try clear.run()
        case .forgotten:
            try connection.execute("DELETE FROM presence")
            try connection.execute("DELETE FROM state")
        }
    }

    private func bind(_ key: StateKey, to statement: SQLiteStatement) {
        statement.bind(key.kind.rawValue, at: 1)
        statement.bind(key.name, at: 2)
    }

    /// Everything there is. A row that cannot be understood is counted: it is no reason to set the audit aside.
    func load() throws(StorageError) -> JournalState {
        var state = JournalState.none
        let people = try connection.prepare("SELECT person, zone, since FROM presence")
        while try people.step() {
            if let person = PersonDigest(bytes: people.bytes(0)) {
                let since = people.integer(2)
                state.presences.append(
                    Presence(person: person, zone: people.text(1), since: Int64(clamping: since.magnitude), isSure: since >= 0))
            } else {
                state.unreadable += 1
            }
        }
        let values = try connection.prepare("SELECT kind, name, value FROM state")
        while try values.step() {
            if let kind = StateKey.Kind(rawValue: values.text(0)), let value = try? CBOR.decode(values.bytes(2)) {
                state.values[StateKey(kind, values.text(1))] = value
            } else {
                state.unreadable += 1
            }
        }
        return state
    }
}

/// What a small value of the gate's state is about.
public struct StateKey: Hashable, Sendable {
    /// The kinds of values there are. The raw value is in the database.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The mode that an operator gave a lane; `name` is the lane's.
        case laneMode = "lane-mode"
        /// Whether a lane raises alarms; `name` is the lane's.
        case armed
        /// The state of an output that is restored after a start; `name` is LANE:OUTPUT, and LANE:OUTPUT/phone what a phone has ordered of it.
        case output
    }

    /// What kind of value it is.
    public let kind: Kind
    /// Whose it is.
    public let name: String

    /// A key.
    public init(_ kind: Kind, _ name: String) {
        self.kind = kind
        self.name = name
    }
}

/// What a record changes in the state that survives a restart. It is written in the transaction of the record that tells it, so that
/// a kill and a power cut leave both or neither. The record's body and hash do not cover it.
public enum StateEffect: Hashable, Sendable {
    /// Somebody is in a zone; replaces what was known of the person there.
    case present(Presence)
    /// The person is not known to be in the zone any more.
    case absent(PersonDigest, zone: String)
    /// Nobody is known to be in the zone (nil: in any) who came in before that moment, in UNIX milliseconds.
    case emptied(zone: String?, before: Int64)
    /// Everybody who is in the zone by now may have left unseen.
    case doubted(zone: String)
    /// A small value holds from now on.
    case set(StateKey, CBOR)
    /// There is no such value any more.
    case clear(StateKey)
    /// Everything is forgotten: what follows states it anew.
    case forgotten
}
