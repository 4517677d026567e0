/// Who may have a place at the control socket. Some are kept for root, and no user may have more than a few: a program that forgets to
/// close its connections, or a person with bad intentions, keeps nobody out but itself.
struct ControlPlaces {
    /// Whether there is a place for a newcomer, or whose connections may make room for it.
    enum Verdict: Hashable {
        /// There is one.
        case free
        /// The newcomer's user has as many as a user may have: one of that user's has to go.
        case userIsFull
        /// All places are taken that this newcomer may have.
        case allTaken
    }

    let limits: ControlLimits

    /// - Parameter taken: the users of the connections that have places now.
    func verdict(for user: UInt32, among taken: some Sequence<UInt32>) -> Verdict {
        var all = 0, own = 0
        for other in taken {
            all += 1
            if other == user { own += 1 }
        }
        if user == Self.root { return all < limits.clients ? .free : .allTaken }
        if own >= limits.clientsOfUser { return .userIsFull }
        return all < limits.clients - limits.keptForRoot ? .free : .allTaken
    }

    /// Whether one more connection of a user may hear events.
    func admitsSubscriber(of user: UInt32, among subscribed: some Sequence<UInt32>) -> Bool {
        user == Self.root || subscribed.count(where: { $0 == user }) < limits.subscribersOfUser
    }

    /// Whether the connection of one user may make room for a newcomer. Root makes room for nobody else.
    func makesRoom(_ user: UInt32, for newcomer: UInt32, _ verdict: Verdict) -> Bool {
        switch verdict {
        case .free: false
        case .userIsFull: user == newcomer
        case .allTaken: user != Self.root || newcomer == Self.root
        }
    }

    private static let root: UInt32 = 0
}
