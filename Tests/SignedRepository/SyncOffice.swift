import Credentials
import Cryptography
import Encoding
import SiteData

/// An office and its web server in one: publishes people as a repository has them, and answers for it as `tapstile-net` would.
package struct SyncOffice: Sendable {
    package static let url = "https://gates.example/site"

    package private(set) var repository: TUFRepository
    /// What the server has under the right name of a target, by the target's path, in the place of what was signed.
    package var lies: [String: [UInt8]] = [:]
    private var office: BundleOffice

    /// - Parameter issued: when everything is signed, UNIX seconds; it counts for a day.
    package init(site name: String = "demo", _ records: [PublicationRecord] = [], site: [PublicationRecord] = [],
                 issued: Int64 = TUFRepository.now - 60) throws {
        office = BundleOffice(site: name, records, site: site)
        repository = try TUFRepository()
        for role in ["root", "timestamp", "snapshot", "targets", "people"] {
            sign(role, at: issued)
            repository[role].expire(at: issued + 86_400)
        }
        try repository.publishRoot()
        try offerWhole()
        try release("targets", "people")
    }

    /// The root that an installer carries to the gate.
    package var root: [UInt8] { repository.firstRoot }
    package var version: UInt64 { office.version }
    package var state: SignedState { office.state }
    package var epoch: UInt64 {
        get { office.epoch }
        set { office.epoch = newValue }
    }

    // What is decided ----------------------------------------------------------------------------

    /// A new version, with changes from these on; the whole is made anew only where it is said.
    package mutating func publish(_ records: [PublicationRecord], gone: [RecordKey] = [], since offers: [UInt64], withWhole: Bool = false) throws {
        office.publish(records, gone: gone)
        if withWhole { try offerWhole() }
        for from in offers { try offer("people/since-\(from)", office.changes(from: from)) }
        try release("people")
    }

    /// A new version that says this and nothing else, of site and people, whole.
    package mutating func publish(only records: [PublicationRecord]) throws {
        office.publish(only: records)
        try offerWhole()
        try release("targets", "people")
    }

    /// Another file of the site.
    package mutating func decide(_ records: [PublicationRecord]) throws {
        office.site = records
        try repository.addTarget("site/data", office.siteFile(), to: "targets")
        try release("targets")
    }

    package mutating func sign(_ role: String, at seconds: Int64) {
        repository[role].body.set(["x-tapstile-issued"], .string(UTCText.make(seconds: seconds)))
    }

    /// Publishes roles anew, and with them what lists them.
    package mutating func release(_ names: String...) throws {
        repository["people"].body.set(["x-tapstile-state"], office.state.json)
        for name in names {
            repository[name].version += 1
            try repository.publish(name)
        }
        try repository.release()
    }

    /// Changes anything of the repository.
    package mutating func change(_ body: (inout TUFRepository) throws -> Void) rethrows { try body(&repository) }

    private mutating func offerWhole() throws {
        try offer("people/full", office.full())
        try repository.addTarget("site/data", office.siteFile(), to: "targets")
    }

    private mutating func offer(_ path: String, _ bytes: [UInt8]) throws { try repository.addTarget(path, bytes, to: "people") }

    // The server ---------------------------------------------------------------------------------

    /// What the server has under an address; nil: nothing.
    package func file(at url: String) -> [UInt8]? {
        if let name = Self.rest(of: url, after: "\(Self.url)/metadata/") { return repository.files[name] }
        guard let path = Self.rest(of: url, after: "\(Self.url)/targets/") else { return nil }
        let right = repository.targets.first { target, bytes in path == TUFRepository.fileName(of: target, bytes) }
        return right.map { target, bytes in lies[target] ?? bytes }
    }

    private static func rest(of text: String, after prefix: String) -> String? {
        text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : nil
    }
}
