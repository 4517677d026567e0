import Files
import SiteData
import SiteRules

/// What a repository has after a command, or would have.
public struct PublishedRepository: Hashable, Sendable {
    /// Its folder.
    public let path: String
    /// The newest version of each role.
    public internal(set) var versions: [RepositoryRole: Int64] = [:]
    /// When what each role signed counts no more, UNIX seconds.
    public internal(set) var expires: [RepositoryRole: Int64] = [:]
    /// The roles that have something new.
    public internal(set) var changed: [RepositoryRole] = []
    /// The state of people, and the epoch in which it counts.
    public internal(set) var state: (version: Int64, epoch: Int64) {
        get { (stateVersion, epoch) }
        set { (stateVersion, epoch) = newValue }
    }
    private var stateVersion: Int64 = 0
    private var epoch: Int64 = 0
    /// How many changes of people there are in this state; nil if the state is the one before.
    public internal(set) var changes: Int?
    /// Whether the file with all people was made anew.
    public internal(set) var isFull = false
    /// What a gate loads that has the state before: metadata, and what has changed of people. In bytes.
    public internal(set) var bytes = 0
    /// The copy for a stick, and when it counts no more; nil if none was made.
    public internal(set) var stick: Stick?
    /// What differed between the repository and the office, where a person has said which of the two counts.
    public internal(set) var restored: RestoredOffice?
    /// What the authority should know.
    public internal(set) var warnings: [Warning] = []

    /// A copy of the repository that people carry.
    public struct Stick: Hashable, Sendable {
        /// Its folder.
        public let path: String
        /// The first second at which gates take it no more, UNIX time.
        public let expires: Int64
    }

    mutating func noteStick(_ path: String, _ copied: NextMetadata) {
        let ends = [RepositoryRole.root, .targets, .people, .snapshot, .timestamp].compactMap { copied.current($0)?.expires }
        stick = Stick(path: path, expires: ends.min() ?? 0)
        for role in [RepositoryRole.people, .snapshot, .timestamp] { versions[role] = copied.current(role).map { $0.version + 1 } }
    }

    /// Something that did not keep it from publishing.
    public enum Warning: Hashable, Sendable {
        /// The repository had newer versions than the authority knows of, as after an old backup was restored.
        case repositoryAhead(RepositoryRole)
        /// Rules, gates or issuers have changed since the targets were signed.
        case siteChanged
        /// What a role that is offline has signed is soon over; UNIX seconds.
        case expires(RepositoryRole, at: Int64)
        /// A role that is offline was signed by a clock that was ahead: gates refuse it until then; UNIX seconds.
        case ahead(RepositoryRole, issued: Int64)
        /// Something of a person was not published.
        case heldBack(HeldBack)
        /// There is more of that than is named.
        case moreHeldBack(Int)
        /// Somebody is in more groups than gates look at, and passes nowhere.
        case tooManyGroups(subject: String)
        /// An issuer whose key is elsewhere is not published, for the rules say nothing of it.
        case issuerWithoutCeiling(String)
        /// What an issuer has taken back elsewhere could not be taken, or not all of it.
        case queue(issuer: String, path: String, QueueFault)
        /// Others may write into a folder of the repository.
        case exposed(path: String, Exposure)
        /// A private key, a database, or a way into an office: everybody gets it.
        case secret(path: String)
        /// Something that nobody published; it stays.
        case stranger(path: String)

        /// Stable code.
        public var code: String {
            switch self {
            case .repositoryAhead: "repo-ahead"
            case .siteChanged: "site-changed"
            case .expires: "role-expires"
            case .ahead: "role-ahead"
            case .heldBack(let held): held.code
            case .moreHeldBack: "held-back"
            case .tooManyGroups(let subject): AuthorityError.tooManyGroups(subject).code
            case .issuerWithoutCeiling: "issuer-without-ceiling"
            case .queue: "issuer-queue"
            case .exposed(let path, let exposure): RepositoryError.exposed(path: path, exposure).code
            case .secret: "repository-has-secret"
            case .stranger: "repository-foreign-file"
            }
        }
    }

    /// Whether something is soon over that only keys elsewhere can sign anew.
    public internal(set) var isSoonOver = false

    mutating func note(soonOver roles: [(role: RepositoryRole, at: Int64)]) {
        isSoonOver = !roles.isEmpty
        for (role, time) in roles where !warnings.contains(.expires(role, at: time)) { warnings.append(.expires(role, at: time)) }
    }

    /// Whether something of a person was not published.
    public internal(set) var isHeldBack = false

    /// Whether somebody has to do something, whom a warning in a log does not reach.
    public var needsSomebody: Bool {
        isSoonOver || isHeldBack || warnings.contains { warning in
            switch warning {
            case .tooManyGroups, .issuerWithoutCeiling, .queue, .exposed, .secret: true
            case .repositoryAhead, .siteChanged, .expires, .ahead, .heldBack, .moreHeldBack, .stranger: false
            }
        }
    }

    /// So much is named.
    static let mostHeldBack = 100

    mutating func note(_ held: [(record: PublicationRecord, reason: HeldBack.Reason?)], _ leaving: [Membership]) {
        let all = held.compactMap { record, reason in reason.map { HeldBack(record, $0) } } + leaving.map(HeldBack.init(leaving:))
        isHeldBack = !all.isEmpty
        warnings += all.prefix(Self.mostHeldBack).map { .heldBack($0) }
        if all.count > Self.mostHeldBack { warnings.append(.moreHeldBack(all.count - Self.mostHeldBack)) }
    }

    init(path: String) { self.path = path }
}
