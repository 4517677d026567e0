import Encoding
import Files
import SiteData

/// Why the site's repository could not be made, changed or checked.
public indirect enum RepositoryError: Error, Hashable, Sendable {
    /// `publish init` was not run.
    case missing
    /// `publish init` was run before.
    case alreadyThere(path: String)
    /// `publish init` was run before, and nothing was published since: it was interrupted, or keys elsewhere have not signed.
    case begun(path: String)
    /// A folder for everybody would lie in the authority's own, or the other way round.
    case insideOffice(path: String)
    /// A copy for people to carry would lie in the repository, or the other way round.
    case stickInRepository(path: String)
    /// A copy for people to carry would be written over another site's repository.
    case stickOfOthers(path: String)
    /// Somebody has held the lock of a repository for long.
    case locked(path: String)
    /// Others may write into a folder of a repository.
    case exposed(path: String, Exposure)
    /// A folder of a repository is a link, or no folder.
    case linked(path: String)
    /// Where a repository has a file is a link, a pipe, a device or a folder.
    case noFile(path: String)
    /// Nobody could sign for a role: more signatures would be needed than it has keys.
    case thresholdTooHigh(RepositoryRole, threshold: Int, keys: Int)
    /// A key is no key of Ed25519.
    case wrongCurve(RepositoryRole)
    /// A new key would take the place of a file.
    case fileThere(path: String)
    /// A role has nothing signed yet.
    case unsigned(RepositoryRole)
    /// Fewer have signed than must.
    case thresholdNotMet(RepositoryRole, SignatureCount)
    /// A key that the role does not know.
    case stranger(keyIdentifier: String)
    /// The timestamp in a repository was signed by none of the keys that sign the next one.
    case strangeTimestamp(path: String)
    /// The private keys of a role are not here.
    case keysMissing(RepositoryRole)
    /// The role would have no keys any more, or none of its keys is this one.
    case keyUnknown(RepositoryRole, keyIdentifier: String)
    /// Other things were signed since the draft was made.
    case draftOutdated(RepositoryRole, version: Int64)
    /// A file is no draft.
    case notADraft(path: String)
    /// A file is no signature of a draft.
    case notASignature(path: String)
    /// A draft whose version does not follow the one in force.
    case versionLeftOut(RepositoryRole, before: Int64, version: Int64)
    /// A draft that is behind what the key has signed; where that stands.
    case draftRolledBack(RepositoryRole, version: Int64, signed: Int64, record: String)
    /// The file with what a key has signed cannot be read.
    case signingRecordDamaged(path: String)
    /// A signature is of another draft.
    case otherDraft(path: String)
    /// A name of somebody who makes a key is none, or there twice.
    case badHolder(String)
    /// One name for two keys: each key has its holder.
    case holderTwice(String)
    /// A folder has no ceremony in it.
    case ceremonyMissing(path: String)
    /// What a ceremony asks for cannot be read, or is nothing that an honest office asks for.
    case notACeremony(path: String)
    /// The folder has another ceremony than the one that is under way, of that site.
    case otherCeremony(path: String, site: String)
    /// A ceremony is under way in which something else is asked for.
    case ceremonyUnderWay
    /// There is no such key, and nobody of that name makes one; who does.
    case notAwaited(path: String, names: [String])
    /// A private key would go from hand to hand.
    case keyCarried(path: String)
    /// The holder has made a key, and it is not there.
    case keyElsewhere(path: String, name: String)
    /// The holder has brought another key than this one.
    case otherKey(path: String, name: String)
    /// The clock is behind what was signed last, UNIX seconds.
    case clockBehind(now: Int64, issued: Int64)
    /// The clock is far ahead of what was signed last, UNIX seconds.
    case clockFarAhead(now: Int64, issued: Int64)
    /// Nobody answers for the clock; UNIX seconds.
    case clockNotVouchedFor(now: Int64)
    /// Metadata in the repository cannot be read.
    case metadata(path: String, MetadataFault)
    /// A gate would refuse the repository.
    case refused(UpdateRefusal)
    /// A gate would refuse the repository, for what one of its files is.
    case refusedFile(path: String, UpdateRefusal)
    /// It was published, and gates refuse it.
    case publishedInVain(RepositoryError)
    /// It was rehearsed, and gates would refuse it.
    case rehearsedInVain(RepositoryError)
    /// The repository is newer than the office and says otherwise; nobody has said which of the two counts.
    case restored(RestoredOffice)
    /// A second office has published into the repository, from a copy of this folder; the version of its state.
    case forked(version: Int64)
    /// Office and repository are both older than what was published, as after both were restored from one backup.
    case restoredTogether(RepositoryRole, here: Int64, noted: Int64, path: String)
    /// What this office had published is noted nowhere any more, as on another machine; the date of the newest timestamp that is here, UNIX seconds.
    case noteMissing(path: String, newest: Int64)
    /// The issuer that signs tokens here was thrown out in what was published.
    case issuerThrownOut(String)
    /// Tokens of an old issuer were issued after a backup that was restored, and nobody here knows which.
    case tokensUnknown(String)
    /// Somebody would be given more than the site allows; whose record it is.
    case ceiling(subject: String, CeilingExcess)
    /// Changes alone cannot lead to what is to be published.
    case wholeNeeded
    /// A gate would refuse what it has of the site or of people.
    case bundle(BundleError)

    /// Stable code.
    public var code: String {
        switch self {
        case .missing: "repository-missing"
        case .alreadyThere, .begun: "repository-exists"
        case .insideOffice: "repository-in-office"
        case .stickInRepository: "stick-in-repository"
        case .stickOfOthers: "stick-of-others"
        case .locked: "repository-in-use"
        case .exposed: "repository-exposed"
        case .linked: "repository-linked"
        case .noFile: "repository-no-file"
        case .thresholdTooHigh: "threshold-too-high"
        case .wrongCurve: "role-key-wrong-curve"
        case .fileThere: "key-file-exists"
        case .unsigned: "role-unsigned"
        case .thresholdNotMet: "threshold-not-met"
        case .stranger: "signature-of-stranger"
        case .strangeTimestamp: "timestamp-of-stranger"
        case .keysMissing: "role-keys-missing"
        case .keyUnknown: "role-key-unknown"
        case .draftOutdated: "draft-outdated"
        case .notADraft: "draft-malformed"
        case .notASignature: "signature-malformed"
        case .versionLeftOut: "draft-version"
        case .draftRolledBack: "draft-rolled-back"
        case .signingRecordDamaged: "signing-record-damaged"
        case .otherDraft: "signature-of-other-draft"
        case .badHolder, .holderTwice: "ceremony-bad-name"
        case .ceremonyMissing: "ceremony-missing"
        case .notACeremony: "ceremony-malformed"
        case .otherCeremony: "ceremony-other"
        case .ceremonyUnderWay: "ceremony-under-way"
        case .notAwaited: "ceremony-holder-unknown"
        case .keyCarried: "ceremony-key-carried"
        case .keyElsewhere: "ceremony-key-elsewhere"
        case .otherKey: "ceremony-key-differs"
        case .clockBehind: "clock-behind"
        case .clockFarAhead: "clock-far-ahead"
        case .clockNotVouchedFor: "clock-not-vouched-for"
        case .metadata(_, let fault): fault.code
        case .refused(let refusal), .refusedFile(_, let refusal): refusal.code
        case .publishedInVain(let error), .rehearsedInVain(let error): error.code
        case .restored, .restoredTogether, .noteMissing: "office-restored"
        case .forked: "office-forked"
        case .issuerThrownOut: "issuer-thrown-out"
        case .tokensUnknown: "issuer-tokens-unknown"
        case .ceiling: "ceiling-exceeded"
        case .wholeNeeded: "full-needed"
        case .bundle(let error): error.code
        }
    }

    /// One English sentence for people.
    public var message: String {
        switch self {
        case .missing: "There is no repository yet; 'tapstile-authority publish init' makes one."
        case .alreadyThere(let path): "There is a repository already, in \(path)."
        case .begun(let path):
            "A repository was begun in \(path) and is not published yet. 'publish' goes on with it; where keys of root or targets are elsewhere, 'draft root', 'sign' "
                + "and 'accept' come first, then the same with targets."
        case .insideOffice(let path):
            "\(path) lies in the authority's own folder, or that in it: everybody gets the one, and nobody may have the keys in the other. Let them lie beside one another; "
                + "where the folder was given out already, count the keys as stolen."
        case .stickOfOthers(let path):
            "Another repository lies in \(path): it has another root than this site's, and its gates would refuse what is left. Name another folder."
        case .stickInRepository(let path):
            "\(path) would lie in the repository, or that in it: whoever loads the copy could hold gates on it for as long as it counts. Name another folder."
        case .locked(let path):
            "Another program has held the lock of \(path) for ten minutes: a publication that does not end, or somebody who keeps others from publishing. `lslocks` has its number."
        case .exposed(let path, .owner(let user)):
            "\(path) belongs to another user (number \(user)), who may take away or keep back what is published there: run this as that user, or let the folder be yours."
        case .exposed(let path, .mode(let mode)):
            "Others than its owner may write into \(path) (mode \(String(mode, radix: 8))), and take away or keep back what is published there: chmod go-w \(path). "
                + "A group that shall write there is named in \(Authority.groupVariable)."
        case .linked(let path):
            "\(path) is a link or no folder, and all folders of a repository are folders: else something would be written and removed elsewhere. Look who has put it there."
        case .noFile(let path): "\(path) is a link, a pipe, a device or a folder, where a repository has a file. Look who has put it there, and move it away."
        case .thresholdTooHigh(let role, let threshold, let keys):
            "The role \(role.rawValue) would need \(threshold) signatures and has \(keys) key\(keys == 1 ? "" : "s")."
        case .wrongCurve(let role): "Keys of the role \(role.rawValue) are Ed25519; 'tapstile-authority role-key' makes one."
        case .fileThere(let path): "\(path) is there already; no key is written over."
        case .unsigned(let role):
            "Nothing was signed for the role \(role.rawValue) yet: 'draft \(role.rawValue)', 'sign' with its keys, 'accept'."
        case .thresholdNotMet(let role, let count):
            "\(count.signed) of the \(count.threshold) signatures are there that the keys of \(role.rawValue) must give."
        case .stranger(let key): "No role that must sign this knows the key \(key)."
        case .strangeTimestamp(let path):
            "\(path) was not signed by the key that signs here: it may name old data, or count for ever. 'publish' in the office writes another; bring that here."
        case .keysMissing(let role): "Not enough private keys of the role \(role.rawValue) are in the authority's folder. \(role.newKeys)"
        case .keyUnknown(let role, let key): "The role \(role.rawValue) has no key \(key) that it could do without."
        case .draftOutdated(let role, let version):
            "Since this draft was made, something else was signed for \(role.rawValue): version \(version) comes next. Draft it anew."
        case .notADraft(let path): "\(path) is no draft of 'tapstile-authority draft'."
        case .notASignature(let path): "\(path) is no signature of 'tapstile-authority sign'."
        case .versionLeftOut(let role, let before, let version):
            "The draft is version \(version) of \(role.rawValue), and says that version \(before) is in force: the next is \(before &+ 1)."
        case .draftRolledBack(let role, let version, let signed, let record):
            "The draft is version \(version) of \(role.rawValue), and this key has signed version \(signed) (\(record)). If a new line of roots begins on "
                + "purpose, move that file away."
        case .signingRecordDamaged(let path):
            "\(path), which says what the key beside it has signed, cannot be read. Moved away, it is begun anew, and the next draft is shown whole."
        case .otherDraft(let path): "\(path) is the signature of another draft."
        case .clockBehind(let now, let issued):
            "This machine's clock says \(UTCText.make(seconds: now)), and something was signed on \(UTCText.make(seconds: issued)). One of the two is wrong. "
                + "If you have compared the clock with a watch, and it was ahead then: --clock-checked."
        case .clockFarAhead(let now, let issued):
            "This machine's clock says \(UTCText.make(seconds: now)), \((now - issued) / 86_400) days after what was signed last. "
                + "If you have compared it with a watch: --clock-checked."
        case .clockNotVouchedFor(let now):
            "This machine's clock says \(UTCText.make(seconds: now)), and nobody vouches for it (timedatectl): gates refuse what is signed ahead of their own. "
                + "If you have compared it with a watch: --clock-checked. If something keeps it right of which the kernel does not know: "
                + "\(OfficeClock.variable)=installer in the environment."
        case .badHolder(let name): "'\(name)' names nobody: 1 to 32 of a-z, 0-9 and '-'."
        case .holderTwice(let name): "'\(name)' is named twice: each name is that of one key. Somebody who holds two has two names, as '\(name)-root' and '\(name)-targets'."
        case .ceremonyMissing(let path): "There is no ceremony in \(path): put in the medium that the office wrote, or name its folder."
        case .notACeremony(let path): "\(path) is nothing that an office asks for. Have it written anew, and look at the office."
        case .otherCeremony(let path, let site):
            "\(path) has a ceremony of the site '\(site)' that is not under way here. Is it the right medium? 'ceremony --cancel' gives up what is under way."
        case .ceremonyUnderWay: "A ceremony with other keys is under way: finish it first, or give it up with 'ceremony --cancel'."
        case .notAwaited(let path, let names):
            "There is no key \(path), and nobody of that name makes one" + (names.isEmpty ? "." : "; its name says whose it is: "
                + names.map { "\($0).key" }.joined(separator: ", ") + ".")
        case .keyCarried(let path): "\(path) would go from hand to hand with the folder: a key lies on a medium of its holder's own."
        case .keyElsewhere(let path, let name):
            "\(name) has made a key in this ceremony, and \(path) is not there. Is the medium in? If the key is lost, remove \(name).pub from the folder."
        case .otherKey(let path, let name): "\(path) is another key than the one that \(name) has brought to this ceremony."
        case .metadata(let path, let fault): "\(path): \(fault.message)"
        case .refused(let refusal): refusal.message
        case .refusedFile(let path, let refusal): "\(path): \(refusal.message)"
        case .publishedInVain(let error): "It was published, and gates refuse it: \(error.message)\(error.remedy)"
        case .rehearsedInVain(let error): "It would be published, and gates would refuse it: \(error.message)\(error.remedy) Nothing was kept."
        case .restored(let office): office.message
        case .forked(let version):
            "The repository has people (state \(version)) that were published beside this office, not by it and not upon what it published: two offices work on copies of one "
                + "folder. Nothing was published. Stop one of them, then say which of the two counts: 'publish --restored repository' brings this office up to what was "
                + "published, 'publish --restored office' publishes what this one has."
        case .restoredTogether(let role, let here, let noted, let path):
            "Office and repository are both older than what was published (\(role.rawValue) \(here) is here, and \(noted) was published: \(path)), as after both were restored from one "
                + "backup. Nothing was published, for it could let in again whoever was taken back since. Stop the timer, copy what the web server gives out into the "
                + "repository's folder, and call 'publish' once more."
                + (role == .root ? " Without \(noted).root.json no gate takes anything." : " If nobody has it any more: 'publish --restored office' publishes what the office has, above all versions.")
        case .noteMissing(let path, let newest):
            "It is not known any more what this office published last (\(path) is gone), as after it was restored on another machine, and nothing was published. Its repository's timestamp "
                + "is of \(UTCText.make(seconds: newest)): is that the one which the web server gives out? If not, copy the folder back from there first. Then "
                + "'publish --restored repository' brings the office up to it, 'publish --restored office' publishes what the office has."
        case .issuerThrownOut(let name):
            "The issuer '\(name)', which signs tokens here, was thrown out in what was published: 'issuer --emergency' first, then this once more."
        case .tokensUnknown(let name):
            "An old backup of this office was restored: tokens of '\(name)' that were issued since are not known here, and some may still hold. If nobody has one any more: "
                + "'issuer --drop-old --anyway'."
        case .ceiling(let subject, let excess):
            "'\(subject)' would have more than the site allows: \(excess.words). [people] of the rules says how much that is."
        case .wholeNeeded:
            "Changes alone lead no gate there: the file with everybody must be made anew. Publish without --changes-only."
        case .bundle(let error): error.message
        }
    }

    /// What to do about what gates refuse; empty where the code says it.
    private var remedy: String {
        guard case .refused(let refusal) = self, case .freeze = refusal.reason,
              let role = RepositoryRole.allCases.first(where: { $0.roleName == refusal.role && $0.isOffline }) else { return "" }
        return " 'draft \(role.rawValue)', 'sign' with its keys, 'accept'."
    }
}

extension RepositoryRole {
    /// How a role comes to keys again whose own are not here.
    fileprivate var newKeys: String {
        let signing = "then 'draft \(delegator.rawValue)', 'sign', 'accept'"
        return isOffline
            ? "They may be elsewhere: 'draft \(rawValue)', 'sign' there, 'accept'. If they are lost: 'role-key --role \(rawValue)' where the new one stays, "
                + "'rotate \(rawValue) --add' with its .pub and '--remove' for the old one, \(signing)."
            : "Bring them back into \(Authority.rolesFolder)/, as \(rawValue)-1.key; or make a new one: 'rotate \(rawValue)', 'rotate \(rawValue) --drop', \(signing)."
    }
}
