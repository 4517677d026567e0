import Cryptography
import Encoding
import SiteData

/// A draft beside what is known of what it changes.
public struct JudgedDraft: Hashable, Sendable {
    public let draft: Draft
    public let past: DraftPast
    /// Names that people gave to keys, by identifier.
    let names: [String: String]
    /// Names by which those call keys who brought the draft: nobody vouches for them.
    var carriedNames: [String: String] = [:]
    /// The key has signed another draft of the same version.
    let isSecondOfItsVersion: Bool

    /// When it says that it is signed, UNIX seconds.
    public var date: Int64 { draft.signed.issued }

    init(_ draft: Draft, _ past: DraftPast, names: [String: String] = [:], isSecondOfItsVersion: Bool = false) {
        (self.draft, self.past, self.names, self.isSecondOfItsVersion) = (draft, past, names, isSecondOfItsVersion)
    }
}

extension Authority {
    /// What a draft of this office changes.
    public func judge(_ draft: Draft) -> JudgedDraft { JudgedDraft(draft, draft.before == nil ? .nothing : Self.doubtOfSiteData(draft) ?? .known(.office)) }

    /// What a draft changes, as far as the holder of a key can know it; needs no authority.
    /// - Parameters:
    ///   - key: the path of the key; what it has signed stands beside it.
    ///   - roots: paths of roots that its holder trusts.
    public static func judge(_ draft: Draft, forKeyAt key: String, roots: [String] = []) throws(AuthorityError) -> JudgedDraft {
        let record = try SigningRecord(ofKeyAt: key)
        try checkVersion(draft, record, path: SigningRecord.path(ofKeyAt: key))
        let isSecond = record.newest(draft.site, draft.role) == draft.version && !record.holds(.init(draft))
        return JudgedDraft(draft, try past(draft, record, roots), names: KeyNames.beside(key), isSecondOfItsVersion: isSecond)
    }

    /// Each version follows the one in force, and none is behind what the key has signed.
    private static func checkVersion(_ draft: Draft, _ record: SigningRecord, path: String) throws(AuthorityError) {
        let before = draft.before?.version ?? 0
        guard before >= 0, draft.version - 1 == before else { throw .repository(.versionLeftOut(draft.role, before: before, version: draft.version)) }
        if let newest = record.newest(draft.site, draft.role), draft.version < newest {
            throw .repository(.draftRolledBack(draft.role, version: draft.version, signed: newest, record: path))
        }
    }

    private static func past(_ draft: Draft, _ record: SigningRecord, _ roots: [String]) throws(AuthorityError) -> DraftPast {
        // What is signed of a root does not say for which site.
        let others = draft.role == .root ? record.otherSites(than: draft.site) : []
        guard others.isEmpty else { return .unknown(.otherSites(others, this: draft.site)) }
        guard let before = draft.before else { return .nothing }
        if let doubt = doubtOfSiteData(draft) { return doubt }
        if record.holds(.init(site: draft.site, role: draft.role, version: before.version, digest: MetadataFile.digest(before))) { return .known(.thisKey) }
        var doubt = DraftPast.Doubt.notSignedByThisKey
        for path in roots {
            let root = try root(at: path)
            if vouches(root, for: draft) { return .known(.root(version: root.version)) }
            doubt = .notSignedForRoot(version: root.version)
        }
        return .unknown(doubt)
    }

    /// Without the site's part of what is in force nothing can be compared.
    private static func doubtOfSiteData(_ draft: Draft) -> DraftPast? {
        guard draft.role == .targets else { return nil }
        guard draft.siteDataBefore != nil else { return .unknown(.siteDataMissing) }
        return draft.contentsBefore == nil ? .unknown(.siteDataUnreadable) : nil
    }

    private static func root(at path: String) throws(AuthorityError) -> (file: [UInt8], version: Int64) {
        let file = try read(path, limit: Draft.longest)
        do throws(MetadataFault) {
            _ = try RootMetadata(SignedMetadata(file))
        } catch {
            throw .repository(.metadata(path: path, error))
        }
        return (file, MetadataFile.signed(in: file)?.version ?? 0)
    }

