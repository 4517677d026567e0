import ControlProtocol
import Credentials
import Spelling
import Storage
import Threads

/// What the site data have of somebody who is asked about.
struct PersonSearch: Sendable {
    /// So many credentials are answered for at the most.
    static let most = 16
    /// Enrolled keys, by their thumbprints.
    private(set) var keys: [[UInt8]] = []
    /// UID-only cards.
    private(set) var cards: [UIDOnlyCardNumber] = []
    /// Whether there are more of them.
    private(set) var isMore = false
    /// The name that was probably meant, where nothing is known of the one that was given.
    private(set) var nearest: String?
    /// Which revocations of the person, or of what was asked for, are in force.
    private(set) var revoked: [TrustSearch.Revoked] = []

    /// Looks through everybody, at a priority that gives way to taps and to all else; nothing is held meanwhile that a tap waits for.
    /// - Returns: nil without site data.
    static func run(for who: ExplainQuery.Who, in trust: TrustStore) throws(StorageError) -> PersonSearch? {
        try BackgroundWork.run(name: "explain") {
            Result { () throws(StorageError) in
                guard let search = try trust.search() else { return nil }
                return try PersonSearch(who, in: search)
            }
        }.get()
    }

    private init(_ who: ExplainQuery.Who, in search: TrustSearch) throws(StorageError) {
        switch who {
        case .subject(let subject):
            add(try search.credentials(of: subject, most: Self.most))
            revoked = try search.inForce(AskedCredential.revocations(of: subject))
            if keys.isEmpty, cards.isEmpty, revoked.isEmpty { try findNearest(to: subject, in: search) }
        case .key(let key):
            add(try search.keys(named: key, most: Self.most))
            let token = TokenIdentifier(key).map { [Revocation.token($0), .key(thumbprint: key)] }
            revoked = try search.inForce(token ?? [])
        }
    }

    private mutating func add(_ found: TrustSearch.Named) {
        keys = found.keys
        cards = found.cards
        isMore = found.isMore
    }

    /// Looks for who may have been meant.
    private mutating func findNearest(to subject: String, in search: TrustSearch) throws(StorageError) {
        var nearest = NearestSearch(for: subject)
        try search.names { name in
            nearest.look(at: name)
            return true
        }
        self.nearest = nearest.nearest
    }
}
