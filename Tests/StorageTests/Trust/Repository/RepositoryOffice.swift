import Credentials
import Cryptography
import Foundation
import Glibc
import SignedRepository
import SiteData
import Vocabulary

@testable import Storage

/// An office that publishes bundles, and what a gate does with them.
@dynamicMemberLookup
final class RepositoryOffice {
    private var office: BundleOffice
    /// The zones whose people the gates keep that are served next; nil: all.
    var zones: Set<String>?
    /// The keys of targets.
    var keys = KeyMark()
    private let folder: TemporaryFolder

    static let ceiling = BundleOffice.ceiling

    init(_ records: [PublicationRecord] = [], site: [PublicationRecord] = [.ceiling(ceiling)]) throws {
        folder = try TemporaryFolder()
        office = BundleOffice(site: "hq", records, site: site)
    }

    subscript<Value>(dynamicMember path: KeyPath<BundleOffice, Value>) -> Value { office[keyPath: path] }

    subscript<Value>(dynamicMember path: WritableKeyPath<BundleOffice, Value>) -> Value {
        get { office[keyPath: path] }
        set { office[keyPath: path] = newValue }
    }

    func publish(_ put: [PublicationRecord] = [], gone: [RecordKey] = []) { office.publish(put, gone: gone) }
    func skip(to version: UInt64) { office.skip(to: version) }
    func siteFile() throws -> [UInt8] { try office.siteFile() }
    func full() throws -> [UInt8] { try office.full() }
    func changes(from: UInt64) throws -> [UInt8] { try office.changes(from: from) }

    func update(site name: String = "hq") throws -> RepositoryUpdate {
        RepositoryUpdate(site: name, state: office.state, siteHash: SHA256.hash(try siteFile()), issuedAt: TrustFixture.now - 60,
                         expiresAt: TrustFixture.now + 3600, zones: zones, keys: keys)
    }

    // What a gate does with it -------------------------------------------------------------------

    private func descriptor(_ bytes: [UInt8]?) throws -> Int32? {
        guard let bytes else { return nil }
        let name = UUID().uuidString
        try folder.write(bytes, to: name)
        let descriptor = Glibc.open(folder.path(name), O_RDONLY)
        unlink(folder.path(name))
        return descriptor
    }

    @discardableResult
    func apply(full: [UInt8]? = nil, changes: [UInt8]? = nil, to store: TrustStore) throws -> TrustPublication {
        let files = [try descriptor(full ?? self.full()), try descriptor(changes), try descriptor(siteFile())]
        defer { for file in files.compactMap({ $0 }) { Glibc.close(file) } }
        return try store.apply(full: files[0] ?? -1, changes: files[1], site: files[2] ?? -1, try update(), clock: Self.clock)
    }

    @discardableResult
    func change(_ store: TrustStore, from: UInt64? = nil, changes: [UInt8]? = nil, withSite: Bool = false) throws -> TrustPublication {
        let given = try changes ?? from.map { try self.changes(from: $0) }
        let files = [try descriptor(given), withSite ? try descriptor(siteFile()) : nil]
        defer { for file in files.compactMap({ $0 }) { Glibc.close(file) } }
        return try store.apply(changes: files[0], site: files[1], try update(), clock: Self.clock)
    }

    private static let clock = ClockReading(seconds: TrustFixture.now, trust: .synchronised)

    /// Why something is refused; nil: it is not.
    static func refusal(_ body: () throws -> TrustPublication) throws -> ImportError? {
        do {
            _ = try body()
            return nil
        } catch let error as ImportError {
            return error
        }
    }
}
