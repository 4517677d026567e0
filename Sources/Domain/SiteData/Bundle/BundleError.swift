/// Why a bundle is refused. Nothing of a refused bundle may be used.
public enum BundleError: Error, Hashable, Sendable {
    /// The header or an item is not in its one form, or has a wrong shape or value; the offset is that in the file.
    case malformed(offset: UInt64)
    /// An item does not come after the one before it in the order of keys, or has the same key.
    case unsorted(offset: UInt64)
    /// It is of a format or has a record that this version does not know; the words are what it says that it needs.
    case needsNewer(String)
    /// It is another part than the expected one, or changes where the whole was expected, or the other way round.
    case wrongPart
    /// It is that of another site.
    case wrongSite
    /// It belongs to another epoch than the one that was signed.
    case wrongEpoch(expected: UInt64, given: UInt64)
    /// It says that it leads to a state that is not the signed one.
    case wrongState
    /// The changes do not begin where this gate is.
    case wrongBase(from: UInt64, to: UInt64, having: UInt64)
    /// The file ended inside an item, or before the header was whole.
    case truncated
    /// It has other numbers of records than its header says.
    case wrongCounts
    /// People are given what is not theirs to decide: a record of that kind.
    case peopleOverreach(kind: UInt64)
    /// A person is given more than the ceiling allows; the offset is that of the record.
    case scopeExceeded(CeilingExcess, offset: UInt64)
    /// With the changes applied the site's state is not the one that was signed.
    case stateDiffers
    /// It is older than what this gate has had.
    case rollback(have: UInt64, given: UInt64)
    /// A record is refused for itself or beside the others.
    case records(PublicationError)
    /// The reader was given more after it had refused or finished.
    case finished
}

extension BundleError {
    /// Stable code for logs.
    public var code: String {
        switch self {
        case .malformed: "bundle-malformed"
        case .unsorted: "bundle-unsorted"
        case .needsNewer: "bundle-needs-newer"
        case .wrongPart: "bundle-wrong-part"
        case .wrongSite: "bundle-wrong-site"
        case .wrongEpoch: "bundle-wrong-epoch"
        case .wrongState: "bundle-wrong-state"
        case .wrongBase: "bundle-wrong-base"
        case .truncated: "bundle-truncated"
        case .wrongCounts: "bundle-wrong-counts"
        case .peopleOverreach: "people-overreach"
        case .scopeExceeded: "scope-exceeded"
        case .stateDiffers: "state-differs"
        case .rollback: "bundle-rollback"
        case .records(let error): error.code
        case .finished: "bundle-finished"
        }
    }

    /// One English sentence for people.
    public var message: String {
        switch self {
        case .malformed(let offset): "The bundle is not valid at byte \(offset)."
        case .unsorted(let offset): "The records of the bundle are not in their order at byte \(offset)."
        case .needsNewer(let needs): "The bundle was made for a newer version of the gate: it needs \(needs)."
        case .wrongPart: "The bundle is not of the kind that was to be fetched."
        case .wrongSite: "The bundle is that of another site."
        case .wrongEpoch(let expected, let given): "The bundle belongs to epoch \(given), and epoch \(expected) was signed."
        case .wrongState: "The bundle leads to another state than the one that was signed."
        case .wrongBase(let from, let to, let having): "The changes lead from version \(from) to \(to), and this gate has \(having)."
        case .truncated: "The bundle ends too early."
        case .wrongCounts: "The bundle has other numbers of records than its header says."
        case .peopleOverreach(let kind): "The list of people has a record of kind \(kind), which is not for those who sign it to decide."
        case .scopeExceeded(let excess, let offset): "The record at byte \(offset) of the list of people gives more than the site's ceiling allows: \(excess.words)."
        case .stateDiffers: "With the changes applied the list of people is not the one that was signed; the whole list is fetched instead."
        case .rollback(let have, let given): "The list of people has version \(given), older than \(have), which this gate has had."
        case .records(let error): error.message
        case .finished: "The bundle was read to its end already."
        }
    }
}

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