    /// Whether a root that somebody trusts leads to what is in force: it is that root, or its keys have signed the next; and for targets, the keys that
    /// the root in force names have signed them.
    private static func vouches(_ trusted: (file: [UInt8], version: Int64), for draft: Draft) -> Bool {
        guard let inForce = draft.inForce, let current = draft.role == .root ? inForce : draft.rootFile else { return false }
        let root = Array(current.text.utf8)
        guard let version = MetadataFile.signed(in: root)?.version, version >= trusted.version, isSigned(root, .root, by: root),
              isSigned(root, .root, by: trusted.file) else { return false }
        return draft.role == .root || isSigned(Array(inForce.text.utf8), draft.role, by: root)
    }

    /// Signs a draft with a key, and remembers beside the key what was signed; needs no authority.
    public static func sign(_ judged: JudgedDraft, withKeyAt path: String) throws(AuthorityError) -> DraftSignature {
        let draft = judged.draft
        let file = try AuthorityFolder.key(at: path, role: draft.role.keyRole)
        guard let key = file.signingKey else { throw .keyFile(path: path, .wrongHalf) }
        let identifier = key.publicKey.metadataIdentifier
        guard draft.signers.contains(identifier) else { throw .repository(.stranger(keyIdentifier: identifier)) }
        let signature: DraftSignature
        do throws(CryptographyError) {
            signature = DraftSignature(draft: draft.identifier, keyIdentifier: identifier, bytes: try key.sign(MetadataFile.signedForm(draft.signed)))
        } catch {
            throw .cryptography(error)
        }
        // First of all: what was given away and is not remembered would not be noticed the next time.
        var record = try SigningRecord(ofKeyAt: path)
        try record.add(.init(draft), ofKeyAt: path)
        return signature
    }
}

/// What whoever signs a draft knows of what is in force, without believing the office.
public enum DraftPast: Hashable, Sendable {
    /// Nothing is: this is the first version.
    case nothing
    /// What the draft says is in force, is.
    case known(Witness)
    /// It may be made up. Nothing is compared with it.
    case unknown(Doubt)

    /// By whose word.
    public enum Witness: Hashable, Sendable {
        /// The office's own database says so: this is the office.
        case office
        /// The key has signed it.
        case thisKey
        /// Those have whom a root names that a person named by hand; its version.
        case root(version: Int64)
    }

    /// Why nothing is known.
    public enum Doubt: Hashable, Sendable {
        /// The key has not signed it, and no root was named.
        case notSignedByThisKey
        /// The root that was named does not vouch for it.
        case notSignedForRoot(version: Int64)
        /// The site's part of what is in force is not in the draft.
        case siteDataMissing
        /// It cannot be read for that site.
        case siteDataUnreadable
        /// The key has signed for these sites and never for this one.
        case otherSites([String], this: String)
    }

    /// Whether differences are shown.
    public var isKnown: Bool {
        switch self {
        case .nothing, .known: true
        case .unknown: false
        }
    }

    /// A line for whoever signs.
    func line(before version: Int64) -> String {
        switch self {
        case .nothing: "the first one"
        case .known(.office): "compared with version \(version)"
        case .known(.thisKey): "compared with version \(version), which this key has signed"
        case .known(.root(let root)): "compared with version \(version), signed as root version \(root) demands"
        case .unknown(.notSignedByThisKey):
            "! NOT compared with version \(version), which this key has not signed: read all of it, or name a root that you trust (--root)"
        case .unknown(.notSignedForRoot(let root)): "! NOT compared with version \(version), which is not signed as root version \(root) demands: read all of it"
        case .unknown(.siteDataMissing): "! NOT compared with version \(version), whose part of the site is missing: read all of it"
        case .unknown(.siteDataUnreadable): "! NOT compared with version \(version), whose part of the site cannot be read: read all of it"
        case .unknown(.otherSites(let others, let site)):
            "! NOT compared: this key has signed for \(ShownText.names(others, one: "site", several: "sites", none: "no site")) and never for \(ShownText.name(site)): "
                + "if that shall be the same site, sign nothing; else read all of it"
        }
    }
}
