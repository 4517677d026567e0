/// How strictly CBOR is read.
///
/// Both refuse indefinite lengths, duplicate keys, more than `CBOR.maximumDepth` levels, text that is no
/// UTF-8, reserved heads and bytes left over.
public enum CBORRules: Sendable {
    /// Only the deterministic encoding (RFC 8949, 4.2.1), so that an item has exactly one form: for our
    /// own tokens and messages.
    case deterministic
    /// Heads and floats longer than need be and unsorted maps are tolerated: for data made by others.
    case wellFormed
}
