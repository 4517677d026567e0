/// What evidence does not prove, however good it is. The raw value is a stable name.
public enum EvidenceLimit: String, Hashable, Sendable, CaseIterable {
    case exchange, presence, passage, time, gate, journal, issuer, person, verification, revocation

    /// One English sentence.
    public var sentence: String {
        switch self {
        case .exchange:
            "That a gate took part in the exchange: it did not sign there, so that whoever has the phone's key can have made it alone."
        case .presence:
            "That the phone was at the gate: its key answered, and what is said between the two can be carried over any distance."
        case .passage:
            "That the relay moved or that anybody passed: the record was written before, and nothing sees people."
        case .time:
            "The time beyond the word of the gate's clock: the phone signed what the gate told it."
        case .gate:
            "Which gate of its group it was: all gates of a group have one key, and only the signature of a gate's own audit key tells them apart."
        case .journal:
            "That this record stood in the journal then, against the gate's owner: only a hash that somebody else kept then shows that (--head)."
        case .issuer:
            "Anything against the issuer: whoever has its key can make a token, in anybody's name, for a key of their own (--phone-key)."
        case .person:
            "Whose hand held the phone: that the key is a person's is what the issuer or the site says."
        case .verification:
            "That somebody unlocked the phone: the credential does not say that its key needs it."
        case .revocation:
            "That nobody had taken the credential back: neither a publication of then nor an authority's folder was given."
        }
    }
}
