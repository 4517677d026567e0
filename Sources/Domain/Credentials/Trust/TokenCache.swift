/// Tokens that phones may present by reference: bounded, and the least recently used one goes first.
///
/// It saves the token's way over the air and its issuer's signature, and nothing else: times, audience, scope
/// and revocation are asked about at every use (requirement V9). What is in it was verified under one
/// generation of the site data; with the next one all of it is gone. Only tokens whose phone has proved itself
/// belong here, so that a stranger can neither fill it nor push anybody out.
///
/// A token takes about a kilobyte. The libcrypto object of its key would take three, and is made again at each use.
///
/// A reference is the first 8 bytes of a token's identifier. Should two tokens ever share one, the later takes
/// the place, and the other phone shows its token by value.
public struct TokenCache: Sendable {
    /// The most tokens it keeps; 0 keeps none.
    public private(set) var capacity: Int
    /// The generation of the site data that verified all of them.
    public private(set) var generation: UInt64 = 0
    private var slots: [Slot] = []
    private var places: [UInt64: Int] = [:]
    /// Ends of the list from the latest used to the one that goes next.
    private var latest: Int?
    private var oldest: Int?

    /// One token between its neighbours in the order of use.
    private struct Slot {
        var reference: UInt64
        var token: Token
        var later: Int?
        var earlier: Int?
    }

    /// An empty cache.
    public init(capacity: Int) {
        self.capacity = max(0, capacity)
    }

    /// How many tokens it has.
    public var count: Int { slots.count }

    /// The token that a phone names, nil if it is not here. Being asked for is no use: a stranger may ask.
    public func token(named reference: [UInt8]) -> KnownToken? {
        guard !slots.isEmpty, let number = Self.number(reference), let place = places[number] else { return nil }
        return KnownToken(token: slots[place].token.unprepared, generation: generation)
    }

    /// The tokens of which that is true, the latest used one first. Nothing is used by looking.
    public func tokens(where isWanted: (Token) -> Bool) -> [KnownToken] {
        tokensByUse.filter(isWanted).map { KnownToken(token: $0.unprepared, generation: generation) }
    }

    /// A phone proved itself with this token, which was verified under that generation of the site data. One of
    /// an older generation than the newest seen is not taken.
    public mutating func remember(_ token: Token, verifiedIn generation: UInt64) {
        guard capacity > 0, let number = Self.number(token.identifier.reference) else { return }
        forget(before: generation)
        guard generation == self.generation else { return }
        if let place = places[number] {
            // The phone may hold another form of it by now, see `Token`; both sides hash the bytes.
            if slots[place].token.raw != token.raw { slots[place].token = token.unprepared }
            guard latest != place else { return }
            unlink(place)
            link(place)
        } else {
            add(Slot(reference: number, token: token.unprepared))
        }
    }

    /// The site data are of that generation now: what older ones verified is forgotten.
    public mutating func forget(before generation: UInt64) {
        guard generation > self.generation else { return }
        empty()
        self.generation = generation
    }

    /// The same tokens under another bound; the least recently used ones go where it is smaller.
    public mutating func adopt(capacity: Int) {
        let tokens = slots.isEmpty ? [] : tokensByUse.prefix(max(0, capacity))
        self.capacity = max(0, capacity)
        guard tokens.count < slots.count else { return }
        empty()
        for token in tokens.reversed() { remember(token, verifiedIn: generation) }
    }

    /// The tokens, the latest used one first.
    private var tokensByUse: [Token] {
        Array(sequence(state: latest) { place -> Token? in
            guard let current = place else { return nil }
            place = slots[current].earlier
            return slots[current].token
        })
    }

    private mutating func empty() {
        slots = []
        places = [:]
        latest = nil
        oldest = nil
    }

    private mutating func add(_ slot: Slot) {
        let place: Int
        if slots.count < capacity {
            place = slots.count
            slots.append(slot)
        } else if let oldest {
            place = oldest
            unlink(place)
            places[slots[place].reference] = nil
            slots[place] = slot
        } else {
            return
        }
        places[slot.reference] = place
        link(place)
    }

    /// Puts a slot that is in no list to the latest end.
    private mutating func link(_ place: Int) {
        slots[place].later = nil
        slots[place].earlier = latest
        if let latest { slots[latest].later = place }
        latest = place
        if oldest == nil { oldest = place }
    }

    private mutating func unlink(_ place: Int) {
        let (later, earlier) = (slots[place].later, slots[place].earlier)
        if let later { slots[later].earlier = earlier } else { latest = earlier }
        if let earlier { slots[earlier].later = later } else { oldest = later }
    }

    private static func number(_ reference: [UInt8]) -> UInt64? {
        guard reference.count == TokenIdentifier.referenceLength else { return nil }
        return reference.reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// A token that a phone named, and the generation of the site data under which its issuer's signature was
/// verified. Under another generation it says nothing.
public struct KnownToken: Hashable, Sendable {
    /// The token, byte for byte as its phone showed it.
    public let token: Token
    /// Counts the publications that this gate has applied.
    public let generation: UInt64

    /// A token that was verified.
    public init(token: Token, generation: UInt64) {
        self.token = token
        self.generation = generation
    }
}
