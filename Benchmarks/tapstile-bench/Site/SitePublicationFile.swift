import Credentials
import Cryptography
import Files
import Glibc
import Service
import SiteRules
import TrustSync

/// The site's publication: a million enrolled keys, a hundred thousand revocations, and a rule for a group of a million
/// members, so that every tap asks for groups. Making it takes some twenty seconds; it is kept and used again by the next run with the same numbers.
struct SitePublicationFile {
    /// So many versions of the same content can be imported one after another.
    static let versions = 8
    /// Changes when anything in the content does.
    private static let format = 3

    /// Where it is kept, with what else is.
    let cache: String
    private let folder: String

    /// The publication with so many records, made if it is not there.
    init(cache: String, enrolled: Int, revocations: Int, memberships: Int, keys: SiteKeys, report: Report) throws {
        self.cache = cache
        folder = "\(cache)/site-\(Self.format)-\(enrolled)-\(revocations)-\(memberships)"
        guard access("\(folder)/complete", F_OK) != 0 else { return }
        report.note("making a publication of \(enrolled) enrolled keys, \(revocations) revocations and \(memberships) memberships; it is kept in \(folder)")
        try Folder.make(folder)
        var writer = PublicationWriter()
        try writeBody(&writer, enrolled: enrolled, revocations: revocations, memberships: memberships, keys: keys)
        for version in 1...Self.versions {
            let manifest = try writer.signedManifest(
                site: SiteKeys.site, version: UInt64(version), issuedAt: UnixTime.now - 10,
                expiresAt: UnixTime.now + 10 * 365 * 86400, key: keys.site)
            try SmallFile.replace("\(folder)/manifest-\(version)", with: manifest)
        }
        try SmallFile.replace("\(folder)/complete", with: [])
    }

    private func writeBody(_ writer: inout PublicationWriter, enrolled: Int, revocations: Int, memberships: Int, keys: SiteKeys) throws {
        let file = try OutputFile("\(folder)/body")
        try file.write(writer.add(.issuer(TokenIssuer(name: SiteKeys.site, key: keys.issuer.publicKey))))
        let strangers = try StrangerKeys()
        let distance = max(1, enrolled / PhoneBook.count)
        for index in 0..<enrolled {
            let phone = index / distance
            let record = index % distance == distance / 2 && phone < PhoneBook.count
                ? try PhoneBook.enrolledKey(phone) : Self.stranger(index, try strangers.next())
            try file.write(writer.add(.enrolled(record)))
        }
        for record in try SoakPhones.enrolledKeys() { try file.write(writer.add(.enrolled(record))) }
        for index in 0..<revocations { try file.write(writer.add(.revocation(Self.revocation(index)))) }
        for record in try SoakPhones.revocations() { try file.write(writer.add(.revocation(record))) }
        if memberships > 0 { try writeGroup(to: file, &writer, members: memberships) }
        try file.flush()
    }

    /// Everybody whose phone is presented is in it, and as many others.
    private func writeGroup(to file: OutputFile, _ writer: inout PublicationWriter, members: Int) throws {
        let group = "everybody"
        try file.write(writer.add(.rule(.access(AccessRule(group: group)))))
        let presented = (0..<PhoneBook.count).flatMap { ["visitor-\($0)", "member-\($0)"] }
        for subject in presented { try file.write(writer.add(.rule(.membership(Membership(group: group, subject: subject))))) }
        for index in presented.count..<max(members, presented.count) {
            try file.write(writer.add(.rule(.membership(Membership(group: group, subject: "person-\(index)")))))
        }
    }

    private static func stranger(_ index: Int, _ key: PublicKey) -> EnrolledKey {
        EnrolledKey(keyIdentifier: Array(key.thumbprint.prefix(8)), key: key, use: .sign, subject: "person-\(index)")
    }

    /// Of every kind a quarter; none concerns the phones of `PhoneBook`.
    private static func revocation(_ index: Int) -> Revocation {
        let bytes = SiteKeys.bytes("revoked \(index)")
        return switch index % 4 {
        case 0: TokenIdentifier(bytes).map { .token($0) } ?? .key(thumbprint: bytes)
        case 1: .issued(issuer: SiteKeys.site, cti: Array(bytes.prefix(8)))
        case 2: .subject("gone-\(index)")
        default: .key(thumbprint: bytes)
        }
    }

    /// Writes one version of the publication as one file, as `tapstile import` takes it.
    func assemble(version: Int, at path: String) throws {
        let file = try OutputFile(path)
        try file.write(SmallFile.read("\(folder)/manifest-\(version)"))
        try file.flush()
        try file.append(fileAt: "\(folder)/body")
    }
}
