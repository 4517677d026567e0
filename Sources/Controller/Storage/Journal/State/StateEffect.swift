import Credentials
import Encoding

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
