import Encoding

/// What is wrong with a gate that the office looked at.
public enum GateFinding: Hashable, Sendable {
    /// It has older site data than it had, or has applied fewer of them.
    case dataWentBack(what: String, found: Int64, known: Int64)
    /// Its site data are none of this office, or replaced others that did not know of them.
    case dataForked(version: Int64)
    /// Its journal is shorter than it was.
    case journalWentBack(found: UInt64, known: UInt64)
    /// At the same place of its journal there is another record than there was.
    case journalForked(sequence: UInt64)
    /// Its site data are older than they should be; UNIX seconds.
    case behind(issued: Int64)
    /// It has a newer state than this office has ever published.
    case officeBehind(found: Int64, known: Int64)
    /// It has no site data.
    case withoutData
    /// It says that it takes nothing new from its repository any more.
    case syncEnded
    /// It belongs to another site.
    case otherSite(String)
    /// None of the given audit keys signed its checkpoint.
    case unsigned

    /// Stable code.
    public var code: String {
        switch self {
        case .dataWentBack, .journalWentBack: "gate-went-back"
        case .dataForked: "gate-data-forked"
        case .journalForked: "gate-head-forked"
        case .behind, .withoutData: "gate-behind"
        case .officeBehind: "office-behind"
        case .syncEnded: "sync-ended"
        case .otherSite: "gate-of-other-site"
        case .unsigned: "gate-checkpoint-unsigned"
        }
    }

    /// One English sentence for people.
    public var message: String {
        switch self {
        case .dataWentBack(let what, let found, let known): "It has \(what) \(found) and has had \(known): its disk was put back to an older state."
        case .dataForked(let version):
            "Its site data (version \(version)) are none of this office's, or replaced others that did not know of them: two offices work on copies of one folder and take "
                + "turns at replacing everybody, or an old backup was restored here."
        case .journalWentBack(let found, let known): "Its journal ends at record \(found) and has had \(known): records are missing, or its disk was put back."
        case .journalForked(let sequence): "Record \(sequence) of its journal is another one than it was."
        case .behind(let issued): "Its site data are of \(UTCText.make(seconds: issued))."
        case .officeBehind(let found, let known):
            "It has version \(found), and this office knows of \(known): the office was put back to an older state. Publish nothing before what the web server gives out is copied back."
        case .withoutData: "It has no site data."
        case .syncEnded: "It takes nothing new any more, no revocation either: what a role of the repository has signed is over. 'publish', and 'ceremony' if it is root or targets."
        case .otherSite(let site): "It belongs to the site '\(site)'."
        case .unsigned: "None of the given audit keys has signed its checkpoint."
        }
    }
}
