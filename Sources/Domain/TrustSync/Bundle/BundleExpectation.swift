/// What a gate expects of the next bundle. The file's length and hash were signed already; this is about what it says of itself.
public struct BundleExpectation: Hashable, Sendable {
    /// The site it belongs to.
    public let site: String
    /// The epoch.
    public let epoch: UInt64
    /// What is expected of people; nil: the site's part is expected.
    public let people: People?

    /// What is expected of a bundle of people.
    public struct People: Hashable, Sendable {
        /// The newest state, as the online role signed it.
        public let state: SignedState
        /// The version to which changes are to be applied; nil: the whole is expected.
        public let having: UInt64?
        /// What people may be given at most.
        public let ceiling: Ceiling
        /// When the online role signed, UNIX seconds.
        public let issuedAt: Int64
    }

    /// The site's part is expected.
    public init(site: String, epoch: UInt64) {
        self.site = site
        self.epoch = epoch
        people = nil
    }

    /// People are expected.
    public init(site: String, state: SignedState, having: UInt64?, ceiling: Ceiling, issuedAt: Int64) {
        self.site = site
        epoch = state.epoch
        people = People(state: state, having: having, ceiling: ceiling, issuedAt: issuedAt)
    }

    func check(_ header: BundleHeader) throws(BundleError) {
        guard header.part == (people == nil ? .site : .people) else { throw .wrongPart }
        guard header.site == site else { throw .wrongSite }
        guard header.epoch == epoch else { throw .wrongEpoch(expected: epoch, given: header.epoch) }
        guard let people else { return }
        // The whole may be older than the newest state: changes lead on from it.
        guard header.version <= people.state.version, header.version < people.state.version || header.digest == people.state.digest else {
            throw .wrongState
        }
        switch (header.from, people.having) {
        case (nil, nil): return
        case (let from?, let having?):
            guard from <= having, having <= header.version else { throw .wrongBase(from: from, to: header.version, having: having) }
        case (nil, _?), (_?, nil): throw .wrongPart
        }
    }
}
