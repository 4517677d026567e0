import Encoding
import SiteData

/// Two offices that work on copies of one folder take turns at replacing everybody. What each publishes names what it was made upon: so the second one
/// finds in the repository what it did not make, and stops.
extension Authority {
    /// The version in the repository that a second office has made beside ours; nil if there is none.
    func forked(_ place: RepositoryFolder) throws(AuthorityError) -> Int64? {
        guard let ours = SignedState(json: try signed(.people)?[SignedState.member]), let theirs = try published(place), theirs.state.epoch == ours.epoch else { return nil }
        let state = Predecessor(theirs.state)
        let isFork = if theirs.state.version > ours.version {
            Predecessor.isFork(from: Predecessor(ours), to: state, upon: theirs.predecessor)
        } else if theirs.state.version == ours.version {
            state != Predecessor(ours)
        } else {
            try database.isForeign(state, epoch: ours.epoch)
        }
        return isFork ? Int64(clamping: state.version) : nil
    }

    /// Stops at one.
    func refuseFork(_ place: RepositoryFolder) throws(AuthorityError) {
        if let version = try forked(place) { throw .repository(.forked(version: version)) }
    }

    /// What the next state is made upon: the newest one that is signed, here or, after somebody has decided between two, in the repository.
    func predecessor(in place: RepositoryFolder, epoch: UInt64) throws(AuthorityError) -> Predecessor? {
        let ours = SignedState(json: try signed(.people)?[SignedState.member]), theirs = try published(place)?.state
        let all = [ours, theirs].compactMap { $0 }.filter { $0.epoch == epoch }
        return all.max { $0.version < $1.version || $0.version == $1.version && $1 == theirs }.map { Predecessor($0) }
    }

    /// The newest state of people in the repository, signed by keys that this office knows.
    private func published(_ place: RepositoryFolder) throws(AuthorityError) -> (state: SignedState, predecessor: Predecessor?)? {
        guard let bytes = try newestSigned(.people, in: place)?.bytes,
              let member = MetadataFile.signed(in: bytes)?[SignedState.member], let state = SignedState(json: member) else { return nil }
        return (state, Predecessor(ofState: member))
    }
}
